"""Shows the UID of each new card, as a GUI program does: pyscard's monitor polls while the program keeps running."""
import threading

from smartcard.CardMonitoring import CardMonitor, CardObserver
from smartcard.util import toHexString

GET_UID = [0xFF, 0xCA, 0x00, 0x00, 0x00]


class Screen(CardObserver):
    def update(self, observable, handlers):
        added, removed = handlers
        for card in added:
            connection = card.createConnection()
            connection.connect()
            print("UID", toHexString(connection.transmit(GET_UID)[0]), flush=True)
            connection.disconnect()
        for card in removed:
            print("gone", flush=True)


CardMonitor().addObserver(Screen())
threading.Event().wait()

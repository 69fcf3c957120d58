"""Waits a tenth of a second for a card in the first reader and prints its ATR, or says what is wrong."""
import sys

from smartcard.CardRequest import CardRequest
from smartcard.Exceptions import SmartcardException
from smartcard.System import readers

try:
    service = CardRequest(readers=readers()[:1], timeout=0.1).waitforcard()
    service.connection.connect()
    print(bytes(service.connection.getATR()).hex())
    service.connection.disconnect()
except SmartcardException as error:
    sys.exit(f"error: {error}")

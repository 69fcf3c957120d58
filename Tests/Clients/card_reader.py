"""Code shared by the PC/SC clients here: finding a reader, waiting for a card, sending APDUs."""
import sys

from smartcard.CardRequest import CardRequest
from smartcard.Exceptions import CardRequestTimeoutException
from smartcard.System import readers


def connect(name=""):
    """Connects to the card in the first reader whose name contains a text; waits five seconds for a card."""
    found = [reader for reader in readers() if name.lower() in reader.name.lower()]
    if not found:
        sys.exit("no PC/SC reader named %r; there are: %s" % (name, ", ".join(map(str, readers())) or "none"))
    try:
        CardRequest(readers=found[:1], timeout=5).waitforcard()
    except CardRequestTimeoutException:
        sys.exit("no card on %s" % found[0])
    connection = found[0].createConnection()
    connection.connect()
    return connection


def send(connection, apdu):
    """Sends an APDU and returns its answer without the status word, which must be 9000."""
    data, sw1, sw2 = connection.transmit(list(apdu))
    if (sw1, sw2) != (0x90, 0x00):
        sys.exit("%s is answered with %02X%02X" % (bytes(apdu).hex().upper(), sw1, sw2))
    return bytes(data)

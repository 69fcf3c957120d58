"""Prints the ATR of the card in the first reader, or says what is wrong."""
import os
import sys
import traceback

from smartcard.Exceptions import SmartcardException
from smartcard.System import readers


def unraisable(report):
    """As `pytest -W error`: an exception in a destructor is a failure."""
    traceback.print_exception(report.exc_value)
    os._exit(70)


sys.unraisablehook = unraisable
try:
    connection = readers()[0].createConnection()
    connection.connect()
    print(bytes(connection.getATR()).hex())
    connection.disconnect()
except SmartcardException as error:
    sys.exit(f"error: {error}")

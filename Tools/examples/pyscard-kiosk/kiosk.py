"""A kiosk that tells the balance of a transit card on a Sony reader. Nothing in it knows of tests.

usage: python3 kiosk.py      prints {"idm": …, "balance": …}, or a sentence and exit code 1
"""
import json
import sys

from smartcard.Exceptions import CardConnectionException, NoCardException
from smartcard.System import readers

GET_IDM = bytes.fromhex("FF CA 00 00 00")
SELECT_HISTORY = bytes.fromhex("FF A4 00 01 02 0F 09")
READ_NEWEST = bytes.fromhex("FF B0 00 00 00")


class CardError(Exception):
    """What the kiosk shows its user."""


def send(connection, command):
    data, sw1, sw2 = connection.transmit(list(command))
    if (sw1, sw2) != (0x90, 0x00):
        raise CardError("please touch the card again (%02X%02X)" % (sw1, sw2))
    return bytes(data)


def read_card():
    """The IDm of the card on the first reader, and its balance in yen."""
    found = readers()
    if not found:
        raise CardError("the reader is not plugged in")
    connection = found[0].createConnection()
    try:
        connection.connect()
        idm = send(connection, GET_IDM)
        send(connection, SELECT_HISTORY)
        newest = send(connection, READ_NEWEST)
    except NoCardException:
        raise CardError("please touch your card") from None
    except CardConnectionException:
        raise CardError("please touch the card again") from None
    finally:
        connection.disconnect()
    return {"idm": idm.hex().upper(), "balance": newest[10] | newest[11] << 8}


def main():
    try:
        print(json.dumps(read_card()))
    except CardError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()

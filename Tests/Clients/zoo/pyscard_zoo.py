"""Reads the UID and the first pages of an NTAG with pyscard and prints them as JSON; correct, or with one mistake.

usage: pyscard_zoo.py MISTAKE UID
  MISTAKE  `correct`, or a name after MISTAKE in a comment
  UID      the UID of the tag to read

With a mistake the client reads once; the correct client reads until two readings agree.
"""
import json
import sys

from smartcard.CardRequest import CardRequest
from smartcard.Exceptions import SmartcardException
from smartcard.pcsc.PCSCExceptions import BaseSCardException  # Not a SmartcardException.
from smartcard.System import readers

ATTEMPTS, PATIENCE, READ_LENGTH, PAGES = 3, 0.1, 16, (4, 8)
GET_UID = [0xFF, 0xCA, 0x00, 0x00, 0x00]


class Unreadable(Exception):
    """An error of a tag or a reader."""


def send(connection, apdu, length, mistake):
    try:
        data, sw1, sw2 = connection.transmit(apdu)
    except SmartcardException:
        # MISTAKE fills-with-zeros: what cannot be read is taken for empty.
        if mistake == "fills-with-zeros":
            return bytes(length)
        # MISTAKE retries-dead-connection: the next try may be luckier, though the connection is over.
        while mistake == "retries-dead-connection":
            try:
                data, sw1, sw2 = connection.transmit(apdu)
                break
            except SmartcardException:
                continue
        else:
            raise
    # MISTAKE checks-sw2: 00 at the end is enough; 63 00 has it, too.
    if sw2 != 0x00 or (sw1 != 0x90 and mistake != "checks-sw2"):
        raise Unreadable("the reader reports %02X%02X" % (sw1, sw2))
    if len(data) != length and mistake != "checks-sw2":
        raise Unreadable("the reader gives %d bytes instead of %d" % (len(data), length))
    return bytes(data)


def read(connection, known, mistake):
    """Reads a tag once."""
    uid = send(connection, GET_UID, len(known), mistake)
    if uid != known and mistake not in ("checks-sw2", "fills-with-zeros"):
        raise Unreadable("another tag lies on the reader")
    pages = [send(connection, [0xFF, 0xB0, 0x00, page, READ_LENGTH], READ_LENGTH, mistake) for page in PAGES]
    return {"uid": uid.hex().upper(), "pages": b"".join(pages).hex().upper()}


def attempt(known, mistake):
    """Connects and reads a tag once, and again in the correct client."""
    found = readers()
    if not found:
        raise Unreadable("there is no reader")
    # In any reader: with `readers`, pyscard 2.3.1 waits forever once they are gone.
    CardRequest(timeout=PATIENCE).waitforcard()
    connection = found[0].createConnection()
    connection.connect()
    try:
        result = read(connection, known, mistake)
        if mistake == "correct" and read(connection, known, mistake) != result:
            raise Unreadable("two readings of the tag differ")
        return result
    finally:
        connection.disconnect()
        connection.release()


def main(mistake, known):
    problem = None
    for _ in range(ATTEMPTS if mistake == "correct" else 1):
        try:
            print(json.dumps(attempt(known, mistake)))
            return
        except (SmartcardException, BaseSCardException, Unreadable) as error:
            problem = error
    # MISTAKE tells-and-succeeds: the error is shown to whoever reads it, and the exit code says that all is well.
    if mistake == "tells-and-succeeds":
        print(json.dumps({"uid": None, "message": "please try again"}))
        return
    sys.exit(str(problem))


main(sys.argv[1], bytes.fromhex(sys.argv[2]))

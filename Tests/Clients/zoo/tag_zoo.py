"""Reads the first pages of an NTAG with the commands of PC/SC part 3 and prints them as JSON; correct, or with one mistake.

usage: tag_zoo.py MISTAKE UID
  MISTAKE  `correct`, or a name after MISTAKE in a comment
  UID      the UID of the tag to read

With a mistake the client reads once; the correct client reads until two readings agree.
"""
import json
import os
import struct
import sys

from pcsc_light import RESET, Card, Context, PCSCError

ATTEMPTS, PATIENCE = 3, 100
UID_LENGTH, READ_LENGTH, PAGES = 7, 16, (3, 7)
GET_UID = bytes.fromhex("FFCA000000")
SUCCESS = 0x9000
PREFIXES = ["", "http://www.", "https://www.", "http://", "https://", "tel:", "mailto:"]


class Unreadable(Exception):
    """An error of a tag or a reader."""


def transmit(card, apdu, mistake):
    try:
        return card.transmit(apdu)
    except PCSCError as error:
        # MISTAKE keeps-handle: after a reset by another program a handle has to be connected anew; what could not be
        # read until then is left out.
        if mistake == "keeps-handle" and error.code == RESET:
            return b"", SUCCESS
        # MISTAKE spins-on-removal: whatever the call returns, the next try may be luckier.
        while mistake == "spins-on-removal":
            try:
                return card.transmit(apdu)
            except PCSCError:
                continue
        raise


def send(card, apdu, length, mistake):
    """Sends an APDU whose answer has the given number of bytes."""
    data, status = transmit(card, apdu, mistake)
    # MISTAKE ignores-sw: an answer that says what went wrong is one of no data.
    if status != SUCCESS and mistake != "ignores-sw":
        raise Unreadable("the reader reports %04X" % status)
    # MISTAKE expects-length: nobody looks how much came.
    if len(data) != length and mistake not in ("expects-length", "ignores-sw", "keeps-handle"):
        raise Unreadable("the reader gives %d bytes instead of %d" % (len(data), length))
    return data


def link(memory, is_strict):
    """Returns the link that is the only record of the message in the memory from page 3 on."""
    container, block = memory[:4], memory[4:]
    message = block[2:2 + int.from_bytes(block[1:2], "big")]
    payload = message[4:4 + int.from_bytes(message[2:3], "big")]
    if is_strict:
        expected = b"\x03" + bytes([len(message)]) + bytes([0xD1, 1, len(payload), 0x55]) + payload
        if container[:2] != b"\xE1\x10" or container[3:] != b"\0" or block[:len(expected)] != expected:
            raise Unreadable("the tag holds something else than a link")
    try:
        return PREFIXES[payload[0]] + payload[1:].decode("utf-8") if payload else ""
    except (LookupError, UnicodeDecodeError):
        raise Unreadable("the link on the tag is damaged")


def read(card, known, mistake):
    """Reads a tag once."""
    uid = send(card, GET_UID, UID_LENGTH, mistake)
    if uid != known:
        raise Unreadable("another tag lies on the reader")
    data = [send(card, bytes([0xFF, 0xB0, 0, page, READ_LENGTH]), READ_LENGTH, mistake) for page in PAGES]
    memory = b"".join(data)
    # Here expects-length ends the program with an unexpected error.
    if mistake == "expects-length":
        struct.unpack("7s32s", uid + memory)
    return {"uid": uid.hex().upper(), "link": link(memory, mistake == "correct")}


def attempt(context, known, mistake):
    """Reads a tag once, and again in the correct client."""
    reader = context.reader()
    context.wait_for_card(reader, PATIENCE)
    card = Card(context, reader)
    try:
        found = read(card, known, mistake)
        if mistake == "correct" and read(card, known, mistake) != found:
            raise Unreadable("two readings of the tag differ")
        return found
    except (PCSCError, Unreadable) as error:
        # MISTAKE leaves-transaction: the way out after an error passes by whatever was begun.
        if mistake == "leaves-transaction":
            print(error, file=sys.stderr, flush=True)
            os._exit(1)
        raise
    finally:
        # MISTAKE keeps-connection: a connection is closed behind the last line, which an error passes by.
        if mistake != "keeps-connection" or sys.exc_info()[0] is None:
            card.close()


def main(mistake, known):
    problem = None
    for _ in range(ATTEMPTS):
        try:
            context = Context()
        except PCSCError as error:
            problem = error
            continue
        try:
            found = attempt(context, known, mistake)
            break
        except (PCSCError, Unreadable) as error:
            problem = error
        finally:
            # MISTAKE leaks-context: every attempt has a context of its own, and what failed is forgotten.
            if mistake != "leaks-context" or not problem:
                context.release()
    else:
        # MISTAKE fails-with-zero: a person is told what went wrong, and the program that waits for the exit code is not.
        if mistake == "fails-with-zero":
            print(problem, file=sys.stderr)
            return
        sys.exit(str(problem))
    print(json.dumps(found))


main(sys.argv[1], bytes.fromhex(sys.argv[2]))

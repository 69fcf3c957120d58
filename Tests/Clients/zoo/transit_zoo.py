"""Reads the newest trips of a transit card with the commands of PC/SC part 3; correct, or with one mistake.

usage: transit_zoo.py MISTAKE IDM
  MISTAKE  `correct`, or a name after MISTAKE in a comment
  IDM      the IDm of the card to read

Services and blocks are in the data of READ BINARY, as in the class driver of Windows. With a mistake the client
reads once; the correct client reads until two readings agree.
"""
import datetime

from rereading import Unreadable, main

BLOCK, RECORDS, AT_ONCE, HISTORY = 16, 8, 4, bytes.fromhex("0F09")
GET_IDM = bytes.fromhex("FFCA000000")
SUCCESS = 0x9000


def send(card, apdu, length):
    """Sends an APDU whose answer has the given number of bytes."""
    data, status = card.transmit(apdu)
    if status != SUCCESS:
        raise Unreadable("the reader reports %04X" % status)
    if len(data) != length:
        raise Unreadable("the reader gives %d bytes instead of %d" % (len(data), length))
    return data


def read_blocks(card, first):
    elements = bytes(byte for number in range(first, first + AT_ONCE) for byte in (0x80, number))
    data = bytes([1]) + HISTORY + bytes([AT_ONCE]) + elements
    found = send(card, bytes([0xFF, 0xB0, 0, 0, len(data)]) + data + b"\0", AT_ONCE * BLOCK)
    return [found[start:start + BLOCK] for start in range(0, len(found), BLOCK)]


def date(record, mistake):
    year, month, day = 2000 + (record[4] >> 1), (record[4] & 1) << 3 | record[5] >> 5, record[5] & 0x1F
    try:
        return datetime.date(year, month, day).isoformat()
    except ValueError as error:
        # MISTAKE impossible-date: a date on a card can be none, and nobody expects it.
        if mistake == "impossible-date":
            raise
        raise Unreadable("a record has a date that does not exist: %s" % error)


def read(card, known, mistake):
    """Reads a card once."""
    idm = send(card, GET_IDM, 8)
    if idm != known:
        raise Unreadable("another card lies on the reader")
    records = []
    for first in range(0, RECORDS, AT_ONCE):
        # MISTAKE keeps-collecting: what failed is begun anew, and what was read until then stays in the list.
        if mistake == "keeps-collecting" and first == AT_ONCE:
            try:
                records += read_blocks(card, first)
            except Unreadable:
                records += read_blocks(card, 0) + read_blocks(card, first)
            continue
        try:
            records += read_blocks(card, first)
        except Exception:
            # MISTAKE swallows-errors: `except` without a name, and what could not be read is not there.
            if mistake != "swallows-errors":
                raise
    trips = [record for record in records if any(record)]
    numbers = [record[13] << 8 | record[14] for record in trips]
    if mistake == "correct" and (trips != records[:len(trips)] or numbers != sorted(set(numbers), reverse=True)):
        raise Unreadable("the records are not in the order of a history")
    found = {"idm": idm.hex().upper(), "trips": []}
    for record in trips:
        found["trips"].append({"date": date(record, mistake), "balance": record[10] | record[11] << 8})
    # MISTAKE expects-trips: the newest trip is asked for, and nobody looks whether there is one.
    if trips or mistake == "expects-trips":
        found["newest"] = found["trips"][0]["date"]
    return found


main(read)

"""Prints the cost of each trip on a transit card, in lines as for an expense report; correct, or with one mistake.

usage: fare_sheet.py MISTAKE IDM
  MISTAKE  `correct`, or a name after MISTAKE in a comment
  IDM      the IDm of the card to read

The cost of a trip is the difference of two balances, so the oldest record has none.
"""
import itertools
import struct
import sys
from typing import Iterator, NamedTuple

from pcsc_light import Card, Context, PCSCError

HISTORY, MOST, ATTEMPTS, PATIENCE = bytes.fromhex("0F09"), 20, 3, 100


class Problem(Exception):
    """The reason why there is no sheet."""


class Record(NamedTuple):
    day: str
    balance: int
    number: int

    @classmethod
    def of(cls, block: bytes) -> "Record":
        date, balance, number = struct.unpack(">H", block[4:6]) + struct.unpack("<H", block[10:12]) + struct.unpack(
            ">H", block[13:15])
        return cls("20%02d-%02d-%02d" % (date >> 9, date >> 5 & 15, date & 31), balance, number)


def answer(card: Card, apdu: bytes, length: int) -> bytes:
    data, status = card.transmit(apdu)
    if status != 0x9000 or len(data) != length:
        raise Problem("the reader answers %d bytes and %04X" % (len(data), status))
    return data


def blocks(card: Card) -> Iterator[bytes]:
    for number in range(MOST):
        list_of_blocks = bytes([1]) + HISTORY + bytes([1, 0x80, number])
        yield answer(card, bytes([0xFF, 0xB0, 0, 0, len(list_of_blocks)]) + list_of_blocks + b"\0", 16)


def records(card: Card, idm: bytes) -> tuple:
    if answer(card, bytes.fromhex("FFCA000000"), 8) != idm:
        raise Problem("another card lies on the reader")
    return tuple(Record.of(block) for block in itertools.takewhile(any, blocks(card)))


def sheet(found: tuple, mistake: str) -> Iterator[str]:
    pairs = list(zip(found, found[1:]))
    # MISTAKE skips-newest: the newest record counts as one that may still change.
    for newer, older in pairs[1:] if mistake == "skips-newest" else pairs:
        cost = older.balance - newer.balance
        yield "%s %s %d yen" % (newer.day, "trip" if cost >= 0 else "paid in", abs(cost))
    yield "%d lines" % (len(pairs) - (mistake == "skips-newest"))


def attempt(idm: bytes, mistake: str) -> tuple:
    context = Context()
    try:
        reader = context.reader()
        context.wait_for_card(reader, PATIENCE)
        card = Card(context, reader)
        try:
            found = records(card, idm)
            if mistake == "correct" and records(card, idm) != found:
                raise Problem("two readings of the card differ")
            return found
        finally:
            card.close()
    finally:
        context.release()


def main(mistake: str, idm: str) -> int:
    for left in reversed(range(ATTEMPTS)):
        try:
            print("\n".join(sheet(attempt(bytes.fromhex(idm), mistake), mistake)))
            return 0
        except (PCSCError, Problem) as problem:
            if not left:
                print(problem, file=sys.stderr)
    return 1


sys.exit(main(*sys.argv[1:]))

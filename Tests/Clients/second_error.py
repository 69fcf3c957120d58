"""Prints the newest trips of a transit card. It retries a failed read once, and does not handle a second error.

usage: second_error.py
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "zoo"))
from pcsc_light import Card, Context, PCSCError  # noqa: E402

LENGTH = 16


def block(card, number):
    """Returns a block of the history; None if it cannot be read."""
    for _ in range(2):
        data, status = card.transmit(bytes([0xFF, 0xB0, 0, 0, 6, 1, 0x0F, 0x09, 1, 0x80, number, 0]))
        if status == 0x9000 and len(data) == LENGTH:
            return data
    return None


def main():
    try:
        context = Context()
        reader = context.reader()
        context.wait_for_card(reader, 100)
        card = Card(context, reader)
        balances = [int.from_bytes(block(card, number)[10:12], "little") for number in range(3)]
        card.close()
        context.release()
    except PCSCError as error:
        sys.exit(str(error))
    print(json.dumps(balances))


main()

"""Reads the balance of an Octopus card with the commands of PC/SC part 3; correct, or with one mistake that only a debt reveals.

usage: octopus_zoo.py MISTAKE IDM
  MISTAKE  `correct`, or a name after MISTAKE in a comment
  IDM      the IDm of the card to read
"""
from rereading import Unreadable, main

GET_IDM = bytes.fromhex("FFCA000000")
READ_BALANCE = bytes.fromhex("FFB000000601170101800000")
SUCCESS, DEBT = 0x9000, 500


def send(card, apdu, length):
    """Sends an APDU whose answer has the given number of bytes."""
    data, status = card.transmit(apdu)
    if status != SUCCESS or len(data) != length:
        raise Unreadable("the reader gives %d bytes and reports %04X" % (len(data), status))
    return data


def read(card, known, mistake):
    """Reads a card once."""
    idm = send(card, GET_IDM, 8)
    if idm != known:
        raise Unreadable("another card lies on the reader")
    tenths = int.from_bytes(send(card, READ_BALANCE, 16)[:4], "big") - DEBT
    # MISTAKE never-owes: a purse holds nothing or more.
    if mistake == "never-owes":
        tenths &= 0xFFFFFFFF
    sign = "-" if tenths < 0 else ""
    return {"idm": idm.hex().upper(), "balance": "%s%d.%d" % (sign, abs(tenths) // 10, abs(tenths) % 10)}


main(read)

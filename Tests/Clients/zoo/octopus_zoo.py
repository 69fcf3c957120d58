"""Reads the balance of an Octopus card by the commands of PC/SC part 3; correct, or with one mistake that only a debt shows.

usage: octopus_zoo.py MISTAKE IDM
  MISTAKE  `correct`, or what stands behind MISTAKE in a comment
  IDM      that of the card to be read
"""
from rereading import Unreadable, main

GET_IDM = bytes.fromhex("FFCA000000")
READ_BALANCE = bytes.fromhex("FFB000000601170101800000")
SUCCESS, DEBT = 0x9000, 500


def send(card, apdu, length):
    """Sends an APDU that is answered with so many bytes."""
    data, status = card.transmit(apdu)
    if status != SUCCESS or len(data) != length:
        raise Unreadable("the reader gives %d bytes and reports %04X" % (len(data), status))
    return data


def read(card, known, mistake):
    """One look at a card."""
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

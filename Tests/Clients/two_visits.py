"""Reads the identifiers of two cards in order, and reports what happened to the first card.

Prints `first UID`, then the error of a command after the card has left, then `second UID`.
"""
from smartcard import scard

IDENTIFIER = [0xFF, 0xCA, 0x00, 0x00, 0x00]


def check(code):
    if code != scard.SCARD_S_SUCCESS:
        raise SystemExit(f"PC/SC failed: {code & 0xFFFFFFFF:08X}")


def wait(context, reader, wanted):
    """Waits until the reader is in a state."""
    state = scard.SCARD_STATE_UNAWARE
    while not state & wanted:
        code, states = scard.SCardGetStatusChange(context, 60_000, [(reader, state)])
        check(code)
        state = states[0][1]


def read(context, reader):
    wait(context, reader, scard.SCARD_STATE_PRESENT)
    code, card, protocol = scard.SCardConnect(context, reader, scard.SCARD_SHARE_SHARED, scard.SCARD_PROTOCOL_Tx)
    check(code)
    code, answer = scard.SCardTransmit(card, protocol, IDENTIFIER)
    check(code)
    return card, protocol, bytes(answer[:-2]).hex().upper()


def main():
    code, context = scard.SCardEstablishContext(scard.SCARD_SCOPE_USER)
    check(code)
    code, readers = scard.SCardListReaders(context, [])
    check(code)
    card, protocol, uid = read(context, readers[0])
    print("first", uid, flush=True)
    wait(context, readers[0], scard.SCARD_STATE_EMPTY)
    code, _ = scard.SCardTransmit(card, protocol, IDENTIFIER)
    print(f"then {code & 0xFFFFFFFF:08X}", flush=True)
    scard.SCardDisconnect(card, scard.SCARD_LEAVE_CARD)
    print("second", read(context, readers[0])[2], flush=True)


main()

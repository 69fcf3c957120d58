"""A reader of FeliCa cards for the RC-S300's escape commands, as open drivers send them: prints reader and card as JSON.

It begins a transparent session and polls without switching the protocol first.
"""
import json
import struct
import sys

from smartcard import scard

START, END = bytes.fromhex("FF50000002810000"), bytes.fromhex("FF50000002820000")
POLL = bytes.fromhex("FF5000010000115F4604A0860100958200060600FFFF0100000000")
ESCAPE = scard.SCARD_CTL_CODE(1)


def check(result, *values):
    if result != scard.SCARD_S_SUCCESS:
        sys.exit(scard.SCardGetErrorMessage(result))
    return values[0] if len(values) == 1 else values


def main():
    context = check(*scard.SCardEstablishContext(scard.SCARD_SCOPE_USER))
    reader = check(*scard.SCardListReaders(context, []))[0]
    card, _ = check(*scard.SCardConnect(context, reader, scard.SCARD_SHARE_DIRECT, 0))
    names = ["VENDOR_NAME", "VENDOR_IFD_VERSION", "MAXINPUT", "CHANNEL_ID"]
    values = [bytes(check(*scard.SCardGetAttrib(card, getattr(scard, "SCARD_ATTR_" + name)))) for name in names]
    start, polled, end = (bytes(check(*scard.SCardControl(card, ESCAPE, list(data)))) for data in (START, POLL, END))
    if start != end or not polled.startswith(start[:-2]):
        sys.exit("the session failed: %s" % polled.hex())
    # The packet follows its tag and length, and starts with LEN and 01.
    packet = polled[polled.index(b"\x97") + 2:-2]
    json.dump({
        "vendor": values[0].rstrip(b"\0").decode(),
        "numbers": ["%08X" % struct.unpack("<I", value) for value in values[1:]],
        "idm": packet[2:10].hex().upper(),
    }, sys.stdout)
    print()


main()

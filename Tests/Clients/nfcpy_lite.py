"""A program on unmodified nfcpy that turns a FeliCa Lite or Lite-S into an NDEF tag: formats, writes, protects,
authenticates, and reads and writes with MACs. Prints its result as JSON.

usage: nfcpy_lite.py [PATH]    PATH in the format of nfc.ContactlessFrontend, or a serial port with a PN532; default:
       $TAPSIM_NFCPY, otherwise $TAPSIM_TTY
"""
import json
import sys

import ndef
import nfc
import nfc.clf
import nfc.tag.tt3_sony

from nfcpy_frontend import open_frontend

PASSWORD = "0123456789abcdef"
WRONG = "fedcba9876543210"


def activate(frontend):
    """Returns the card after a power cycle."""
    frontend.device.mute()
    target = frontend.sense(nfc.clf.RemoteTarget("212F"))
    if target is None:
        sys.exit("no FeliCa card in the field")
    return nfc.tag.activate(frontend, target)


def uris(tag):
    return [record.uri for record in tag.ndef.records] if tag.ndef else None


def refusal(action):
    try:
        action()
    except nfc.tag.TagCommandError as error:
        return "%04X" % error.errno
    return None


def main():
    found = {}
    with open_frontend(*sys.argv[1:]) as frontend:
        tag = activate(frontend)
        is_lite_s = isinstance(tag, nfc.tag.tt3_sony.FelicaLiteS)
        # nfcpy expects the password of a Lite as bytes and that of a Lite-S as text.
        password, wrong = (PASSWORD, WRONG) if is_lite_s else (PASSWORD.encode(), WRONG.encode())
        found["class"] = type(tag).__name__
        found["product"] = tag.product
        found["factory key"] = tag.authenticate(b"")
        found["formatted"] = tag.format(wipe=0)

        tag = activate(frontend)
        tag.ndef.records = [ndef.UriRecord("https://example.com/first")]
        found["plain"] = uris(tag)
        found["protected"] = tag.protect(password, read_protect=is_lite_s)

        tag = activate(frontend)
        found["without password"] = uris(tag)
        found["plain read"] = refusal(lambda: tag.read_without_mac(1))
        found["plain write"] = refusal(lambda: tag.write_without_mac(bytes(16), 1))
        found["key write"] = refusal(lambda: tag.write_without_mac(bytes(16), 0x87))
        found["wrong password"] = tag.authenticate(wrong.encode() if is_lite_s else wrong)
        found["right password"] = tag.authenticate(PASSWORD.encode())
        found["with password"] = uris(tag)
        found["attributes"] = tag.read_with_mac(0).hex().upper()
        if is_lite_s:
            tag.ndef.records = [ndef.UriRecord("https://example.com/second")]
            counter = tag.read_without_mac(0x90)[0]
            tag.write_with_mac(b"\x01" + bytes(15), 1)
            found["counted"] = tag.read_without_mac(0x90)[0] - counter
            tag.ndef.records = [ndef.UriRecord("https://example.com/second")]

            tag = activate(frontend)
            found["after power-off"] = uris(tag)
            found["again"] = tag.authenticate(PASSWORD.encode())
            found["written with MAC"] = uris(tag)
        found["dump"] = tag.dump()
    json.dump(found, sys.stdout, indent=1)
    print()


main()

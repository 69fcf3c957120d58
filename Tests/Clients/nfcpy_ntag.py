"""A reader of NTAG215 tags on unmodified nfcpy: reads and writes NDEF, protects the tag and authenticates.

usage: nfcpy_ntag.py [PATH]    PATH in the format of nfc.ContactlessFrontend, or a serial port with a PN532; default:
       $TAPSIM_NFCPY, otherwise $TAPSIM_TTY
"""
import json
import sys

import ndef
import nfc
import nfc.clf

from nfcpy_frontend import open_frontend

PASSWORD = bytes.fromhex("12345678ABCD")


def activate(frontend):
    target = frontend.sense(nfc.clf.RemoteTarget("106A"))
    if target is None:
        sys.exit("no type A tag in the field")
    return nfc.tag.activate(frontend, target)


def uris(tag):
    return None if tag.ndef is None else [record.uri for record in tag.ndef.records]


def main():
    found = {}
    with open_frontend(*sys.argv[1:]) as frontend:
        tag = activate(frontend)
        found["product"] = tag.product
        found["uid"] = tag.identifier.hex().upper()
        found["before"] = uris(tag)
        tag.ndef.records = [ndef.UriRecord("https://example.com/" + "w" * 300)]
        found["written"] = uris(activate(frontend))
        found["protected"] = activate(frontend).protect(PASSWORD, read_protect=True)
        found["without password"] = uris(activate(frontend))
        locked = activate(frontend)
        found["wrong password"] = locked.authenticate(b"\0\0\0\0\0\0")
        unlocked = activate(frontend)
        found["right password"] = unlocked.authenticate(PASSWORD)
        found["with password"] = uris(unlocked)
    json.dump(found, sys.stdout, indent=1)
    print()


main()

"""Prints a block of a FeliCa Lite-S that is as delivered, read with a MAC that nfcpy checks.

usage: read_with_mac.py PATH    PATH as nfc.ContactlessFrontend takes it
"""
import sys

import nfc

BLOCK = 0


def read(tag):
    try:
        if not tag.authenticate(b""):
            sys.exit("error: the tag does not authenticate")
        data = tag.read_with_mac(BLOCK)
    except nfc.tag.TagCommandError as error:
        sys.exit(f"error: {error}")
    if data is None:
        sys.exit("error: the MAC is wrong")
    print(data.hex())
    return False


with nfc.ContactlessFrontend(sys.argv[1]) as frontend:
    frontend.connect(rdwr={"targets": ["212F"], "on-connect": read})

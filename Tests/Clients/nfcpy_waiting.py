"""Shows a tag with nfcpy and keeps the connection until the tag leaves, as nfcpy's examples do.

usage: nfcpy_waiting.py PATH [--forever]      with --forever it then waits for the next tag
"""
import sys

import nfc


def show(tag):
    print(tag, flush=True)
    return True


with nfc.ContactlessFrontend(sys.argv[1]) as frontend:
    while frontend.connect(rdwr={"on-connect": show}) and "--forever" in sys.argv:
        pass

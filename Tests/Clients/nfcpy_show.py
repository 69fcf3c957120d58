"""Shows the memory of a tag as tagtool of nfcpy does with `show -v`: what the tag is, then what nfcpy dumps of it.

usage: nfcpy_show.py PATH    PATH as nfc.ContactlessFrontend takes it
"""
import sys

import nfc
import nfc.clf

from nfcpy_frontend import open_frontend


def main():
    with open_frontend(*sys.argv[1:]) as frontend:
        for technology in ("106A", "212F"):
            target = frontend.sense(nfc.clf.RemoteTarget(technology))
            tag = target and nfc.tag.activate(frontend, target)
            if tag:
                print(tag)
                print("Memory Dump:")
                print("  " + "\n  ".join(tag.dump()))
                return
    sys.exit("no tag in the field")


main()

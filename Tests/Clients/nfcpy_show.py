"""Shows the memory of a tag like `show -v` of nfcpy's tagtool: the type of the tag, then nfcpy's dump.

usage: nfcpy_show.py PATH    PATH in the format of nfc.ContactlessFrontend
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

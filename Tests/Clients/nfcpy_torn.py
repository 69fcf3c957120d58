"""A program on unmodified nfcpy that writes a message to a Type 3 tag, loses the tag, and reads it after its return. Prints its
result as JSON.

usage: nfcpy_torn.py [PATH]    PATH in the format of nfc.ContactlessFrontend, or a serial port with a PN532; default:
       $TAPSIM_NFCPY, otherwise $TAPSIM_TTY
"""
import json
import sys

import ndef
import nfc
import nfc.clf

from nfcpy_frontend import open_frontend


def activate(frontend):
    target = None
    while target is None:
        target = frontend.sense(nfc.clf.RemoteTarget("212F"))
    return nfc.tag.activate(frontend, target)


def main():
    found = {}
    with open_frontend(*sys.argv[1:]) as frontend:
        tag = activate(frontend)
        found["before"] = [record.uri for record in tag.ndef.records]
        try:
            tag.ndef.records = [ndef.UriRecord("https://example.com/" + "w" * 60)]
        except nfc.tag.TagCommandError as error:
            found["error"] = str(error)
        ndef_now = activate(frontend).ndef
        found["readable"] = ndef_now is not None and ndef_now.is_readable
        found["length"] = ndef_now.length if ndef_now else 0
    json.dump(found, sys.stdout, indent=1)
    print()


main()

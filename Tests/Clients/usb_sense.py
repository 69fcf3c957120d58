"""Prints the IDm of the card on the reader that nfcpy finds at a path."""
import sys

import nfc
import nfc.clf

with nfc.ContactlessFrontend(sys.argv[1]) as frontend:
    target = frontend.sense(nfc.clf.RemoteTarget("212F"))
    print(target.sensf_res[1:9].hex().upper() if target else "no card")

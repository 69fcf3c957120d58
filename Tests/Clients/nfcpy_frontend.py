"""Opens nfcpy where TapSim says: by a path of nfcpy's own, or a PN532 on any serial port."""
import os

import nfc
import nfc.clf
import nfc.clf.pn532
import nfc.clf.transport


def open_frontend(path=None):
    """A contactless frontend; without a path, at what TAPSIM_NFCPY or TAPSIM_TTY names."""
    path = path or os.environ.get("TAPSIM_NFCPY") or os.environ["TAPSIM_TTY"]
    if not path.startswith("/dev/"):
        return nfc.ContactlessFrontend(path)
    # As a path, nfcpy takes files directly in /dev only.
    frontend = nfc.ContactlessFrontend()
    frontend.device = nfc.clf.pn532.init(nfc.clf.transport.TTY(path))
    return frontend

"""Waits for a card with unmodified nfcpy's own loop and prints the datagrams of its senses as JSON.

usage: nfcpy_senses.py [PATH]    PATH in the format of nfc.ContactlessFrontend; default: $TAPSIM_NFCPY
"""
import json
import logging
import os
import sys

import nfc


class Datagrams(logging.Handler):
    """Collects the UDP driver's log lines of each datagram, without addresses."""

    def __init__(self):
        super().__init__(logging.DEBUG - 1)
        self.seen = []

    def emit(self, record):
        text = record.getMessage()
        if text[:3] in (">>>", "<<<"):
            text = text.replace("b'", "").replace("'", "")
            self.seen.append(text.split(" to ")[0].split(" from ")[0])


def main():
    datagrams = Datagrams()
    logger = logging.getLogger("nfc.clf.udp")
    logger.setLevel(logging.DEBUG - 1)
    logger.addHandler(datagrams)
    found = []

    def on_discover(target):
        found.append(str(target).split()[0])
        return False

    with nfc.ContactlessFrontend(sys.argv[1] if len(sys.argv) > 1 else os.environ["TAPSIM_NFCPY"]) as frontend:
        frontend.connect(rdwr={"on-discover": on_discover, "interval": 0.05}, terminate=lambda: bool(found))
    json.dump({"found": found, "senses": datagrams.seen}, sys.stdout, indent=1)
    print()


main()

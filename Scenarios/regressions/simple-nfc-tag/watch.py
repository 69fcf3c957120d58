"""Prints the first tag that comes, with simple-nfc-tag's Monitor."""
import sys
import threading

import simple_nfc_tag

found = threading.Event()


def on_tag(tag):
    print(tag.uid.hex())
    found.set()


with simple_nfc_tag.Monitor(simple_nfc_tag.open_reader(), on_tag=on_tag, on_error=print) as monitor:
    if not found.wait(4):
        sys.exit("no tag" if monitor.is_running else "the monitor has ended")

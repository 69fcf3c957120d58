"""Requests the UID of the card twenty times a second and shows changes, as small scripts do; never ends."""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "zoo"))
import pcsc_light as pcsc

PERIOD = 0.05


def uid(context):
    try:
        card = pcsc.Card(context, context.reader())
    except pcsc.PCSCError:
        return None
    try:
        return card.transmit(bytes.fromhex("FFCA000000"))[0].hex().upper()
    except pcsc.PCSCError:
        return None
    finally:
        card.close()


context, shown = pcsc.Context(), None
while True:
    seen = uid(context)
    if seen != shown:
        print("UID", seen, flush=True)
        shown = seen
    time.sleep(PERIOD)

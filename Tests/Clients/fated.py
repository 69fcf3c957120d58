"""Reads twelve pages of a tag over PC/SC. The first argument, its fate, selects its reaction to a failed read."""
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "zoo"))
from pcsc_light import Card, Context, PCSCError

FATE = sys.argv[1]
PAGES_AT_ONCE = 4


def meet_fate(card, pages):
    if FATE == "crash":
        os.abort()
    if FATE == "panic":
        raise IndexError("no page")
    if FATE == "hang":
        time.sleep(60)
    if FATE == "leak":
        print("the tag does not answer", file=sys.stderr, flush=True)
        os._exit(1)
    if FATE == "lock":
        card.transmit(bytes.fromhex("FFD60002040000FFFF"))
    if FATE == "part":
        return
    if FATE == "flaky" and not os.path.exists(sys.argv[2]):
        open(sys.argv[2], "w").close()
        os.abort()
    sys.exit("the tag does not answer after %d pages" % len(pages))


def read(card):
    pages = []
    while len(pages) < 12:
        try:
            data, status = card.transmit([0xFF, 0xB0, 0x00, 4 + len(pages), 4 * PAGES_AT_ONCE])
        except PCSCError:
            data, status = b"", 0
        if status == 0x9000:
            pages += [data[at:at + 4].hex() for at in range(0, len(data), 4)]
        elif FATE != "loop":
            meet_fate(card, pages)
            break
    return pages


context = Context()
try:
    reader = context.reader()
    context.wait_for_card(reader, 5000)
    card = Card(context, reader)
    try:
        pages = read(card)
    finally:
        card.close()
finally:
    context.release()
result = {"pages": pages}
if FATE == "varies":
    result["time"] = time.time_ns()
print(json.dumps(result))

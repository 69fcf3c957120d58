"""Runs until it is ended: prints `ready`, then for every card on any reader its UID or IDm, and `done`.

It echoes its standard input, and prints the number of readers whenever it changes.

usage: resident.py [SECONDS]      the time until it is ready
"""
import os
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "zoo"))
import pcsc_light as pcsc

NO_READERS = 0x8010002E
PERIOD = 50
# Two threads print, and `print` writes a line and its newline separately.
SPEAKING = threading.Lock()


def say(text):
    with SPEAKING:
        print(text, flush=True)


def listen():
    for line in sys.stdin:
        say("told %s" % line.strip())


def names(context):
    found = pcsc.ctypes.create_string_buffer(4096)
    length = pcsc.Word(len(found))
    try:
        pcsc.call("SCardListReaders", context.handle, None, found, pcsc.ctypes.byref(length))
    except pcsc.PCSCError as error:
        if error.code != NO_READERS:
            raise
        return []
    return [name for name in found.raw[:length.value].split(b"\0") if name]


def read(context, reader):
    try:
        card = pcsc.Card(context, reader)
    except pcsc.PCSCError:
        return
    try:
        identifier, word = card.transmit(bytes.fromhex("FFCA000000"))
        say("%s at %s" % (identifier.hex().upper() if word == 0x9000 else "%04X" % word, reader.decode()))
    except pcsc.PCSCError as error:
        say("lost: %s" % error)
    finally:
        card.close()
    say("done")


def main():
    time.sleep(float(sys.argv[1]) if len(sys.argv) > 1 else 0)
    context = pcsc.Context()
    threading.Thread(target=listen, daemon=True).start()
    readers, seen = [], {}
    isReady = False
    while True:
        if names(context) != readers:
            readers = names(context)
            seen = {name: seen.get(name, 0) for name in readers}
            say("readers %d" % len(readers))
        if not isReady:
            say("ready")
            isReady = True
        if not readers:
            time.sleep(PERIOD / 1000)
            continue
        states = (pcsc.ReaderState * len(readers))()
        for state, name in zip(states, readers):
            state.name, state.current = name, seen[name]
        try:
            pcsc.call("SCardGetStatusChange", context.handle, pcsc.Word(PERIOD), states, pcsc.Word(len(states)))
        except pcsc.PCSCError:
            continue
        for state, name in zip(states, readers):
            before, seen[name] = seen[name], state.event & ~pcsc.CHANGED
            came = state.event >> 16 != before >> 16 or not before & pcsc.PRESENT
            if state.event & pcsc.PRESENT and not state.event & pcsc.MUTE and came:
                read(context, name)


main()

#!/usr/bin/env python3
"""Plays the reader of a recorded run to a client: no card, no reader and no TapSim are needed.

usage: python3 replay.py -- CLIENT ARG...

The recording is trace.jsonl in the folder of this file. The client finds the reader as it did then: by
PCSCLITE_CSOCK_NAME, LIBNFC_DEVICE or TAPSIM_TTY, or by {nfcpy} or {pn532-tcp} among its arguments. Whatever it sends is
answered as it was then, byte for byte, the second time as the second time.

Exit code: that of the client, 128 and the signal that ended it, 124 if it does not end within a minute, 125 if it sends
what is not in the recording, if it asks no reader for anything, or if the recording cannot be played, 2 if there is no
such client. Python 3.8 or newer on Linux, nothing else.
"""
import collections
import json
import os
import selectors
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import tty

FOLDER = os.path.dirname(os.path.abspath(__file__))
TIME_LIMIT, OUT_OF_TIME, NOT_PLAYED = 60, 124, 125
LONGEST_PAUSE, REFUSAL_PAUSE, MOST_ROWS, MOST_BYTES = 1, 0.1, 40, 24
LONGEST_REQUEST = 1 << 17
LONGEST_PARENT = 72  # The path of a socket has at most 107 bytes.
EXCLUSIVE, DIRECT = 1, 3
ACK, NACK = b"\0\xff", b"\xff\0"
# Functions that threads call beside those that use a card, or of which only failures are recorded.
BESIDE = {"SCardEstablishContext", "SCardReleaseContext", "SCardGetStatusChange", "SCardStatus", "SCardGetAttrib",
          "SCardSetAttrib"}
# Answers of a reader that has found nothing: asked more often than in the recording, it says so again.
FRUITLESS = {None, "D54B00", "D56100"}
OUTCOMES = {"answer": "SCARD_S_SUCCESS", "no card": "SCARD_E_NO_SMARTCARD", "failed": "SCARD_E_NOT_TRANSACTED",
            "unsupported": "SCARD_E_UNSUPPORTED_FEATURE"}
CODES = {"SCARD_S_SUCCESS": 0, "SCARD_E_UNSUPPORTED_FEATURE": 0x8010001F}
for first, names in {
    0x80100001: "F_INTERNAL_ERROR E_CANCELLED E_INVALID_HANDLE E_INVALID_PARAMETER E_INVALID_TARGET E_NO_MEMORY"
    " F_WAITED_TOO_LONG E_INSUFFICIENT_BUFFER E_UNKNOWN_READER E_TIMEOUT E_SHARING_VIOLATION E_NO_SMARTCARD"
    " E_UNKNOWN_CARD E_CANT_DISPOSE E_PROTO_MISMATCH E_NOT_READY E_INVALID_VALUE E_SYSTEM_CANCELLED F_COMM_ERROR"
    " F_UNKNOWN_ERROR E_INVALID_ATR E_NOT_TRANSACTED E_READER_UNAVAILABLE P_SHUTDOWN E_PCI_TOO_SMALL"
    " E_READER_UNSUPPORTED E_DUPLICATE_READER E_CARD_UNSUPPORTED E_NO_SERVICE E_SERVICE_STOPPED",
    0x80100027: "E_NO_ACCESS",
    0x8010002E: "E_NO_READERS_AVAILABLE E_COMM_DATA_LOST",
    0x80100031: "E_SERVER_TOO_BUSY",
    0x80100065: "W_UNSUPPORTED_CARD W_UNRESPONSIVE_CARD W_UNPOWERED_CARD W_RESET_CARD W_REMOVED_CARD"
    " W_SECURITY_VIOLATION",
}.items():
    CODES.update(("SCARD_" + name, first + place) for place, name in enumerate(names.split()))


class Departure(Exception):
    """The client asks for something that the recording does not hold."""


class Recording:
    """The events of trace.jsonl, and how far the client has come in them."""

    def __init__(self, events, happen):
        self.events, self.place, self.since = events, -1, time.monotonic()
        self.queues = collections.defaultdict(collections.deque)
        self.last = {}
        self.happen = happen
        for index, event in enumerate(events):
            self.queues[key_of(event)].append(index)

    def take(self, key, moves=True):
        """The next recorded event of what is asked now; None if there is none."""
        if not self.queues[key]:
            return None
        index = self.queues[key].popleft()
        event = self.last[key] = self.events[index]
        if moves and index > self.place:
            for earlier in self.events[self.place + 1:index]:
                self.happen(earlier)
            self.place, self.since = index, time.monotonic()
        return event

    def take_upcoming(self, key):
        """The same, but only if nothing else is to be asked before it; of a function, if a fault was injected in it."""
        if not self.queues[key]:
            return None
        between = self.events[self.place + 1:self.queues[key][0]]
        is_disturbed = key[0] == "fault" or any(event["kind"] == "fault" for event in between)
        return self.take(key) if is_disturbed and not any(map(moves_on, between)) else None

    def take_or_depart(self, key, what, asked):
        """The same; asked more often than in the recording, a reader that has found nothing says so again."""
        event = self.take(key)
        if event is None and key in self.last and self.last[key].get("answer") in FRUITLESS:
            return self.last[key]
        if event is None:
            self.depart(key, what, asked)
        return event

    def depart(self, key, what, asked):
        """Ends the replay, with what was expected and what came."""
        rest = (event for event in self.events[self.place + 1:] if moves_on(event) and "hex" in event)
        expected = next((spaced(event["hex"]) for event in rest), "nothing more")
        gap = " (the recording leaves out its middle)" if any(e["kind"] == "omission" for e in self.events) else ""
        often = ", more often than in the recording" if key in self.last else ""
        raise Departure("%s is not in the recording:\n  expected  %s%s\n  got       %s%s"
                        % (what, expected, gap, spaced(asked), often))

    def is_over(self):
        """Whether nothing is to come, and nothing has been asked for a while."""
        is_quiet = time.monotonic() - self.since > 2 * LONGEST_PAUSE
        return is_quiet and not any(map(changes_readers, self.events[self.place + 1:]))

    def due(self, is_awaited):
        """Seconds until a card comes or goes by itself, and the place of that event."""
        is_behind = False
        for index in range(self.place + 1, len(self.events)):
            event = self.events[index]
            if changes_readers(event):
                gap = event["t"] - (self.events[self.place]["t"] if self.place >= 0 else 0)
                pause = LONGEST_PAUSE if is_behind else min(gap / 1e9, LONGEST_PAUSE)
                return self.since + pause - time.monotonic(), index
            is_behind = is_behind or moves_on(event)
            if is_behind and not is_awaited:
                break
        return None, None

    def advance(self, is_awaited):
        """Lets cards come and go whose time it is."""
        seconds, index = self.due(is_awaited)
        while index is not None and seconds <= 0:
            for event in self.events[self.place + 1:index + 1]:
                self.happen(event)
            self.place, self.since = index, time.monotonic()
            seconds, index = self.due(is_awaited)


def key_of(event):
    """Under what an event is found again; None for what nobody asks for."""
    if event["kind"] == "frame":
        return ("rf", event["tech"], event["hex"])
    if event["kind"] == "fault":
        return ("fault", fault_of(event)[0])
    if event["kind"] != "call":
        return None
    layer = {"SCardTransmit": "apdu", "SCardControl": "control"}.get(event.get("function"), event["layer"])
    if "hex" not in event:
        return (layer, event.get("function"))
    return (layer, event.get("reader") if layer in ("apdu", "control") else None, event["hex"])


def moves_on(event):
    """Returns whether the program has reached an event; other threads open contexts and wait for cards, which does not count."""
    return event["kind"] in ("call", "frame") and event.get("function") not in BESIDE


def changes_readers(event):
    """Whether a card comes or goes, or a reader does."""
    return event["kind"] == "slot" or event["kind"] == "note" and event["text"].endswith(" is unplugged")


def fault_of(event):
    """The name and the parameters of a fault; an empty name for another event."""
    name, *words = event.get("fault", "").split() or [""]
    return name, dict(zip(words[::2], words[1::2]))


def load():
    """The events in order, and what the other files of the folder say of the run."""
    events = []
    with open(os.path.join(FOLDER, "trace.jsonl"), encoding="utf-8") as lines:
        for line in lines:
            add(json.loads(line), events)
    about = []
    for name in ("meta.json", "resolved.json"):
        try:
            with open(os.path.join(FOLDER, name), encoding="utf-8") as text:
                about.append(json.load(text))
        except FileNotFoundError:
            about.append({})
    if any(event["kind"] == "call" for event in events):  # The frames are those of the reader, not of the client.
        events = [event for event in events if event["kind"] != "frame"]
    return events, about[0], about[1]


def add(event, events):
    """Adds an event; the answer to a frame, and what PC/SC made of that to a command, go to what they belong to."""
    if event.get("v", 1) > 1:
        sys.exit("trace.jsonl has a newer version than this replay.py; use the replay.py next to it")
    if event["kind"] in ("answer", "silence"):
        frame = next((e for e in reversed(events) if e["kind"] == "frame"), {})
        if event["kind"] == "answer" and not event.get("damaged"):
            frame.setdefault("answer", event["hex"])
        return
    if event.get("layer") == "pcsc" and "hex" in event:
        last = next((e for e in reversed(events) if e["kind"] in ("call", "fault")), event)
        if last is not event and key_of(last) == key_of(event):
            last["result"] = event["result"]
            return
    events.append(event)


# What is printed.


def say(text=""):
    print(text, file=sys.stderr, flush=True)


def spaced(text):
    """Bytes in hexadecimal, cut where they are long."""
    pairs = [text[at:at + 2] for at in range(0, len(text), 2)]
    return " ".join(pairs[:MOST_BYTES]) + (" ... (%d bytes)" % len(pairs) if len(pairs) > MOST_BYTES else "")


def rows(events):
    """What the client will ask and what the reader will say to it, a row each, with the faults in it."""
    faults, number = [], 0
    for event in events:
        if event["kind"] == "fault":
            faults.append("  !  fault %s: %s" % (event["fault"], event.get("is", "")))
        elif event["kind"] == "slot":
            yield ["     *  " + event.get("is", event["name"])]
        elif event.get("function") in BESIDE and event["result"] == "SCARD_S_SUCCESS":
            continue
        elif event["kind"] in ("call", "frame"):
            number += 1
            asks = "%s %s   %s" % (event.get("function", ""), spaced(event.get("hex", "")), event.get("is", ""))
            answer = spaced(event.get("answer", "")) or event.get("outcome", "silence")
            yield faults + ["%3d  >  %s" % (number, asks.strip()), "     <  " + event.get("result", answer)]
            faults = []
    if faults:
        yield faults


def print_table(events):
    table = list(rows(events))
    marked = next((at for at, row in enumerate(table) if row[0].startswith("  !")), len(table))
    start = max(0, min(marked - MOST_ROWS // 2, len(table) - MOST_ROWS))
    say("  #     what is asked, and what the reader says to it")
    if start:
        say("     ... %d before these" % start)
    for row in table[start:start + MOST_ROWS]:
        say("\n".join(row))
    if len(table) > start + MOST_ROWS:
        say("     ... %d after these" % (len(table) - start - MOST_ROWS))
    say()


def recorded_client(meta, resolved):
    """The command line of the client in the recording; empty for one inside TapSim."""
    _, separator, rest = meta.get("reproduce", "").partition(" -- ")
    words = shlex.split(rest) if separator else resolved.get("client", {}).get("run", [])
    return [words] if isinstance(words, str) else words


def send(stream, data):
    try:
        stream.sendall(data)
    except OSError:
        pass  # The client has closed it, which is seen when it is read from.


# PC/SC.


class Slot:
    """A reader as the PC/SC service shows it."""

    def __init__(self, event, number):
        self.key, self.name = event.get("reader"), "%s %02X 00" % (event["name"], number)
        self.atr, self.changes, self.users, self.is_exclusive = b"", 0, 0, False

    def take(self, event):
        """Takes a card in or lets it go; returns whether one has gone."""
        had, self.atr = self.atr, bytes.fromhex(event.get("atr", ""))
        self.changes += bool(had) + bool(self.atr)
        return bool(had)

    def state(self):
        flags, protocol = (0x34, 2 if self.users else 0) if self.atr else (0x02, 0)
        users = -1 if self.is_exclusive else self.users
        atr = (self.atr, len(self.atr), protocol)
        return struct.pack("<128sIIi36sII", self.name.encode(), self.changes, flags, users, *atr)


class Context:
    """A connection of the library, which has one context."""

    def __init__(self, stream):
        self.stream, self.bytes, self.minor, self.number, self.cards = stream, b"", 4, 0, []
        self.is_waiting, self.refusal, self.since = False, None, 0
        self.held = None  # From 4.6 on, what comes between the request to wait and that for the states.


class PCSC:
    """The service's side of the protocol of pcsc-lite 4.4 to 4.6: numbers of four bytes, the low one first.

    A request is the length of its structure, its command, the structure and data; the answer is the structure with the
    results in it, and data.
    """

    # Who answers a command, and the length of its structure; where in it the length of the data is.
    COMMANDS = {1: ("establish", 12), 2: ("release", 8), 4: ("connect", 152), 5: ("reconnect", 24),
                6: ("disconnect", 12), 7: ("begin", 8), 8: ("end", 12), 9: ("transmit", 32), 10: ("control", 24),
                11: ("status", 8), 13: ("cancel", 8), 15: ("attribute", 280), 16: ("attribute", 280),
                17: ("version", 12), 18: ("states", 0), 19: ("wait", 0), 20: ("stop_waiting", 0),
                21: ("reader_events", 0), 22: ("reader_count", 0), 23: ("reader_array", 0)}
    DATA = {9: 12, 10: 8}

    def __init__(self, loop, folder):
        self.loop, self.recording, self.handles = loop, None, 0x10000
        self.slots, self.contexts, self.cards = [], [], {}  # Of a card its slot and what has happened to it.
        self.is_stopped = self.loses_event = False
        self.listener, self.path = socket.socket(socket.AF_UNIX), os.path.join(folder, "pcscd.comm")
        self.listener.bind(self.path)
        self.listener.listen(64)
        loop.register(self.listener, selectors.EVENT_READ, self.accept)

    def accept(self):
        context = Context(self.listener.accept()[0])
        self.contexts.append(context)
        self.loop.register(context.stream, selectors.EVENT_READ, lambda: self.receive(context))

    def receive(self, context):
        try:
            more = context.stream.recv(65536)
        except OSError:
            more = b""
        context.bytes += more
        if not more or not self.serve(context):
            self.loop.unregister(context.stream)
            context.stream.close()
            self.contexts.remove(context)
            for card in list(context.cards):
                self.forget(context, card)

    def serve(self, context):
        """Answers the whole requests that have come; returns false where the connection is to be closed."""
        while len(context.bytes) >= 8:
            size, command = struct.unpack_from("<II", context.bytes)
            name, expected = self.COMMANDS.get(command, (None, None))
            if size != expected or self.is_stopped:
                return False
            end = 8 + size
            if command in self.DATA and len(context.bytes) >= end:
                end += struct.unpack_from("<I", context.bytes, 8 + self.DATA[command])[0]
            if len(context.bytes) < end:
                return end <= LONGEST_REQUEST
            body, data, context.bytes = context.bytes[8:8 + size], context.bytes[8 + size:end], context.bytes[end:]
            self.stop_if_last(name)
            result = getattr(self, name)(context, body, data)
            if result is None or self.is_stopped:
                return False
            send(context.stream, result)
        return True

    def stop_if_last(self, name):
        """Stops where the service was stopped in a call that is not recorded, as one that waits."""
        recording = self.recording
        if name in ("wait", "status", "attribute") and not any(map(moves_on, recording.events[recording.place + 1:])):
            self.is_stopped = recording.take(("fault", "pcsc.service_stopped")) is not None

    # What happens by itself.

    def happen(self, event):
        """A card comes or goes, a reader does, or a fault is injected in the service."""
        name, parameters = fault_of(event)
        if event["kind"] == "slot":
            self.show(event)
        elif changes_readers(event) or name == "pcsc.reader_unplugged":
            self.unplug(event.get("reader"))
        elif name == "pcsc.service_stopped":
            self.is_stopped = True
        elif name == "pcsc.reset_by_another":
            self.mark(self.slots, "SCARD_W_RESET_CARD")
        elif name == "pcsc.slow":
            time.sleep(seconds(parameters.get("by", "50ms")))

    def show(self, event):
        slot = next((slot for slot in self.slots if slot.key == event.get("reader")), None)
        if slot is None:
            slot = Slot(event, len(self.slots))
            self.slots.append(slot)
        if slot.take(event):
            self.mark([slot], "SCARD_W_REMOVED_CARD")
        self.tell()

    def unplug(self, reader):
        gone = [slot for slot in self.slots if reader in (None, slot.key)][:1]
        self.slots = [slot for slot in self.slots if slot not in gone]
        self.mark(gone, "SCARD_E_INVALID_VALUE")
        self.tell()

    def mark(self, slots, code):
        """Lets every use of the cards in these readers fail."""
        for card in self.cards.values():
            card[1] = code if card[0] in slots else card[1]

    def tell(self):
        """Tells those that wait of a change."""
        if self.loses_event:
            self.loses_event = False
            return
        for context in self.contexts:
            self.end_waiting(context)

    def end_waiting(self, context, code=0):
        if not context.is_waiting:
            return False
        context.is_waiting, notice = False, struct.pack("<II", 0, context.refusal or code)
        if context.held is None:
            send(context.stream, notice)
        else:
            context.held = notice
        return True

    def is_awaited(self):
        return any(context.is_waiting for context in self.contexts)

    # Functions of a context.

    def result(self, function, otherwise=0):
        """The return code of a function in its turn."""
        is_first = self.recording.place < 0
        event = self.recording.take(("pcsc", function), moves=is_first or function not in BESIDE)
        return CODES.get(event["result"], CODES["SCARD_F_INTERNAL_ERROR"]) if event else otherwise

    def failure(self, function):
        """The return code of a function in which a fault is injected now; None for another one."""
        event = self.recording.take_upcoming(("pcsc", function))
        return CODES.get(event["result"], CODES["SCARD_F_INTERNAL_ERROR"]) if event else None

    def handle(self):
        self.handles += 1
        return self.handles

    def establish(self, context, body, _):
        code = self.result("SCardEstablishContext")
        context.number = 0 if code else self.handle()
        return body[:4] + struct.pack("<II", context.number, code)

    def release(self, context, body, _):
        code = self.result("SCardReleaseContext")
        for card in list(context.cards) if code == 0 else []:
            self.forget(context, card)
        return body[:4] + struct.pack("<I", code)

    def cancel(self, context, body, _):
        number = struct.unpack_from("<I", body)[0]
        ended = [self.end_waiting(c, CODES["SCARD_E_CANCELLED"]) for c in self.contexts if c.number == number]
        return body[:4] + struct.pack("<I", 0 if any(ended) else CODES["SCARD_E_INVALID_HANDLE"])

    def version(self, context, body, _):
        major, minor, _ = struct.unpack("<iii", body)
        context.minor = min(max(minor, 4), 6)
        is_known = (major, minor) == (4, context.minor)
        return struct.pack("<iiI", 4, context.minor, 0 if is_known else CODES["SCARD_E_SERVICE_STOPPED"])

    def reader_events(self, *_):
        return struct.pack("<II", 1, 0)

    def reader_count(self, *_):
        return struct.pack("<I", 16)

    def states(self, *_):
        return b"".join(slot.state() for slot in self.slots).ljust(16 * 184, b"\0")

    def reader_array(self, context, *_):
        held, context.held = context.held, None
        return self.states() + (held or b"")

    def wait(self, context, *_):
        context.is_waiting, context.held = True, None if context.minor <= 5 else b""
        context.refusal = self.failure("SCardGetStatusChange")
        if context.minor <= 5:
            send(context.stream, self.states())
        context.since = time.monotonic()
        if self.recording.take_upcoming(("fault", "pcsc.spurious_event")):
            self.end_waiting(context)
        if self.recording.take_upcoming(("fault", "pcsc.lost_event")):
            self.loses_event = True
        return b""

    def refuse_waiting(self):
        """Ends waits that a fault refuses; a client for which something has changed already does not wait."""
        for context in self.contexts:
            if context.is_waiting and context.refusal and time.monotonic() - context.since > REFUSAL_PAUSE:
                self.end_waiting(context)

    def stop_waiting(self, context, *_):
        held, context.held = context.held or b"", None
        send(context.stream, held)
        if not self.end_waiting(context) and context.refusal:
            send(context.stream, struct.pack("<II", 0, context.refusal))
        return b""

    # Functions of a card; a handle that its context does not have ends the connection, as pcscd does.

    def connect(self, context, body, _):
        name = body[4:132].split(b"\0")[0].decode(errors="replace")
        mode, protocols = struct.unpack_from("<II", body, 132)
        code = self.result("SCardConnect", otherwise=None)
        slot = next((slot for slot in self.slots if slot.name == name), None)
        if slot is None:
            code = code or CODES["SCARD_E_UNKNOWN_READER"]
        elif code is None:
            code = 0 if slot.atr or mode == DIRECT else CODES["SCARD_E_NO_SMARTCARD"]
        if code:
            return body[:140] + struct.pack("<III", 0, 0, code)
        handle = self.handle()
        self.cards[handle] = [slot, None]
        context.cards.append(handle)
        slot.users, slot.is_exclusive = slot.users + 1, mode == EXCLUSIVE
        self.tell()
        return body[:140] + struct.pack("<III", handle, self.protocol(mode, protocols), 0)

    @staticmethod
    def protocol(mode, protocols):
        """Raw, or T=1 before T=0: the ATRs of contactless readers offer both."""
        return 4 if protocols & 4 else 0 if mode == DIRECT else 2 if protocols & 0x1002 else protocols & 1

    def reconnect(self, context, body, _):
        handle, mode, protocols = struct.unpack_from("<III", body)
        if handle not in context.cards:
            return None
        code = self.result("SCardReconnect")
        if code == 0:
            self.cards[handle][1] = None
            self.tell()
        return body[:16] + struct.pack("<II", 0 if code else self.protocol(mode, protocols), code)

    def disconnect(self, context, body, _):
        handle, disposition = struct.unpack_from("<II", body)
        if handle not in context.cards:
            return None
        code = self.result("SCardDisconnect")
        if code == 0:
            self.forget(context, handle, is_reset=disposition in (1, 2))
        return body[:8] + struct.pack("<I", code)

    def forget(self, context, handle, is_reset=False):
        slot, _ = self.cards.pop(handle)
        context.cards.remove(handle)
        slot.users, slot.is_exclusive = slot.users - 1, False
        self.mark([slot] if is_reset else [], "SCARD_W_RESET_CARD")
        self.tell()

    def begin(self, context, body, _):
        return self.on_card(context, body, lambda event: self.result("SCardBeginTransaction", event))

    def end(self, context, body, _):
        return self.on_card(context, body, lambda event: self.result("SCardEndTransaction", event))

    def status(self, context, body, _):
        return self.on_card(context, body, lambda code: self.failure("SCardStatus") or code)

    def on_card(self, context, body, result):
        handle = struct.unpack_from("<I", body)[0]
        if handle not in context.cards:
            return None
        return body[:-4] + struct.pack("<I", result(CODES[self.cards[handle][1] or "SCARD_S_SUCCESS"]))

    def attribute(self, context, body, _):
        handle, name = struct.unpack_from("<II", body)
        if handle not in context.cards:
            return None
        slot, happened = self.cards[handle]
        text, has_card = slot.name.encode() + b"\0", bool(slot.atr)
        value = {0x90300: bytes([2 * has_card]), 0x90301: bytes([has_card]), 0x90303: slot.atr,
                 0x20110: b"\1\1\x20\0", 0x7FFF0003: text, 0x7FFF0004: text}.get(name)
        code = self.failure("SCardGetAttrib") or CODES[happened or "SCARD_S_SUCCESS"]
        code = code or (CODES["SCARD_E_UNSUPPORTED_FEATURE"] if value is None else 0)
        return struct.pack("<II264sII", handle, name, value or b"", len(value or b""), code)

    def transmit(self, context, body, data):
        handle, sends, _, _, takes, _, room, _ = struct.unpack("<8I", body)
        code, answer = self.ask(context, handle, "apdu", data, room)
        head = struct.pack("<8I", handle, sends, 16, len(data), takes, 16, len(answer), code or 0)
        return None if code is None else head + answer

    def control(self, context, body, data):
        handle, number, _, room, _, _ = struct.unpack("<6I", body)
        code, answer = self.ask(context, handle, "control", data, room)
        return None if code is None else struct.pack("<6I", handle, number, len(data), room, len(answer), code) + answer

    def ask(self, context, handle, layer, data, room):
        """The return code and the answer that the same bytes had in their turn."""
        if handle not in context.cards:
            return None, b""
        slot, happened = self.cards[handle]
        key = (layer, slot.key, data.hex().upper())
        before = self.recording.place
        event = self.recording.take(key)
        if event is None and happened:
            return CODES[happened], b""
        if event is None:
            self.recording.depart(key, "this APDU" if layer == "apdu" else "this command", data.hex().upper())
        answer = bytes.fromhex(event.get("answer", ""))
        for name, parameters in map(fault_of, self.recording.events[before + 1:self.recording.place]):
            if name == "pcsc.short_answer":
                answer = answer[:-int(parameters.get("count", 2))]
        code = CODES.get(event.get("result", OUTCOMES.get(event.get("outcome"))), CODES["SCARD_F_INTERNAL_ERROR"])
        if code == 0 and len(answer) > room:
            code = CODES["SCARD_E_INSUFFICIENT_BUFFER"]
        return code, b"" if code else answer


# A PN532 on a line, and nfcpy's UDP driver.


class PN532:
    """The chip's side of a line: frames 00 00 FF LEN LCS packet DCS 00 in, an ACK and the recorded answer out."""

    def __init__(self, recording, send):
        self.recording, self.send, self.bytes, self.last, self.pending = recording, send, b"", b"", None

    def receive(self, data):
        self.bytes += data
        while True:
            start = self.bytes.find(b"\0\xff")
            self.bytes = self.bytes[start if start >= 0 else -1:]
            found = self.frame(2) if start >= 0 else None
            if found is None:
                return
            packet, end = found
            self.bytes = self.bytes[end:]
            self.take(packet)

    def frame(self, at):
        """Returns what follows a start code, and where it ends; None while bytes are missing."""
        head = self.bytes[at:at + 5]
        if head[:2] in (ACK, NACK):
            return head[:2], at + 2
        is_long = head[:2] == b"\xff\xff"
        if len(head) < (5 if is_long else 2):
            return None
        length, begin = (head[2] << 8 | head[3], at + 5) if is_long else (head[0], at + 2)
        if sum(head[2:] if is_long else head[:2]) % 256:
            return b"", at
        packet = self.bytes[begin:begin + length + 1]
        if len(packet) < length + 1:
            return None
        return (packet[:-1], begin + length + 1) if sum(packet) % 256 == 0 else (b"", at)

    def take(self, packet):
        if packet == NACK:
            self.send(self.last)
        elif packet == ACK:
            self.pending = None
        elif packet[:1] == b"\xd4":
            self.send(b"\0\0\xff" + ACK + b"\0")
            self.answer(packet.hex().upper())

    def answer(self, asked):
        self.pending = None
        event = self.recording.take_or_depart(("pn532", None, asked), "this command of the PN532", asked)
        if event.get("outcome") == "waiting":
            self.pending = asked
        if event.get("outcome") != "answer":
            return
        packet = bytes.fromhex(event["answer"])
        size = len(packet)
        length = bytes([size, -size % 256]) if size < 255 else b"\xff\xff" + bytes(
            [size >> 8, size % 256, -(size >> 8) - size % 256 & 255])
        self.last = b"\0\0\xff" + length + packet + bytes([-sum(packet) % 256, 0])
        self.send(self.last)

    def go_on(self):
        """Answers a search that stays open, once a card has come in the recording."""
        if self.pending is None:
            return
        now, *rest = self.recording.events[self.recording.place:]
        following = next((event for event in rest if event["kind"] == "call"), {})
        pause = min((following.get("t", 0) - now["t"]) / 1e9, LONGEST_PAUSE)
        if following.get("hex") == self.pending and time.monotonic() - self.recording.since >= pause:
            self.answer(self.pending)


class NfcpyReader:
    """The far end of nfcpy's UDP driver: datagrams of a bit rate and a frame in hexadecimal, or RFOFF."""

    def __init__(self, recording):
        self.recording, self.has_target = recording, False
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))

    def receive(self):
        datagram, peer = self.socket.recvfrom(4096)
        rate, _, frame = datagram.decode("ascii", "replace").partition(" ")
        if rate == "RFOFF":
            self.has_target = False
            return
        is_polling = rate.endswith("F") and not self.has_target and frame[2:4] == "00"
        is_sense = is_polling or rate.endswith("A") and frame in ("26", "52") or rate.endswith("B")
        answer = None
        if rate in ("106A", "212F", "424F"):
            key = ("rf", rate, frame.upper())
            answer = self.recording.take_or_depart(key, "this frame at " + rate, frame.upper()).get("answer")
        self.has_target = self.has_target or bool(answer) and rate.endswith("F")
        if answer:
            self.socket.sendto(("%s %s" % (rate, answer.lower())).encode(), peer)
        elif is_sense:
            self.socket.sendto(b"RFOFF", peer)


# The run of the client.


class Stage:
    """The transports by which a client reaches the reader, and the client."""

    def __init__(self, events, folder):
        self.folder, self.loop, self.was_asked = folder, selectors.DefaultSelector(), False
        self.pcsc = PCSC(self.loop, folder)
        self.recording = self.pcsc.recording = Recording(events, self.pcsc.happen)
        ours, self.client_end = os.openpty()
        tty.setraw(self.client_end)
        self.chip = PN532(self.recording, lambda data: os.write(ours, data))
        self.loop.register(ours, selectors.EVENT_READ, lambda: self.chip.receive(os.read(ours, 4096)))
        path = os.ttyname(self.client_end)
        self.variables = {"PCSCLITE_CSOCK_NAME": self.pcsc.path, "TAPSIM_TTY": path, "TAPSIM_RUN_DIR": folder,
                          "LIBNFC_DEVICE": "pn532_uart:%s:115200" % path}

    def open_ports(self, words):
        """Opens the transports that the arguments of the client name, and returns the arguments with their addresses."""
        places = {"{run_dir}": self.folder}
        if any("{nfcpy}" in word for word in words):
            reader = NfcpyReader(self.recording)
            self.loop.register(reader.socket, selectors.EVENT_READ, reader.receive)
            places["{nfcpy}"] = self.variables["TAPSIM_NFCPY"] = "udp:%s:%d" % reader.socket.getsockname()
        if any("{pn532-tcp}" in word for word in words):
            listener = socket.create_server(("127.0.0.1", 0))
            self.loop.register(listener, selectors.EVENT_READ, lambda: self.accept(listener))
            places["{pn532-tcp}"] = self.variables["TAPSIM_PN532_TCP"] = "%s:%d" % listener.getsockname()
        for place, address in places.items():
            words = [word.replace(place, address) for word in words]
        return words

    def accept(self, listener):
        stream = listener.accept()[0]
        self.chip = chip = PN532(self.recording, lambda data: send(stream, data))

        def receive():
            data = stream.recv(4096)
            if not data:
                self.loop.unregister(stream)
            chip.receive(data)

        self.loop.register(stream, selectors.EVENT_READ, receive)

    def play(self, words, variables, text, was_dismissed):
        """Runs the client; returns its exit code, negative for a signal, None if its time is over.

        One that TapSim has ended, since no card was to come any more, is ended here, too.
        """
        words = self.open_ports(words)
        with open(os.path.join(self.folder, "stdin"), "w+", encoding="utf-8") as stdin:
            stdin.write(text)
            stdin.seek(0)
            environment = {**os.environ, **self.variables, **variables}
            client = subprocess.Popen(words, env=environment, stdin=stdin, start_new_session=True)
        end, is_asked_to_end = time.monotonic() + TIME_LIMIT, False
        try:
            while client.poll() is None and time.monotonic() < end:
                for key, _ in self.loop.select(0.02):
                    self.was_asked = True
                    key.data()
                self.recording.advance(self.pcsc.is_awaited())
                self.pcsc.refuse_waiting()
                self.chip.go_on()
                if was_dismissed and not is_asked_to_end and self.recording.is_over():
                    say("\nThe client waits for more than the recording holds, as it did then, and is asked to end.")
                    client.terminate()
                    end, is_asked_to_end = time.monotonic() + LONGEST_PAUSE, True
            is_late = client.poll() is None and not is_asked_to_end
        finally:
            end_group(client)
        return None if is_late else client.returncode


def end_group(client):
    """Ends the client and what it has started."""
    try:
        os.killpg(client.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    client.wait()


def obstacle(meta, events, recorded):
    """Why the recording cannot be played; None if it can."""
    layers = {event.get("layer") for event in events if event["kind"] == "call"}
    if layers & {"usb", "port100"} or meta.get("transport") == "usb":
        return "The client reached its reader over the USB, for which Python has nothing in its standard library"
    if meta.get("transport") in ("felica-rs", "proxmark3"):
        return "The client reached its reader by the protocol of %s, which is not played here" % meta["transport"]
    return None if recorded else "There was no client outside of TapSim"


def seconds(text):
    """A duration such as 30ms."""
    number = text.rstrip("nsum\u00b5")
    return min(TIME_LIMIT, float(number) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}.get(text[len(number):], 1))


def end_of(code):
    if code is None:
        return "the client was still running after %d s, and was ended" % TIME_LIMIT
    if code < 0:
        return "signal %d (%s) ended the client" % (-code, signal.Signals(-code).name)
    return "the client exits %d" % code


def main(arguments):
    if not os.path.exists(os.path.join(FOLDER, "trace.jsonl")):
        say("There is no trace.jsonl next to %s, which has the recording." % __file__)
        return 2
    events, meta, resolved = load()
    recorded = recorded_client(meta, resolved)
    if arguments[:1] != ["--"] or not arguments[1:]:
        say(__doc__)
        say("client of the recording: %s" % (" ".join(map(shlex.quote, recorded)) or "none outside of TapSim"))
        return 0 if not arguments else 2
    if not shutil.which(arguments[1]):
        say("There is no program %s; check its path." % shlex.quote(arguments[1]))
        return 2
    print_table(events)
    reason = obstacle(meta, events, recorded)
    if reason:
        file = "repro.yaml" if os.path.exists(os.path.join(FOLDER, "repro.yaml")) else "resolved.json"
        say("%s. TapSim runs it again: tapsim run %s" % (reason, file))
        return NOT_PLAYED
    parent = tempfile.gettempdir()
    folder = tempfile.mkdtemp(prefix="replay-", dir=parent if len(parent) < LONGEST_PARENT else "/tmp")
    client = resolved.get("client", {})
    variables = {name: str(value) for name, value in client.get("env", {}).items()}
    variables["TAPSIM_SEED"] = str(meta.get("seed", ""))
    try:
        stage = Stage(events, folder)
        code = stage.play(
            arguments[1:], variables, str(client.get("stdin", "")), "dismissed" in meta.get("client", {}))
    except (Departure, OSError) as error:
        say("\nreplay ended: %s" % error)
        return NOT_PLAYED
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if not stage.was_asked:
        say("\nreplay ended: %s, and asked no reader for anything; is this the right command?" % end_of(code))
        return NOT_PLAYED
    say("\nreplayed: %s" % end_of(code))
    if meta.get("client"):
        say("recorded: %s" % ", ".join("%s %s" % pair for pair in meta["client"].items()))
    for failure in meta.get("failures", []):
        say("recorded: expected %s, got %s" % (failure.get("expected"), failure.get("got")))
    return OUT_OF_TIME if code is None else 128 - code if code < 0 else code


if __name__ == "__main__":
    # If it were ignored, every client would seem to exit with 0.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    sys.exit(main(sys.argv[1:]))

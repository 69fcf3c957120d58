#!/usr/bin/env python3
"""Writes sample runs as pages, for viewing and testing.  samples.py FOLDER

All data is invented. A run has the format that `tapsim` writes, with only the data that the page needs.
"""

import json
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parents[3] / "Sources/CRunPage"
IDM = "0101010101010101"
MS = 1_000_000


class Trace:
    """Events in order, with increasing time and numbers."""

    def __init__(self):
        self.events, self.t, self.n = [], 0, 0

    def add(self, kind, after=0.0, **rest):
        self.t += int(after * MS)
        self.events.append({"seq": len(self.events) + 1, "t": self.t, "kind": kind, **rest})
        return self

    def frame(self, hex, says, after=1.0, fields=(), layer="rf", **rest):
        self.n += 1
        digits = hex.replace(" ", "")
        return self.add("frame", after, n=self.n, dir="out", layer=layer, hex=digits, bits=len(digits) * 4,
                        **{"is": says}, **({"fields": list(fields)} if fields else {}), **rest)

    def answer(self, hex, says, after=1.0, fields=(), card="suica", **rest):
        digits = hex.replace(" ", "")
        return self.add("answer", after, n=self.n, dir="in", card=card, layer="rf", hex=digits, bits=len(digits) * 4,
                        **{"is": says}, **({"fields": list(fields)} if fields else {}), **rest)

    def silence(self, after=1.0, **rest):
        return self.add("silence", after, n=self.n, **rest)

    def call(self, hex, says, after=0.4, layer="apdu", **rest):
        return self.add("call", after, dir="in", layer=layer, hex=hex.replace(" ", ""), **{"is": says}, **rest)

    def out(self, text, wall, stream="out"):
        return self.add("client", 0, stream=stream, text=text, wall=wall, measured=True)


def field(at, size, name, value, note=""):
    return {"at": at, "size": size, "name": name, "value": value, **({"note": note} if note else {})}


# ---------------------------------------------------------------- Suica

TRIPS = [
    ("16", "01", "0000", "2026-11-18", "3672", "E601", "CC04", 3120, "001-230", "001-204", "fare gate", "fare"),
    ("C7", "46", "0000", "2026-11-17", "3671", "780E", "C20D", 3330, "at 15:00", "till 0DC2", "shop", "purchase"),
    ("16", "01", "0000", "2026-11-17", "3671", "02AA", "0125", 4228, "002-170", "001-037", "fare gate", "fare"),
    ("16", "01", "0000", "2026-11-17", "3671", "0125", "02AA", 4488, "001-037", "002-170", "fare gate", "fare"),
    ("C8", "46", "0000", "2026-11-15", "366F", "8B20", "6A0A", 4748, "at 17:25", "till 0A6A", "vending machine", "purchase"),
]


def trip(index, balance_less=0):
    kind, process, _, date, packed, first, second, balance, start, end, terminal, what = TRIPS[index % len(TRIPS)]
    balance -= index // len(TRIPS) * 150 + balance_less
    serial = 298 - index
    data = f"{kind}{process}0000{packed}{first}{second}{balance & 255:02X}{balance >> 8:02X}00{serial:04X}00"
    return data, [
        field(0, 1, "terminal", terminal, kind + "h"), field(1, 1, "process", what), field(4, 2, "date", date),
        field(6, 2, "from", start), field(8, 2, "to", end), field(10, 2, "balance", str(balance), "yen"),
        field(13, 2, "number", str(serial)), field(15, 1, "region", "0", "Kanto")]


def suica_memory(charged=False):
    blocks = [{"hex": data, "fields": fields} for data, fields in (trip(index, 210 if charged and index == 0 else 0) for index in range(20))]
    balance = 2910 if charged else 3120
    return {"idm": IDM, "pmm": "0120220427674EFF", "systems": [
        {"code": "0003", "idm": IDM, "services": [
            {"code": "008B", "name": "card information", "is": "random, read only, no key", "blocks": [
                {"hex": f"000000000000000020000A{balance & 255:02X}{balance >> 8:02X}0001 2A".replace(" ", ""), "fields": [
                    field(8, 1, "card type", "2", "adult"), field(11, 2, "balance", str(balance), "yen"), field(14, 2, "number", "298")]}]},
            {"code": "090F", "name": "usage history", "is": "cyclic, read only, no key", "blocks": blocks},
            {"code": "108F", "name": "gates", "is": "cyclic, read only, no key", "blocks": [
                {"hex": "A00001E6000136721503D200000000 00".replace(" ", "")}, {"hex": "200000CC000236721441D2000000 0000".replace(" ", "")}]}]},
        {"code": "FE00", "idm": "1101010101010101", "services": [
            {"code": "1A8B", "name": "", "is": "random, read only, no key", "blocks": [{"hex": "00" * 16}]}]},
        {"code": "8BDC", "services": []}]}


SUICA_SOURCE = """# A commuter takes the card away while the reader still reads.
format: 1
scenario: suica-history
title: Read the 20-trip history without breaking the card's block limit
tags: [felica, transit]
cards:
  suica:
    ic: RC-S962
    template: suica
    idm: "01 01 01 01 01 01 01 01"
    balance: 3120
    trips: 20
client: python3 client.py
expect:
  client: {exit: 0}
  result:
    /balance: 3120
    /trips/length: 20
  never: [felica.write]
cases:
  - name: 12 + 8 on RC-S962
  - name: the card is taken away too early
    faults:
      - when: {command: felica.read, nth: 2}
        do: {rf.lose_tag: {point: inside_answer}}
  - name: a chip that takes 15
    params: {ic: RC-SA00}""".split("\n")


def polling(trace):
    trace.frame("06 00 0003 01 00", "Polling 0003 asking for the system code", 0.0, [
        field(0, 1, "LEN", "6", "6 bytes, LEN included"), field(1, 1, "command code", "Polling"), field(2, 2, "system code", "0003", "transit cards"),
        field(4, 1, "request code", "01", "asks for the system code"), field(5, 1, "time slot", "1 slot")], src="client.py:12")
    trace.answer(f"14 01 {IDM} 0120220427674EFF 0003", "IDm 0101 0101 0101 0101   IC 20   data 0003", 2.7, [
        field(0, 1, "LEN", "20"), field(1, 1, "response code", "Polling response"), field(2, 8, "IDm", IDM),
        field(10, 8, "PMm", "0120220427674EFF", "IC type 20: RC-S962"), field(18, 2, "system code", "0003")], state="Mode 0, system 0003", slot=0)
    trace.call("FF A2 00 00 06 06 00 00 03 01 00", "Polling for system 0003", 0, answer=f"{IDM}9000", exchanges=[trace.n, trace.n])


def read_fields(service, blocks, name):
    fields = [field(0, 1, "LEN", "?"), field(1, 1, "command code", "06", "Read Without Encryption"), field(2, 8, "IDm", IDM, "system 0 of the card"),
              field(10, 1, "number of services", "1"), field(11, 2, "service code", service, name), field(13, 1, "number of blocks", str(len(blocks)))]
    return fields + [field(14 + 2 * at, 2, f"block list element {at}", f"{service} block {block}") for at, block in enumerate(blocks)]


def read(trace, service, code, blocks, name, says):
    body = f"06{IDM}01{code}{len(blocks):02X}" + "".join(f"80{block:02X}" for block in blocks)
    trace.call(f"FF B0 {service} {len(blocks):02X}", f"Read {service}, {len(blocks)} blocks", 0.6)
    trace.frame(f"{len(body) // 2 + 1:02X}{body}", says, 0.3, read_fields(service, blocks, name), src="Scenarios/felica/suica-history.yaml:24" if service == "090F" else None)


def blocks_answer(trace, blocks, after):
    body = f"07{IDM}0000{len(blocks):02X}" + "".join(data for data, _ in blocks)
    fields = [field(0, 1, "LEN", str(len(body) // 2 + 1)), field(1, 1, "response code", "07", "Read Without Encryption response"), field(2, 8, "IDm", IDM),
              field(10, 1, "status flag 1", "00", "success"), field(11, 1, "status flag 2", "00", "normal: the command succeeded"),
              field(12, 1, "number of blocks", str(len(blocks)))]
    for at, (data, parts) in enumerate(blocks):
        fields += [field(13 + 16 * at, 16, f"block {at}", "  ".join(part["value"] for part in parts[:6]), "usage history")]
    trace.answer(f"{len(body) // 2 + 1:02X}{body}", f"{len(blocks)} blocks", after, fields, state="Mode 0, system 0003")


def suica_failed():
    trace = Trace()
    trace.add("field", on=True).add("card", card="suica", present=True)
    trace.out("waiting for a card", 31)
    polling(trace)
    trace.out(f"IDm {IDM}", 48)
    read(trace, "008B", "8B00", [0], "card information", "Read 008B block 0")
    trace.answer(f"1D07{IDM}000001" + suica_memory()["systems"][0]["services"][0]["blocks"][0]["hex"], "1 block", 4.9, [
        field(0, 1, "LEN", "29"), field(1, 1, "response code", "07"), field(2, 8, "IDm", IDM), field(10, 1, "status flag 1", "00", "success"),
        field(11, 1, "status flag 2", "00", "normal"), field(12, 1, "number of blocks", "1"),
        field(21, 1, "card type", "2", "adult"), field(21, 1, "region", "0", "Kanto"), field(24, 2, "balance", "3120", "yen")], state="Mode 0, system 0003")
    trace.out("balance 3120 yen", 57)
    read(trace, "090F", "0F09", list(range(12)), "usage history", "Read 090F blocks 0..11")
    blocks_answer(trace, [trip(at) for at in range(12)], 22.3)
    read(trace, "090F", "0F09", list(range(12, 20)), "usage history", "Read 090F blocks 12..19")
    trace.add("fault", 3.1, fault="rf.lose_tag(point=inside_answer)", src="Scenarios/felica/suica-history.yaml:25", **{"is": "The card is taken away."})
    trace.add("card", 0, card="suica", present=False)
    trace.silence(12.9, states=[{"card": "suica", "state": "without power"}])
    trace.out("read failed: 6F 00", 96, "err")
    trace.call("FF A2 00 00 06 06 00 00 03 01 00", "Polling for system 0003", 4.0)
    trace.frame("06 00 0003 01 00", "Polling 0003 asking for the system code", 0.3)
    trace.silence(2.4, states=[{"card": "suica", "state": "without power"}])
    trace.out("trips 0", 118).out("Traceback (most recent call last):\n  File \"client.py\", line 88, in <module>\n    raise SystemExit(1)", 121, "err")
    trace.add("note", 0.5, text="the client exits 1")
    place = "Scenarios/felica/suica-history.yaml"
    return {
        "v": 1, "tapsim": "0.1.0", "name": "suica-history", "file": place, "seed": 1,
        "case": {"number": 2, "name": "the card is taken away too early", "line": 22}, "passed": False,
        "client": {"exit": 1, "text": "python3 client.py", "end": "the client ended with exit code 1"},
        "failures": [
            {"path": "expect.result  /trips/length", "file": place, "line": 18, "expected": "20", "got": "0", "exchange": 4,
             "hint": "The last 8 of 20 trips were asked for, and no answer came."},
            {"path": "client", "file": place, "line": 15, "expected": "exit 0", "got": "exit 1"}],
        "warnings": [{"warning": "the client never asked for the key versions", "hint": "A reader that asks first finds out what a card has."}],
        "faults": [{"fault": "rf.lose_tag", "is": "The card is taken away.", "gloss": "カードが離れる", "planned": 1, "injected": [4], "line": 25}],
        "reproduce": f"tapsim run {place} --case 2 --seed 1", "events": trace.events,
        "cards": [{"name": "suica", "is": "FeliCa, RC-S962", "kind": "felica", "before": suica_memory(), "after": suica_memory()}],
        "source": {"file": place, "first": 1, "lines": SUICA_SOURCE}}


def suica_passed():
    run = suica_failed()
    trace = Trace()
    trace.add("field", on=True).add("card", card="suica", present=True)
    polling(trace)
    read(trace, "008B", "8B00", [0], "card information", "Read 008B block 0")
    trace.answer(f"1D07{IDM}000001" + suica_memory()["systems"][0]["services"][0]["blocks"][0]["hex"], "1 block", 4.9)
    read(trace, "090F", "0F09", list(range(12)), "usage history", "Read 090F blocks 0..11")
    blocks_answer(trace, [trip(at) for at in range(12)], 22.3)
    read(trace, "090F", "0F09", list(range(12, 20)), "usage history", "Read 090F blocks 12..19")
    blocks_answer(trace, [trip(at) for at in range(12, 20)], 16.0)
    trace.out("balance 3120 yen, 20 trips", 70)
    run.update(passed=True, failures=[], faults=[], warnings=[], events=trace.events, case={"number": 1, "name": "12 + 8 on RC-S962", "line": 21},
               client={"exit": 0, "text": "python3 client.py", "end": "the client ended with exit code 0"}, reproduce="tapsim run Scenarios/felica/suica-history.yaml --case 1 --seed 1")
    run["cards"] = [{"name": "suica", "is": "FeliCa, RC-S962", "kind": "felica", "before": suica_memory(), "after": suica_memory(charged=True)}]
    return run


def wrong_program():
    """Card and reader work, but the program reports something else."""
    run = suica_passed()
    run.update(passed=False, reproduce="tapsim run Scenarios/felica/suica-history.yaml --case 1 --seed 1", failures=[
        {"path": "expect.result  /balance", "file": run["file"], "line": 17, "expected": "3120", "got": "12300"}])
    return run


def wrong_model():
    """The reader searches for cards of both kinds before the program gives up, because it needs another reader."""
    trace = Trace()
    trace.add("field", on=True).add("card", card="suica", present=True)
    for _ in range(2):
        trace.frame("52", "WUPA", 25).silence()
    polling(trace)
    trace.out("no RC-S380 found", 60, "err")
    return {"v": 1, "tapsim": "0.1.0", "name": "suica", "seed": 1, "passed": False, "client": {"exit": 1}, "events": trace.events,
            "failures": [{"path": "client", "expected": "exit 0", "got": "exit 1: no RC-S380 found"}]}


def missing_module():
    return {**wrong_model(), "events": [], "failures": [
        {"path": "client", "expected": "exit 0", "got": "exit 1: ModuleNotFoundError: No module named 'nfc'"},
        {"path": "client", "expected": "the client to open a reader (pcsc)", "got": "none opened", "hint": "It has a fixed path."}]}


def wrong_lines():
    """Long texts that differ in one word."""
    trips = " ".join(f"trip {at} from 001-230 to 001-204" for at in range(20))
    return {**wrong_model(), "failures": [
        {"path": "expect.client.stdout", "expected": f"{trips} balance 3120 yen {trips}", "got": f"{trips} balance 312 yen {trips}"}]}


def injected():
    """A fault that the run names without its own event, and a card that is removed."""
    trace = Trace()
    trace.add("field", on=True).add("card", card="suica", present=True)
    polling(trace)
    trace.frame("06 00 0003 01 00", "Polling 0003").silence()
    trace.add("card", 5, card="suica", present=False)
    return {**wrong_model(), "events": trace.events, "faults": [{"fault": "rf.silence", "is": "The answer does not arrive.", "planned": 1, "injected": [2]}]}


def no_card():
    trace = Trace()
    trace.add("field", on=True)
    trace.call("FF CA 00 00 00", "Get the UID", 0, outcome="no card")
    return {"v": 1, "tapsim": "0.1.0", "name": "kiosk", "file": "kiosk.yaml", "seed": 7, "passed": False, "client": {"limit": "idle"}, "events": trace.events,
            "failures": [{"path": "client", "expected": "the client to end", "got": "a client that does nothing"}]}


def side_by_side():
    return {**suica_failed(), "other": suica_passed()}


# ---------------------------------------------------------------- a reader that refuses

def refused():
    trace = Trace()
    trace.add("field", on=True).add("card", card="tag", present=True)
    trace.call("FF CA 00 00 00", "Get the UID", 0, answer="04A1B2C3D4E5809000")
    trace.call("FF A4 00 00 01 06", "Select a card type (SLE, ACR38)", 1.2, answer="6A81", outcome="unsupported", refused=True,
               hint="This reader takes no storage card commands; try --model acr122u")
    trace.out("error: select card type: 6A 81", 40, "err")
    return {
        "v": 1, "tapsim": "0.1.0", "name": "kiosk", "file": "kiosk.yaml", "seed": 7, "case": {"number": 1, "name": "kiosk", "line": 1}, "passed": False,
        "client": {"exit": 3, "text": "./kiosk", "end": "the client ended with exit code 3"},
        "failures": [{"path": "expect.counts  ntag.read", "file": "kiosk.yaml", "line": 9, "expected": "1..", "got": "0"}],
        "reproduce": "tapsim run kiosk.yaml --case 1 --seed 7", "events": trace.events,
        "source": {"file": "kiosk.yaml", "first": 1, "lines": ["format: 1", "cards: {tag: {ic: NTAG213}}", "reader: {model: pcsc}", "client: ./kiosk", "", "", "", "expect:", "  counts: {ntag.read: 1..}"]}}


# ---------------------------------------------------------------- NTAG215 with a password

def tag_memory(changed=False):
    pages = ["04A1B29F", "C3D4E580", "72480000", "E1103E00", "0313D101", "0F550465", "78616D70", "6C652E63", "6F6D2F34", "32FE0000"] + ["00000000"] * 125
    pages[130:135] = ["000000BD", "04000004", "80050000", "DEADBEEF", "C0DE0000"]
    memory = {"uid": "04A1B2C3D4E580", "pages": pages, "first_protected": 4, "locked": [0, 1], "counter": 0,
              "notes": {"0": "UID", "1": "UID", "2": "UID, lock bytes", "3": "capability container", "4": "NDEF message TLV", "130": "dynamic lock bytes", "131": "AUTH0", "132": "ACCESS", "133": "PWD", "134": "PACK"},
              "ndef": [{"is": "URI", "value": "https://example.com/42"}]}
    if changed:
        pages[9], pages[2], pages[132] = "34FE0000", "72480FF0", "82050000"
        memory.update(locked=[0, 1, 4, 5, 6, 7], counter=1, ndef=[{"is": "URI", "value": "https://example.com/44"}])
    return memory


def password():
    trace = Trace()
    trace.add("field", on=True).add("card", card="tag", present=True)
    trace.frame("52", "WUPA", 0, card="tag").answer("4400", "ATQA 0044", 0.1, [field(0, 2, "ATQA", "0044", "double size UID")], "tag", state="READY 1")
    trace.events[-2]["bits"] = 7
    trace.frame("93 70 88 04 A1 B2 9F", "SELECT cascade level 1", 0.3, [field(0, 1, "command", "SELECT", "cascade level 1"), field(1, 1, "NVB", "70"), field(2, 4, "UID part", "8804A1B2"), field(6, 1, "BCC", "9F")])
    trace.answer("04", "SAK 04, the UID continues", 0.9, card="tag", state="READY 2", crc="bad")
    trace.frame("1B DE AD BE EE", "PWD_AUTH", 1.0, [field(0, 1, "command", "1B", "PWD_AUTH"), field(1, 4, "PWD", "DEADBEEE", "the password")])
    trace.answer("0", "NAK 0  wrong password", 0.7, card="tag", state="IDLE, one wrong password")
    trace.events[-1].update(hex="00", bits=4)
    trace.out("error: the tag refused the password with NAK 0", 40, "err")
    return {
        "v": 1, "tapsim": "0.1.0", "name": "ntag-password", "file": "Scenarios/ntag215/password.yaml", "seed": 1,
        "case": {"number": 1, "name": "the wrong password", "line": 20}, "passed": False,
        "client": {"signal": 11, "text": "./client", "end": "the client was ended by signal 11"},
        "failures": [{"path": "expect.cards.tag  page 9", "file": "Scenarios/ntag215/password.yaml", "line": 12, "expected": "32FE0000", "got": "34FE0000", "exchange": 3}],
        "reproduce": "tapsim run Scenarios/ntag215/password.yaml --case 1 --seed 1", "events": trace.events,
        "cards": [{"name": "tag", "is": "NTAG215", "kind": "ntag", "before": tag_memory(), "after": tag_memory(True)}]}


# ---------------------------------------------------------------- hostile data

EVIL = ["<img src=x onerror=window.pwned=1>", "</script><script>window.pwned=1</script>", "<!--<script>", "\u001b[31mred\u0007", "\u202eevil\u2066x\u2069", "\u200b\ufeff\u0000", "javascript:window.pwned=1", "' onmouseover='window.pwned=1"]


def hostile():
    evil = " ".join(EVIL)
    trace = Trace()
    trace.add("field", on=True).add("card", card=evil, present=True)
    trace.call("FFCA000000", evil, hint=evil, answer=evil, outcome=evil, layer_note=evil)
    for text in EVIL:
        trace.frame("0600", text, fields=[field(0, 1, text, text, text)], reader=text, src=f"{text}:3")
        trace.answer("0001", text, fields=[field(0, 99999, text, text, text)], card=text, state=text)
    trace.frame("zz" + EVIL[0], evil).add("fault", 0, fault=evil, **{"is": evil}).silence(1, states=[{"card": evil, "state": evil}])
    trace.out(evil, 1).out(evil, 2, "err").add("note", 0, text=evil).add("some kind of tomorrow", 0, text=evil)
    trace.events += [{"kind": "frame"}, {"kind": "answer", "n": 99, "hex": None}, {"kind": 7, "t": "x"}, None, {"kind": "card"}, {"kind": "silence", "states": "x"}]
    memory = {"uid": evil, "pages": [evil, "00000000"], "first_protected": "x", "locked": ["x"], "notes": {"0": evil}, "ndef": [{"is": evil, "value": evil}]}
    return {
        "v": 1, "tapsim": evil, "name": evil, "file": evil, "seed": evil, "case": {"number": evil, "name": evil, "line": evil}, "passed": False,
        "client": {"limit": evil, "text": evil, "end": evil},
        "failures": [{"path": evil, "file": evil, "line": 1, "expected": evil, "got": evil, "exchange": 2, "hint": evil}, {"path": evil}],
        "warnings": [{"warning": evil, "hint": evil}], "faults": [{"fault": evil, "is": evil, "planned": evil, "injected": [1], "line": 2}],
        "reproduce": evil, "events": trace.events,
        "cards": [{"name": evil, "is": evil, "kind": "ntag", "before": memory, "after": {**memory, "pages": ["11111111", evil]}},
                  {"name": evil, "is": evil, "kind": "felica", "before": {}, "after": {"idm": evil, "systems": [{"code": evil, "services": [{"code": evil, "name": evil, "blocks": [{"hex": evil, "fields": [field(0, 1, evil, evil)]}]}]}]}}],
        "source": {"file": evil, "first": 1, "lines": EVIL}}


# ---------------------------------------------------------------- 10,000 exchanges

def long_run(count=10_000):
    """Stores each text of a long run once, in `texts`, and replaces it with a number."""
    texts, places = [], {}

    def once(text):
        if text not in places:
            places[text] = len(texts)
            texts.append(text)
        return places[text]

    events, t = [{"t": 0, "kind": "field", "on": True}, {"t": 0, "kind": "card", "card": "tag", "present": True}], 0
    for index in range(1, count + 1):
        n = index if index <= count // 2 else index + 2000
        page = index % 130
        events.append({"t": t, "kind": "frame", "n": n, "hex": once(f"30{page:02X}"), "is": once(f"READ page {page:02X}")})
        t += 500_000
        if index % 2500 == 0:
            events.append({"t": t, "kind": "fault", "fault": "rf.silence", "is": "The answer does not arrive."})
            t += 90_000_000
            events.append({"t": t, "kind": "silence", "n": n})
        else:
            data = "".join(f"{(page + at) * 7 & 255:02X}" * 4 for at in range(4))
            events.append({"t": t, "kind": "answer", "n": n, "card": "tag", "hex": once(data), "is": once("4 pages")})
        t += 400_000
    return {
        "v": 1, "tapsim": "0.1.0", "name": "long", "file": "long.yaml", "seed": 1, "case": {"number": 1, "name": "10,000 reads", "line": 1}, "passed": False,
        "client": {"limit": "exchanges", "text": "./endless", "end": "the client was ended after 10000 exchanges"},
        "failures": [{"path": "client", "file": "long.yaml", "line": 4, "expected": "the client to end", "got": "10000 exchanges", "exchange": 9500}],
        "faults": [{"fault": "rf.silence", "is": "The answer does not arrive.", "planned": 4, "injected": [2500, 5000, 9500, 12000], "line": 3}],
        "reproduce": "tapsim run long.yaml --case 1 --seed 1", "texts": texts, "events": events,
        "not_kept": {"first": count // 2 + 1, "last": count // 2 + 2000, "calls": 3}}


SAMPLES = {"suica": suica_failed, "passed": suica_passed, "compare": side_by_side, "refused": refused, "password": password, "program": wrong_program, "nocard": no_card, "model": wrong_model, "import": missing_module, "lines": wrong_lines, "injected": injected, "hostile": hostile, "long": long_run}


def source(name):
    return (PAGE / name).read_text(encoding="utf-8")


def join(run, page="page"):
    """Builds the page of a run, or the `campaign` or `index` page, as the compiler and the Swift writer do."""
    text = json.dumps(run, ensure_ascii=False, separators=(",", ":"))
    text = re.sub("[<\u2028\u2029\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", text)
    style = source("common.css") + source("page.css" if page == "page" else "campaign.css")
    script = source("common.js") + source(f"{page}.js")
    html = source("page.html")
    for place, part in (("/*STYLE*/", style), ("/*SCRIPT*/", script), ("/*RUN*/", text)):
        html = html.replace(place, part, 1)
    return html


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in SAMPLES.items():
        page = join(make())
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
        print(f"{name}.html {len(page.encode())} bytes")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes sample campaigns as pages, for viewing and testing.  campaigns.py FOLDER

All data is invented. A case has the format of `tapsim fuzz --json`, plus the data that the page needs.
"""

import collections
import pathlib
import sys

import samples

OUTCOMES = [
    (".", "correct", True, "The client succeeded with the result of the baseline runs."),
    ("e", "clear error", True, "The client reported a failure with the exit code or the text that `clear_error` defines."),
    ("C", "crash", False, "The client was ended by a signal, or by an uncaught exception, a panic or a sanitizer report. An error message and a non-zero exit code are a clear error."),
    ("H", "hang", False, "The client was still running at `limits.wall`."),
    ("L", "livelock", False, "The client sent more commands than `limits.exchanges` allows."),
    ("W", "wrong result", False, "The client succeeded, but with another result than the baseline runs."),
    ("S", "silent loss", False, "The client printed less than is on the card, or than in the baseline runs, and reported nothing."),
    ("!", "safety", False, "The client did to a card what nobody asked for and what may not be undone."),
    ("P", "protocol misuse", False, "The client used a card or a reader in a way that the manual rules out."),
    ("K", "leak", False, "The client ended without releasing contexts, card handles or transactions."),
    ("?", "flaky", False, "The client failed, but behaved differently when the same run was repeated."),
]
GLOSSES = {"silent loss": "カードの内容か基準実行の結果より少ししか出力せず、エラーも報告しませんでした。"}
LETTERS = [{"letter": letter, "verdict": verdict, "ok": ok, "summary": summary} | ({"gloss": GLOSSES[verdict]} if verdict in GLOSSES else {})
           for letter, verdict, ok, summary in OUTCOMES]
VERDICTS = {letter: verdict for letter, verdict, _, _ in OUTCOMES} | {"-": "not reached"}
REASONS = {
    ".": "exit 0 and the result of the baseline runs", "e": "exit 1: error: the card did not answer", "W": "`/balance` is 0, not 3120, and it exits 0",
    "S": "`/trips` has 8 of 20 items, and it exits 0", "C": "signal 11, segmentation fault", "H": "it was still running after 3 s",
    "L": "it sent 600 commands", "!": "it wrote page 2, which holds lock bits", "P": "it wrote 3 blocks that the card does not have",
    "K": "a context was not released", "?": "signal 6, and exit 0 when repeated",
}
READS = ["Polling 0003 asking for the system code", "Request Service 008B 090F 108F", "Read 008B block 0", "Read 090F blocks 0..11",
         "Read 090F blocks 12..19", "Read 108F blocks 0..2"]
COMMANDS = ["felica.polling", "felica.request_service", "felica.read", "felica.read", "felica.read", "felica.read"]
CALLS = ["establish_context", "connect", "transmit", "transmit", "disconnect"]
GRID = {
    "rf.lose_tag": "eeeeee", "rf.silence": "......", "rf.flip_bits": ".....e", "felica.reorder": "   WWW", "felica.zero_blocks": "  WWSS",
    "felica.torn_block": "  WWWW", "felica.pmm": "-     ",
}
CALL_GRID = {"pcsc.removed_inside": " .eC.", "pcsc.slow": "....H"}


def counted(key, words):
    seen = collections.Counter()
    places = []
    for number, word in enumerate(words, 1):
        seen[word] += 1
        places.append({key: number, "is": word, "nth": seen[word]})
    return places


def runs_of(grid, key, reasons):
    for fault, row in grid.items():
        for number, letter in enumerate(row, 1):
            if letter == " ":
                continue
            run = {"fault": fault, key: number, "verdict": VERDICTS[letter]}
            if letter != "-":
                if letter not in ".":
                    run["at"] = number
                run["reason"] = reasons.get((fault, number), REASONS[letter])
            yield run


def case(grid=GRID, calls=CALL_GRID, reasons={}, **rest):
    runs = list(runs_of(grid, "exchange", reasons)) + list(runs_of(calls, "call", reasons))
    places = counted("exchange", COMMANDS) + (counted("call", CALLS) if calls else [])
    totals = collections.Counter(run["verdict"] for run in runs)
    reached = {run["fault"] for run in runs if run["verdict"] != "not reached"}
    return {
        "scenario": "kiosk", "file": "kiosk.yaml", "seed": 1, "clean_findings": [], "warnings": [], "places": places,
        "faults": [*grid, *calls], "runs": runs, "totals": totals | {"not reached": totals["not reached"]}, "read_back": {},
        "never_reached": [name for name in [*grid, *calls] if name not in reached],
        "exchanges": [{"n": number, "is": words} for number, words in enumerate(READS, 1)], "letters": LETTERS,
        "summaries": {"rf.silence": "The answer does not arrive.", "felica.reorder": "The blocks of the answer are not in the requested order."},
        "glosses": {"rf.silence": "応答が届かない", "felica.zero_blocks": "ブロックがゼロになる"}, "reproduce": ["tapsim fuzz kiosk.yaml --case 1 --seed 1 --only ", ""], **rest}


def document(*cases, **rest):
    return {"v": 1, "tapsim": "0.1.0", "cases": list(cases), **rest}


def found():
    one = case(reasons={("felica.reorder", 4): "`/trips/0/number` is 287, not 298, and it exits 0"})
    for run in one["runs"]:
        if run["verdict"] in ("wrong result", "crash"):
            run["page"] = f"kiosk-1/{run['fault']}@{'c' if 'call' in run else ''}{run.get('exchange') or run.get('call')}/trace.html"
    return document(one)


def stopped():
    """A campaign that ended before most of its runs were performed."""
    one = case({"rf.silence": "..W", "rf.lose_tag": "e"}, {}, not_run=[
        {"fault": "rf.silence", "exchanges": "4, 5 to 6"}, {"fault": "felica.pmm", "exchanges": "1 to 6"}])
    return document(one, stopped="--time")


def causes():
    """Two causes of wrong results, one of them known, with different messages in their runs."""
    one = case({"rf.silence": "..W...", "felica.reorder": "   WWW"}, {}, reasons={("rf.silence", 3): "`/trips` has 3 items, not 4"},
               causes=[{"key": "wrong: reordered", "known": False}, {"key": "wrong: repeated", "known": True}])
    for run in one["runs"]:
        if run["verdict"] == "wrong result":
            run["cause"] = "wrong: repeated" if run["fault"] == "rf.silence" else "wrong: reordered"
            run["reason"] += f" in run {run['exchange']}"
    return document(one)


def combined():
    """A cause found only with two combined faults, with its folder."""
    one = case({"rf.silence": "......"}, {}, causes=[{"key": "crash: of two", "known": False, "finding": "findings/01-crash"}])
    one["guided"] = {"runs": 40, "steps": 12, "totals": {"crash": 2}, "findings": [
        {"name": f"rf.silence@{place}+felica.status@5", "verdict": "crash", "reason": f"signal SIGSEGV in run {place}", "cause": "crash: of two"}
        for place in (3, 4)]}
    return document(one)


def clean():
    return document(case({"rf.lose_tag": "eeeeee", "rf.silence": "......"}, {}))


def unreached():
    return document(case({"felica.pmm": "-     "}, {}))


def several():
    """Three cases: with findings, with findings without any fault, and with neither."""
    tag = case({"mem.tear:inside=50%": "  .W..", "mem.tear:inside=100%": "   W.."}, {}, scenario="tag", file="tag.yaml", case="writes a link",
               reproduce=["tapsim fuzz tag.yaml --only ", " -- ./write \"a b\""], read_back={"old": 3, "new": 2, "unreadable": 1},
               warnings=[{"warning": "the client never waited for the card", "hint": "it may miss one that comes late"}])
    for run, back in zip(tag["runs"], ("old", "unreadable", "new", "old", "new", "old")):
        run["read_back"] = back
    leaking = case({"rf.silence": "......"}, {}, case="leaks", clean_findings=[
        {"outcome": "leak", "reason": "a context was not released"}, {"outcome": "protocol misuse", "exchange": 3, "reason": "it read `090F` twice"}])
    return document(tag, leaking, case({"rf.silence": "......"}, {}, case="is fine"))


def every_verdict():
    letters = "".join(VERDICTS)
    return document(case({f"rf.fault_{number}": letter * 6 for number, letter in enumerate(letters)}, {}))


def phone():
    one = case({"rf.silence": "......"}, {})
    one["places"] += [{"phone": 1, "is": "session.begin", "nth": 1}, {"phone": 2, "is": "session.connect", "nth": 1}]
    one["runs"].append({"fault": "phone.cancel", "phone": 2, "verdict": "hang", "reason": "it was still running after 3 s"})
    return document(one)


EVIL = "\u202eevil <img src=x onerror=pwned=1></script><script>pwned=1</script>\x1b[31mred\x07\u200b"


def hostile():
    one = case({EVIL: "WWWWWW", "'; rm -rf ~ #": "W     "}, {}, scenario=EVIL, file=EVIL, case=EVIL, reproduce=[EVIL + " ", " " + EVIL], summaries={EVIL: EVIL},
               clean_findings=[{"outcome": EVIL, "exchange": EVIL, "reason": EVIL}], warnings=[{"warning": EVIL, "hint": EVIL}, 7, {"warning": ["x"]}],
               never_reached=[EVIL], read_back={EVIL: EVIL}, exchanges=[{"n": number, "is": EVIL} for number in range(1, 7)])
    pages = ["javascript:pwned=1//", "https://example.com/", "//example.com/x", "data:text/html,<script>pwned=1</script>", "\ud800", "a b/../\"onclick=\"pwned=1"]
    for run, page in zip(one["runs"], pages):
        run.update(page=page, reason=EVIL, read_back=EVIL, at=EVIL)
    one["letters"] = LETTERS[:5] + [{"letter": "\u202e<", "verdict": "wrong result", "ok": False, "summary": EVIL}, {"letter": 5, "verdict": EVIL}, 3]
    one["runs"] += [{"fault": EVIL, "exchange": 9, "verdict": EVIL}, {"fault": ["x"], "verdict": {}}, {"exchange": "x"}, {}]
    one["runs"][1]["reproduce"] = EVIL
    one["faults"] = [EVIL, 3, {"x": 1}]
    return document(one, {}, {"runs": 5, "places": "x", "letters": {}, "reproduce": 3}, tapsim=EVIL)


def large(faults=150, places=400):
    """A campaign of the maximum size that stores each text once."""
    names = [f"felica.fault_{number:03}:bits={number}" for number in range(faults)]
    order = [verdict for _, verdict, _, _ in OUTCOMES]
    texts = [REASONS["."], REASONS["e"]] + [f"`/trips/{number}/amount` is 0, not -{number}, and it exits 0" for number in range(200)]
    runs = []
    for row in range(faults):
        for number in range(1, places + 1):
            mix = row * 7919 + number * 104729
            letter = order.index("wrong result") if mix % 97 == 0 else order.index("silent loss") if mix % 211 == 0 else mix % 3 // 2
            reason = letter if letter < 2 else 2 + mix % 200
            runs.append({"fault": row, "exchange": number, "verdict": letter, "at": number, "reason": reason})
    return document({
        "scenario": "long", "file": "long.yaml", "seed": 1, "clean_findings": [], "warnings": [], "never_reached": [], "read_back": {},
        "places": [{"exchange": number, "is": "felica.read", "nth": number} for number in range(1, places + 1)], "faults": names, "runs": runs, "totals": {},
        "exchanges": [{"n": number, "is": f"Read 090F block {number}"} for number in range(1, places + 1)],
        "letters": LETTERS, "reproduce": ["tapsim fuzz long.yaml --case 1 --seed 1 --only ", ""]}, texts=texts)


def nothing():
    return document(case({}, {}))


SAMPLES = {"found": found, "causes": causes, "stopped": stopped, "combined": combined, "clean": clean, "unreached": unreached, "several": several, "verdicts": every_verdict, "phone": phone, "hostile": hostile,
           "large": large, "nothing": nothing}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in SAMPLES.items():
        page = samples.join(make(), "campaign")
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
        print(f"{name}.html {len(page.encode())} bytes")


if __name__ == "__main__":
    main()

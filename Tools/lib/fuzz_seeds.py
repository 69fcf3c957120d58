"""Makes the seeds of the targets of Tools/Fuzz, from the test vectors and the shipped scenarios.

usage: fuzz_seeds.py PROGRAMS FOLDER   puts the targets into a folder, with the other files that ClusterFuzz needs

The first bytes of a seed are the choices that lead to its content; each function names the Swift file that reads them.
"""

import collections
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_SEEDS_OF_A_PARSER = 40
# The maximum number of frames in a card's seed, and of bytes in any seed.
LONGEST_TALK = 40
LONGEST_SEED = 4096
# The maximum length of an input in bytes: enough for a whole scenario, or for some hundred frames to a card.
LONGEST = {"documents": 8192, "dumps": 8192, "logs": 8192, "transports": 4096, "cards": 4096}
DEFAULT_LONGEST = 1024


def vectors(target: str) -> Iterator[str]:
    """Yields the lines of all vector files of a test target, without comments."""
    for path in sorted((ROOT / f"Tests/{target}/Vectors").glob("**/*.txt")):
        yield from (line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))


def frames(line: str) -> list[bytes]:
    """Returns the byte strings in a line: hexadecimal digits, with or without spaces between the bytes."""
    return [bytes.fromhex(text) for text in re.findall(r"(?<![\w:])(?:[0-9A-Fa-f]{2} ?)+(?![\w:])", line)
            if len(text.strip()) > 2]


def sections(name: str) -> Iterator[list[bytes]]:
    """Yields the messages of clients, one section of a transcript at a time."""
    talk: list[bytes] = []
    for line in (ROOT / f"Tests/TapReadersTests/Vectors/{name}").read_text(encoding="utf-8").splitlines():
        if line.startswith("section"):
            yield talk
            talk = []
        elif line and not line.startswith("#"):
            talk.append(bytes.fromhex(line.split("|")[0]))
    yield talk


def wire(programs: pathlib.Path) -> Iterator[bytes]:
    """FuzzWire.swift: the index of a parser; the target itself reports which parsers accept a frame."""
    found = {frame: None for target in ("TapWireTests", "TapReadersTests", "TapCardsTests") for line in vectors(target)
             for frame in frames(line)}
    lines = "".join(f"{frame.hex()}\n" for frame in found)
    taken = subprocess.run([programs / "FuzzWire", "accept"], input=lines, stdout=subprocess.PIPE, text=True, check=True)
    counts = collections.Counter()
    for line in taken.stdout.splitlines():
        index, frame = line.split()
        counts[index] += 1
        if counts[index] <= MOST_SEEDS_OF_A_PARSER:
            yield bytes([int(index)]) + bytes.fromhex(frame)


def cards(_: pathlib.Path) -> Iterator[bytes]:
    """FuzzCards.swift: the family, the card, then steps."""
    families = {0: "felica", 1: "lite", 2: "ntag"}
    for family, name in families.items():
        for path in sorted((ROOT / "Tests/TapCardsTests/Vectors").glob(f"{name}*.txt")):
            steps: list[bytes] = []
            for line in path.read_text(encoding="utf-8").splitlines():
                for frame in [] if line.startswith("#") else frames(line)[:1]:
                    if family == 2 and len(frame) < 20:
                        # TagFrames.swift: a selection, then any frame, with its bits and integrity.
                        steps.append(bytes([0, 12, 0, len(frame)]) + frame + b"\0")
                    elif family != 2 and len(frame) < 255:
                        # FeliCaFrames.swift: any bytes after their length.
                        steps.append(bytes([11, len(frame) - 1]) + frame[1:])
            for start in range(0, len(steps), LONGEST_TALK):
                for card in range(4):
                    yield bytes([family, card]) + b"".join(steps[start:start + LONGEST_TALK])


def pn532_frame(packet: bytes) -> bytes:
    return b"\0\0\xFF" + bytes([len(packet), -len(packet) & 0xFF]) + packet + bytes([-sum(packet) & 0xFF, 0])


def transports(_: pathlib.Path) -> Iterator[bytes]:
    """FuzzTransports.swift: the transport, the cards, the model if there are several; Talk.swift: no cuts, then messages."""
    raw = 0xE0
    kinds = {
        "pn532.txt": (b"\0", True, pn532_frame),
        "proxmark3.txt": (b"\1", False, bytes),
        "acr122u.txt": (b"\4", True, lambda apdu: len(apdu).to_bytes(2, "big") + apdu),
    }
    for name, (transport, has_model, framed) in kinds.items():
        for talk in sections(name):
            messages = b"".join(bytes([raw, len(framed(packet))]) + framed(packet) for packet in talk
                                if len(framed(packet)) < 256)
            for world in range(4):
                yield transport + bytes([world]) + (b"\1" if has_model else b"") + b"\0" + messages
    for transport in range(8):
        yield bytes([transport, 0, 0, 0]) + bytes(range(256))
    # SteeredSession.swift: any bytes after their length; no cuts, then each request in the tests of a steered field.
    text = (ROOT / "Tests/TapServeTests/SteeredFieldTests.swift").read_text(encoding="utf-8")
    for request in re.findall(r'#"(\{.*?\})"#', text):
        # A kept run is written completely, which takes long.
        if "keep" not in request:
            yield bytes([8, 0, 0, raw, len(request) + 1]) + request.encode() + b"\n"


def documents(_: pathlib.Path) -> Iterator[bytes]:
    """FuzzDocuments.swift: the kind of document."""
    for path in sorted(ROOT.glob("Scenarios/**/*.yaml")):
        yield b"\0" + path.read_bytes()
    for path in sorted((ROOT / "Tests/TapScenarioTests/Vectors").glob("**/*.txt")):
        for part in re.split(r"^=== .*$", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
            if "format:" in part:
                yield b"\0" + part.lstrip("\n").encode()
    scenario = {"format": 1, "cards": {"tag": {"template": "suica"}}, "client": {"builtin": "dump"},
                "faults": [{"when": {"exchange": 1}, "do": "rf.silence"}]}
    yield b"\1" + json.dumps(scenario).encode()
    yield b"\1" + json.dumps([scenario]).encode()
    yield b"\3" + json.dumps({"a": [1, -2.5e3, None, True, "ü\n\u20ac"]}).encode()
    for path in sorted(ROOT.glob("Tests/**/*Trace*.swift")) + [ROOT / "docs/trace.md"]:
        lines = re.findall(r'\{"v":1.*\}', path.read_text(encoding="utf-8"))
        if lines:
            yield b"\2" + "\n".join(lines).encode()
            yield from (b"\2" + line.encode() for line in lines)


def dumps(_: pathlib.Path) -> Iterator[bytes]:
    """FuzzDumps.swift: a dump."""
    for path in sorted((ROOT / "Tests/TapImagesTests/Vectors").iterdir()):
        yield path.read_bytes()


def logs(_: pathlib.Path) -> Iterator[bytes]:
    """FuzzLogs.swift: the format, then the log; a value beyond the last format leaves the detection to the content."""
    formats = 7
    for path in sorted((ROOT / "Tests/TapRecordingTests/Vectors").iterdir()):
        yield bytes([formats]) + path.read_bytes()


def stations(_: pathlib.Path) -> Iterator[bytes]:
    """FuzzStations.swift: a list of stations."""
    rows = ("area,line,station,name,line_name,company\n0,1,204,Shibuya,Yamanote,JR\n",
            "\ufeffAreaCode,LineCode(hex),StationCode(hex),StationName\r\n0,01,CC,\u6e0b\u8c37\r\n",
            'name,area,line,station\n"a ""b"", c",1,2,3\n')
    yield from (text.encode() for text in rows)


def client(_: pathlib.Path) -> Iterator[bytes]:
    """FuzzSpace.swift: 16 bytes for each fault: its kind, its location, and its arguments."""
    for kind in range(0, 64, 3):
        yield bytes([0, kind % 2, kind, *bytes(13)])
        yield bytes([0, 0, kind, *bytes(13), 0, 1, 63 - kind, *range(13)])


TARGETS = {"wire": wire, "cards": cards, "transports": transports, "documents": documents, "dumps": dumps, "logs": logs,
           "stations": stations, "client": client}


def longest(target: str) -> int:
    """Returns the maximum length of an input in bytes."""
    return LONGEST.get(target, DEFAULT_LONGEST)


def write(target: str, folder: pathlib.Path, programs: pathlib.Path) -> pathlib.Path:
    """Recreates the folder of a target's seeds.

    programs: The folder of the targets."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {}
    for seed in TARGETS[target](programs):
        if len(seed) <= LONGEST_SEED:
            wanted[hashlib.sha1(seed).hexdigest()] = seed
    for path in folder.iterdir():
        if path.name not in wanted:
            path.unlink()
    for name, seed in wanted.items():
        (folder / name).write_bytes(seed)
    return folder


def dictionary(target: str, file: pathlib.Path) -> pathlib.Path | None:
    """Writes the keywords of scenario files and traces, which random inputs would rarely contain."""
    if target != "documents":
        return None
    schema = json.loads((ROOT / "Scenarios/schema/scenario-1.schema.json").read_text(encoding="utf-8"))
    words = {'"', ": ", "\n- ", "{", "}", "[", "]", '"v":1', '"kind":', '"frame"', '"call"', '"card"', '"note"', '"hex":'}

    def collect(node: object) -> None:
        if isinstance(node, dict):
            words.update(node.get("properties", {}))
            words.update(value for value in node.get("enum", []) if isinstance(value, str))
            for value in node.values():
                collect(value)
        elif isinstance(node, list):
            for value in node:
                collect(value)

    collect(schema)
    quoted = ("".join(f"\\x{byte:02X}" for byte in word.encode()) for word in sorted(words) if 0 < len(word) < 64)
    file.write_text("".join(f'"{word}"\n' for word in quoted), encoding="utf-8")
    return file


# A trap must reach libFuzzer; memory that Swift keeps forever looks like a leak.
OPTIONS = """[libfuzzer]
max_len = {longest}
[asan]
detect_leaks = 0
[env]
SWIFT_BACKTRACE = enable=no
"""


def bundle(programs: pathlib.Path, folder: pathlib.Path) -> None:
    """Puts the targets, their seeds, dictionaries and options where ClusterFuzz expects them."""
    for target in TARGETS:
        name = f"Fuzz{target.capitalize()}"
        shutil.copy(programs / name, folder)
        with tempfile.TemporaryDirectory() as seeds:
            shutil.make_archive(folder / f"{name}_seed_corpus", "zip", write(target, pathlib.Path(seeds), programs))
        (folder / f"{name}.options").write_text(OPTIONS.format(longest=longest(target)), encoding="utf-8")
        dictionary(target, folder / f"{name}.dict")


if __name__ == "__main__":
    bundle(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))

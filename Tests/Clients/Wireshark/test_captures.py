#!/usr/bin/env python3
"""Reads the captures of every shipped scenario with tshark, with and without Tools/wireshark/tapsim.lua.

    test_captures.py [--tapsim PATH] [unittest options]

Requires the Debian package tshark, which includes mergecap.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
LUA = ROOT / "Tools/wireshark/tapsim.lua"
TAPSIM = ROOT / ".build/debug/tapsim"
OUTBOUND, INBOUND = "0x00000002", "0x00000001"
COLUMNS = (
    "frame.time_epoch", "frame.interface_name", "frame.packet_flags_direction", "frame.comment", "frame.protocols",
    "_ws.malformed", "_ws.col.Protocol", "_ws.col.Info", "exported_pdu.exported_pdu", "felica.opcode", "felica.idm",
    "felica.sys_code", "mifare.cmd", "mifare.block.addr", "iso14443.event", "iso14443.crc.status", "iso14443.uid_cln")
LUA_COLUMNS = (
    "tapsim.felica.service", "tapsim.felica.block_number", "tapsim.felica.block", "tapsim.felica.status",
    "tapsim.ntag.command", "tapsim.ntag.page", "tapsim.ntag.last_page", "tapsim.ntag.password",
    "tapsim.ntag.acknowledgement", "_ws.lua.error")
SEPARATOR = "\x1f"


def expected(events):
    """Returns the packets of a trace: time, direction, bytes and reader; everything else in the trace is a comment."""
    packets, commands = [], []
    for event in events:
        reader, time = event.get("reader", "reader"), event["t"]
        if event["kind"] == "field":
            packets.append((time, [], "", reader))
        elif event["kind"] in ("frame", "answer"):
            if event["kind"] == "frame":
                commands.append(len(packets))
            # The FeliCa length byte is omitted.
            digits = event["hex"][0 if event["tech"] == "106A" else 2:]
            packets.append((time, [OUTBOUND if event["kind"] == "frame" else INBOUND], digits, reader))
        elif event["kind"] == "call" and "fields" in event:
            # A trace lists a call after its exchanges; a capture has it before them.
            first, last = event.get("exchanges", (1, 0))
            led = commands[len(commands) - (last - first + 1):] if last >= first else []
            place = led[0] if led else len(packets)
            packets.insert(place, (packets[place][0] if led else time, [OUTBOUND], event["hex"], reader))
            commands = [at + (at >= place) for at in commands]
            if event.get("answer"):
                packets.append((time, [INBOUND], event["answer"], reader))
    return packets


def output(*command, cwd=None):
    result = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if result.returncode != 0:
        raise AssertionError(f"{command[0]} ended with {result.returncode}: {result.stderr.decode()}")
    return result.stdout.decode()


def tshark(path, columns, *options):
    """Returns the packets of a capture as dictionaries; a field that occurs several times is a list."""
    words = [word for column in columns for word in ("-e", column)]
    lines = output("tshark", "-r", path, *options, "-T", "fields", "-E", f"separator={SEPARATOR}", "-E",
                   "occurrence=a", "-E", "aggregator=\x1e", *words)
    return [dict(zip(columns, (cell.split("\x1e") if cell else [] for cell in line.split(SEPARATOR))))
            for line in lines.split("\n")[:-1]]


def run_all(folder):
    """Runs every shipped scenario that has a client in the checkout, and returns the folders of its cases."""
    # Regression scenarios need the programs that they are about.
    for name in ("Scenarios", "Tests/Clients"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("Browser", "CoreNFC", "regressions"))
    kept = folder / "kept"
    for file in sorted(path for path in (folder / "Scenarios").rglob("*.yaml")):
        scenario = file.relative_to(folder)
        subprocess.run([TAPSIM, "run", "--trace", "always", "--allow-client", scenario], cwd=folder,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        runs = folder / ".tapsim"
        for case in sorted(runs.glob("runs/*/*")):
            target = kept / "-".join(scenario.with_suffix("").parts[1:]) / case.name
            target.parent.mkdir(parents=True, exist_ok=True)
            case.rename(target)
        shutil.rmtree(runs, ignore_errors=True)
    return sorted(path.parent for path in kept.rglob("trace.pcapng"))


class CaptureTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.cases = run_all(cls.folder)
        cls.events = {case: [json.loads(line) for line in (case / "trace.jsonl").read_text().splitlines()]
                      for case in cls.cases}
        # The captures are concatenated, so that tshark starts only twice.
        joined = cls.folder / "all.pcapng"
        output("mergecap", "-a", "-w", joined, *(case / "trace.pcapng" for case in cls.cases))
        cls.stock = cls.split(tshark(joined, COLUMNS))
        cls.scripted = cls.split(tshark(joined, COLUMNS + LUA_COLUMNS, "-X", f"lua_script:{LUA}"))

    @classmethod
    def split(cls, packets):
        """Returns the packets of each case, one for each frame and field change of its trace."""
        cases, rest = {}, packets
        for case in cls.cases:
            count = len(expected(cls.events[case]))
            cases[case], rest = rest[:count], rest[count:]
        if rest:
            raise AssertionError(f"{len(rest)} packets belong to no trace")
        return cases

    def case(self, name, number, packets=None):
        found = [case for case in self.cases if case.parent.name == name and case.name.endswith(f"-{number}")]
        self.assertEqual(len(found), 1, f"{name} {number} of {[case.parent.name for case in self.cases]}")
        return (self.stock if packets is None else packets)[found[0]]

    def test_scenarios_of_every_kind_exist(self):
        self.assertGreater(len(self.cases), 80)
        self.assertGreater(sum(map(len, self.stock.values())), 1_000)

    def test_nothing_is_malformed_unless_a_fault_caused_it(self):
        for says, captures in (("stock", self.stock), ("with the script", self.scripted)):
            for case, packets in captures.items():
                asked = False
                for number, packet in enumerate(packets, 1):
                    if packet["frame.packet_flags_direction"] != [INBOUND]:
                        asked = False
                    comments = " ".join(packet["frame.comment"])
                    asked = asked or "fault " in comments or "damaged" in comments
                    if not asked:
                        self.assertEqual(packet["_ws.malformed"], [], f"{says}: {case.name} packet {number} {packet}")

    def test_the_script_has_no_errors(self):
        for packets in self.scripted.values():
            for packet in packets:
                self.assertEqual(packet["_ws.lua.error"], [])

    def test_times_bytes_and_directions_match_the_trace(self):
        for case, packets in self.stock.items():
            for (time, direction, digits, reader), packet in zip(expected(self.events[case]), packets):
                seconds, nanoseconds = packet["frame.time_epoch"][0].split(".")
                self.assertEqual(int(seconds) * 1_000_000_000 + int(nanoseconds), time, case)
                self.assertEqual(packet["frame.packet_flags_direction"], direction, case)
                if packet["exported_pdu.exported_pdu"]:
                    self.assertEqual(packet["exported_pdu.exported_pdu"][0].upper(), digits, case)
                self.assertTrue(packet["frame.interface_name"][0].startswith(f"{reader}, "), packet)

    def test_every_checksum_is_right_unless_corrupted(self):
        checked = 0
        for case, packets in self.stock.items():
            for packet in packets:
                for status in packet["iso14443.crc.status"]:
                    checked += 1
                    damaged = "CRC wrong" in " ".join(packet["frame.comment"])
                    self.assertEqual(status, "0" if damaged else "1", f"{case.name} {packet}")
        self.assertGreater(checked, 100)

    def test_faults_and_lines_of_the_scenario_are_comments(self):
        for case, packets in self.stock.items():
            comments = [comment for packet in packets for comment in packet["frame.comment"]]
            faults = [event for event in self.events[case] if event["kind"] == "fault"]
            self.assertEqual(sum("fault " in comment for comment in comments), len(faults), f"{case} {comments}")
            for fault in faults:
                self.assertTrue(any(fault["fault"] in comment and fault.get("src", "") in comment
                                    for comment in comments), f"{fault} {comments}")

    def test_exporting_a_saved_trace_gives_the_saved_capture(self):
        for case in self.cases:
            copy = self.folder / "copy.pcapng"
            output(TAPSIM, "trace", "export", "--force", "--format", "pcapng", case / "trace.jsonl", copy)
            self.assertEqual(copy.read_bytes(), (case / "trace.pcapng").read_bytes(), case)

    def test_felica(self):
        packets = self.case("felica-suica-history", 1)
        polling = next(packet for packet in packets if packet["felica.opcode"] == ["0x00"])
        self.assertEqual(polling["felica.sys_code"], ["0x0003"])
        answer = next(packet for packet in packets if packet["felica.opcode"] == ["0x01"])
        self.assertEqual(answer["felica.idm"], ["0x0101010101010101"])
        self.assertEqual(answer["_ws.col.Info"], ["Polling (Response)"])
        scripted = self.case("felica-suica-history", 1, self.scripted)
        reads = [packet for packet in scripted if packet["felica.opcode"] == ["0x06"]]
        self.assertIn(["0x090f"], [packet["tapsim.felica.service"] for packet in reads])
        blocks = [packet["tapsim.felica.block"] for packet in scripted if packet["felica.opcode"] == ["0x07"]]
        self.assertEqual({len(block.split()) for packet in blocks for block in packet}, {16})
        self.assertEqual([packet["tapsim.felica.block_number"] for packet in reads],
                         [[str(number) for number in range(start, start + len(block))]
                          for packet, block in zip(reads, blocks)
                          for start in [int(packet["tapsim.felica.block_number"][0])]])

    def test_status_flags_of_an_answer_without_blocks(self):
        statuses = {status for packets in self.scripted.values() for packet in packets
                    for status in packet["tapsim.felica.status"]}
        self.assertIn("0x0000", statuses)
        self.assertTrue(statuses - {"0x0000"}, statuses)

    def test_type_2_tags(self):
        packets = self.case("ntag215-password-locked", 1)
        reads = [packet for packet in packets if packet["mifare.cmd"] == ["0x30"]]
        self.assertTrue(reads and all(packet["mifare.block.addr"] for packet in reads))
        self.assertIn(["NTAG PWD_AUTH"], [packet["_ws.col.Protocol"] for packet in packets])
        uids = [packet["iso14443.uid_cln"] for packet in packets if packet["iso14443.uid_cln"]]
        self.assertEqual(uids[0], uids[1], "answered, then selected")
        scripted = self.case("ntag215-password-locked", 1, self.scripted)
        commands = {command for packet in scripted for command in packet["tapsim.ntag.command"]}
        self.assertLessEqual({"0x1b", "0x30", "0x3a", "0x60"}, commands)
        fast = next(packet for packet in scripted if packet["tapsim.ntag.command"] == ["0x3a"])
        self.assertEqual((fast["tapsim.ntag.page"], fast["tapsim.ntag.last_page"]), (["0x08"], ["0x0f"]))
        self.assertEqual(fast["_ws.col.Info"], ["FAST_READ page 08 to 0F"])
        nak = [packet for packets in self.scripted.values() for packet in packets
               if packet["tapsim.ntag.acknowledgement"] == ["0x00"]]
        self.assertTrue(nak and all(packet["_ws.col.Info"] == ["NAK 0"] for packet in nak))

    def test_apdus_come_before_their_frames(self):
        packets = self.case("readers-transit-history", 1, self.scripted)
        protocols = [packet["_ws.col.Protocol"][0] for packet in packets]
        self.assertIn("APDU", protocols)
        read = next(at for at, packet in enumerate(packets) if packet["felica.opcode"] == ["0x06"])
        before, after = packets[read - 1], packets[read + 2]
        self.assertEqual((before["_ws.col.Protocol"], after["_ws.col.Protocol"]), (["APDU"], ["APDU"]), protocols)
        self.assertIn("Read", before["_ws.col.Info"][0])
        self.assertIn("SW 9000", after["_ws.col.Info"][0])

    def test_each_reader_has_its_interfaces(self):
        names = {name for packets in self.stock.values() for packet in packets
                 for name in packet["frame.interface_name"]}
        self.assertLessEqual({"reader, FeliCa", "reader, ISO 14443-3", "reader, type 2 tag"}, names)


if __name__ == "__main__":
    if "--tapsim" in sys.argv:
        at = sys.argv.index("--tapsim")
        TAPSIM = pathlib.Path(sys.argv[at + 1]).resolve()
        del sys.argv[at:at + 2]
    unittest.main()

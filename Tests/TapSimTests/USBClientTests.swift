import TapSystem
import TapDocument
import TestSupport
import Testing

/// Unmodified programs that open USB readers.
///
/// Some tests start `tapsim`, because a variable of the process locates the preloaded library.
@Suite struct `Programs on the USB` {
    /// Runs a program and returns its output; requires that the case passed through the transport.
    private func output(_ words: [String], _ client: [String]) throws -> String {
        let outcome = try TapSim.run(["run"] + words + ["--json", "--"] + client)
        let report = try #require(
            outcome.json?["scenarios"]?[0]?["cases"]?[0], "\(outcome.end)\n\(outcome.output)\n\(outcome.error)")
        #expect(outcome.exitCode == 0, "\(outcome.output)")
        #expect(report["transport"]?.text == "usb")
        return report["client"]?["stdout"]?.text ?? ""
    }

    private func reader(_ model: String, card: String = "suica") -> [String] {
        ["--card", card, "--transport", "usb", "--model", model]
    }

    /// Does the same for a program that uses only the bus.
    private func bus(_ model: String) -> [String] { reader(model) + ["--allow-no-read"] }

    private static let watcher = Result<String, any Error> {
        let path = try TapSimProgram.file("usb_hotplug", "")
        let line = "cc -Wall -Werror -o \"$0\" Tests/Clients/usb_hotplug.c $(pkg-config --cflags --libs libusb-1.0)"
        let outcome = try TapSimProgram.run(["-c", line, path], program: "/bin/sh")
        try #require(outcome.exitCode == 0, "\(outcome.error)")
        return path
    }

    @Test(arguments: [
        ("rc-s380", "054c:06c3", ["RC-S380/P", "EP 2 OUT", "EP 1 IN"]),
        ("rc-s300", "054c:0dc9", ["bInterfaceClass        11", "dwMaxCCIDMsgLen       522", "EP 2 IN"]),
        ("rc-s330", "054c:02e1", ["FeliCa Port/PaSoRi 3.0", "EP 4 OUT"]),
        ("acr122u", "072f:2200", ["ACR122U PICC Interface", "bInterfaceClass        11"]),
        ("scl3711", "04e6:5591", ["SCL3711-NFC&RW", "EP 4 IN"]),
    ])
    func `lsusb shows the descriptors of a reader`(model: String, number: String, words: [String]) throws {
        let text = try output(bus(model), ["lsusb", "-v"])
        #expect(text.contains("Bus 001 Device 002: ID \(number)"))
        for word in words { #expect(text.contains(word), "\(word)") }
        #expect(text.contains("0123456"))
    }

    @Test func `a program in C uses libusb, and sees a reader leave and come back`() throws {
        let scenario = try TapSimProgram.file(
            "plugged.yaml",
            """
            format: 1
            cards: {card: {template: suica}}
            reader: {model: rc-s380, over: usb}
            timeline: [{at: 500ms, unplug: reader}, {at: 900ms, plug: reader}]
            """)
        let first = [
            "acknowledged in 6 bytes", "four bytes: LIBUSB_ERROR_OVERFLOW", "nothing more: LIBUSB_ERROR_TIMEOUT",
            "error 0",
        ]
        let away = ["while waiting: LIBUSB_ERROR_NO_DEVICE", "afterwards: LIBUSB_ERROR_NO_DEVICE"]
        let text = try output([scenario], [try Self.watcher.get()])
        let lines = text.split(separator: "\n").map(String.init)
        // A libusb thread reports that the reader has left, before or after the transfer ends.
        #expect(lines.filter { $0 != "left" } == ["arrived"] + first + away + ["arrived"] + first)
        #expect(lines.count { $0 == "left" } == 1)
    }

    @Test func `pyusb finds a reader and communicates with it`() throws {
        let text = try output(bus("rc-s380"), [TapSimProgram.python, "Tests/Clients/usb_device.py"])
        #expect(text.contains("\"product\": \"RC-S380/P\", \"serial\": \"0123456\""))
        #expect(text.contains("\"acknowledgement\": \"0000ff00ff00\", \"answer\": \"0000ffffff0400fcd7211101f600\""))
    }

    @Test(arguments: ["acr122u", "scl3711"])
    func `libnfc finds a card with its USB drivers`(model: String) throws {
        let text = try output(reader(model, card: "ndef:uid=04A1B2C3D4E580"), ["nfc-list"])
        #expect(text.contains("UID (NFCID1): 04  a1  b2  c3  d4  e5  80"))
    }

    @Test(arguments: [
        ("rc-s300", "SONY FeliCa RC-S300/P (0123456) 00 00"), ("acr122u", "ACS ACR122U PICC Interface (0123456) 00 00"),
    ])
    func `pcscd finds a reader with its CCID driver and reads its card`(model: String, name: String) throws {
        let client = [TapSimProgram.python, "Tests/Clients/ccid_service.py", "FFCA000000"]
        let text = try output(reader(model, card: "suica:idm=01010A1020304050"), client)
        #expect(text.contains("\"reader\": \"\(name)\""))
        #expect(text.contains("\"answers\": [\"01010A10203040509000\"]"))
    }

    @Test func `two programs use two readers with cards of their own at once`() throws {
        let scenario = try TapSimProgram.file(
            "two.yaml",
            """
            format: 1
            cards:
              first: {template: suica, idm: "01 01 0A 10 20 30 40 50"}
              second: {template: suica, idm: "01 01 0A 10 20 30 40 51"}
            readers:
              left: {model: rc-s380, over: usb}
              right: {model: rc-s330, over: usb}
            timeline: [{tap: {card: first, reader: left}}, {tap: {card: second, reader: right}}]
            """)
        let script = "for path in usb:054c:06c3 usb:054c:02e1; do \"$0\" Tests/Clients/usb_sense.py $path; done"
        let text = try output([scenario], ["/bin/sh", "-c", script, TapSimProgram.python])
        #expect(text.split(separator: "\n").map(String.init) == ["01010A1020304050", "01010A1020304051"])
    }

    @Test func `transfers and commands are in the trace`() throws {
        let outcome = try TapSim.run(
            ["run", "-v"] + reader("rc-s380") + ["--", TapSimProgram.python, "Tests/Clients/usb_device.py"])
        #expect(outcome.output.contains("USB OUT 02 00 00 FF FF FF 02 00 FE D6 20 0A 00"), "\(outcome.output)")
        #expect(outcome.output.contains("USB IN 81   00 00 FF 00 FF 00"))
        #expect(outcome.output.contains("Port-100 D6 20   D7 21 11 01"))
    }

    /// The bus consists of files, which must be removed before a signal ends the command.
    @Test(arguments: ["INT", "TERM", "HUP", "QUIT", "USR1"].prefix(TestScale.isLong ? 5 : 2))
    func `a signal leaves no bus behind`(_ signal: String) throws {
        // Short, because of the sockets in it.
        let script = """
            export TMPDIR=$(mktemp -d /tmp/bus.XXXXXX); trap 'rm -rf $TMPDIR' EXIT; set -m
            for pause in 0 0.02 0.05 0.1 0.2; do
                "$0" run --card suica --transport usb --model rc-s380 --trace off -- sleep 300 >/dev/null 2>&1 & run=$!
                for try in $(seq 1000); do ls -d $TMPDIR/tapsim-*/sys >/dev/null 2>&1 && break; sleep 0.01; done
                sleep $pause; kill -\(signal) $run; wait $run; echo $?
            done
            ls $TMPDIR
            """
        let outcome = try TapSimProgram.run(["-c", script, TapSimProgram.path], program: "/bin/bash")
        let code = ["INT": 130, "TERM": 143, "HUP": 129, "QUIT": 131, "USR1": 138][signal] ?? 0
        #expect(outcome.output == String(repeating: "\(code)\n", count: 5), "\(outcome.output)\(outcome.error)")
    }

    @Test func `a program that is killed during a transfer does not affect the next one`() throws {
        let script = """
            import os, signal, usb.core
            device = usb.core.find(idVendor=0x054C)
            device.write(0x02, bytes.fromhex("0000ffffff0200fed6200a00"))
            device.read(0x81, 6)
            os.kill(os.getpid(), signal.SIGKILL)
            """
        let line = "\"$0\" -c \"$1\"; \"$0\" Tests/Clients/usb_device.py; \"$0\" Tests/Clients/usb_sense.py usb"
        let card = reader("rc-s380", card: "suica:idm=01010A1020304050")
        let text = try output(card, ["/bin/sh", "-c", line, TapSimProgram.python, script])
        #expect(text.contains("\"acknowledgement\": \"0000ff00ff00\", \"answer\": \"0000ffffff0400fcd7211101f600\""))
        #expect(text.hasSuffix("01010A1020304050\n"))
    }

    @Test func `a reader is opened a thousand times, and by two programs at once`() throws {
        let script = """
            import usb.core, usb.util
            for _ in range(1000):
                device = usb.core.find(idVendor=0x054C)
                usb.util.claim_interface(device, 0)
                usb.util.dispose_resources(device)
            first, second = usb.core.find(idVendor=0x054C), usb.core.find(idVendor=0x054C)
            usb.util.claim_interface(first, 0)
            try:
                usb.util.claim_interface(second, 0)
            except usb.core.USBError as error:
                print(error.errno)
            """
        #expect(try output(bus("rc-s380"), [TapSimProgram.python, "-c", script]) == "16\n")
    }

    @Test func `a flood of garbage is answered or ignored, and the reader still works`() throws {
        let script = """
            import random, usb.core
            random.seed(7)
            device = usb.core.find(idVendor=0x054C)
            for _ in range(2000):
                try:
                    device.write(0x02, random.randbytes(random.randrange(80)), 20)
                except usb.core.USBError:
                    pass
                try:
                    device.read(0x81, random.choice([1, 6, 64, 300]), 1)
                except usb.core.USBError:
                    pass
            """
        let line = "\"$0\" -c \"$1\"; \"$0\" Tests/Clients/usb_device.py"
        let text = try output(bus("rc-s380"), ["/bin/sh", "-c", line, TapSimProgram.python, script])
        #expect(text.contains("\"answer\": \"0000ffffff0400fcd7211101f600\""))
    }

    @Test func `readers can be controlled while tapsim serve runs`() throws {
        let script = """
            import os, subprocess, sys
            def ctl(word):
                subprocess.run([sys.argv[1], "ctl", word], check=True, stdout=subprocess.DEVNULL)
            def seen():
                # The names after the number depend on the databases of the machine.
                print(subprocess.run(["lsusb"], capture_output=True, text=True).stdout.strip()[:32] or "none")
            seen()
            ctl("unplug")
            seen()
            ctl("plug")
            seen()
            """
        let line = """
            eval "$("$0" serve --card suica --transport usb --env --parent $$ &)" && "$1" -c "$2" "$0" && "$0" ctl stop
            """
        let outcome = try TapSimProgram.run(
            ["-c", line, TapSimProgram.path, TapSimProgram.python, script], program: "/bin/sh")
        let reader = "Bus 001 Device 002: ID 054c:06c3"
        #expect(outcome.output.hasPrefix("\(reader)\nnone\n\(reader)\n"), "\(outcome.output)\(outcome.error)")
        #expect(outcome.exitCode == 0)
    }

    @Test func `TapSim explains why a program cannot see the readers, before and after the run`() throws {
        let still = try TapSimProgram.file("still", "")
        let source = try TapSimProgram.file("still.c", "int main(void) { return 0; }\n")
        let compiled = try TapSimProgram.run(
            ["-c", "cc -static -o \"$0\" \"$1\"", still, source], program: "/bin/sh")
        try #require(compiled.exitCode == 0, "\(compiled.error)")
        let before = try TapSim.run(["run"] + reader("rc-s380") + ["--", still])
        #expect(before.exitCode == 2)
        #expect(
            before.error.contains("is linked statically, so the loader cannot show it the readers"), "\(before.error)")
        let after = try TapSim.run(["run"] + reader("rc-s380") + ["--", "true"])
        #expect(after.exitCode == 1)
        #expect(after.output.contains("dropped UMOCKDEV_DIR and LD_PRELOAD"), "\(after.output)")
    }

    @Test func `tapsim webusb prints what a browser needs`() throws {
        let outcome = try TapSim.run(["webusb", "http://localhost:8765/", "--model", "rc-s300", "--json"])
        let grant = try #require(outcome.json)
        let key = "profile.content_settings.exceptions.usb_chooser_data"
        let chosen = grant["preferences"]?[key]?["http://localhost:8765,*"]?["setting"]?["chosen-objects"]?[0]
        #expect(chosen?["product-id"]?.text == "3529")
        #expect(chosen?["serial-number"]?.text == "0123456")
        #expect(grant["policy"]?["WebUsbAllowDevicesForUrls"]?[0]?["urls"]?[0]?.text == "http://localhost:8765")
        let words = try TapSim.run(["webusb", "http://localhost:8765"]).output
        #expect(words.contains("054c:06c3  SONY RC-S380/P"))
        for (words, sentence) in [
            (["http://example.com"], "only over https or from localhost"), (["page.html"], "is not an origin"),
            ([], "name the origin of the page"),
            (["https://example.com", "--model", "storage-card"], "is not a USB reader"),
        ] {
            let refused = try TapSim.run(["webusb"] + words)
            #expect(refused.exitCode == 2)
            #expect(refused.error.contains(sentence), "\(refused.error)")
        }
    }

    @Test func `TapSim reports missing requirements before it starts a program`() throws {
        let outcome = try TapSimProgram.run(
            ["run"] + reader("rc-s380") + ["--", "true"], environment: ["TAPSIM_UMOCKDEV": "/nowhere/library.so"])
        #expect(outcome.exitCode == 3)
        #expect(outcome.error.contains("apt install umockdev"), "\(outcome.error)")
        let unfit = try TapSim.run(["run"] + reader("storage-card") + ["--", "true"])
        #expect(unfit.exitCode == 2)
        #expect(unfit.error.contains("`storage-card` is not a USB device"), "\(unfit.error)")
    }
}

@testable import TapDocument
import TapDoors
import TapField
@testable import TapRun
@testable import TapScenario
import TapServe
import TapWire
import TapYAML
import Testing

/// Programs that have read their card and wait for it to go, or for the next one: nobody has told a scenario of it.
@Suite struct `A client that only waits` {
    private static let uid = "04A1B2C3D4E580"
    private static let tag = """
        format: 1
        cards: {tag: {ic: NTAG215, uid: "04 A1 B2 C3 D4 E5 80", ndef: [{uri: "https://example.com"}]}}
        settings: {limits: {wall: 40s}}

        """

    private static let kiosk = Result<String, any Error> {
        let path = try TapSimProgram.file("kiosk", "")
        let line = "cc -Wall -Werror -o \"$0\" Tests/Clients/kiosk.c $(pkg-config --cflags --libs libpcsclite)"
        let outcome = try TapSimProgram.run(["-c", line, path], program: "/bin/sh")
        try #require(outcome.exitCode == 0, "\(outcome.error)")
        return path
    }

    private struct Run {
        let outcome: ClientOutcome
        let report: Node

        var text: String { report["client"]?["stdout"]?.text ?? "" }
        var isDismissed: Bool { report["client"]?["dismissed"] != nil }
        var decisions: [String] { report["decided_by_clock"]?.items.compactMap(\.text) ?? [] }
        var complaint: String { report["failures"]?[0]?["got"]?.text ?? "" }
    }

    private func run(_ client: [String], in scenario: String = "", _ options: [String] = []) throws -> Run {
        let file = try TapSimProgram.file("waiting.yaml", Self.tag + scenario)
        let words = ["run", file, "--allow-client", "--json"] + options + (client.isEmpty ? [] : ["--"] + client)
        let outcome = try TapSimProgram.run(words)
        let report = outcome.json?["scenarios"]?[0]?["cases"]?[0]
        return Run(outcome: outcome, report: try #require(report, "\(outcome.output)\n\(outcome.error)"))
    }

    @Test func `in C sees its card go and ends by itself`() throws {
        let run = try run([Self.kiosk.get(), "--once"])
        #expect(run.outcome.exitCode == 0 && run.text == "UID \(Self.uid)\ngone\n", "\(run.outcome.output)")
        #expect(run.decisions == ["the card left when the client had only waited for the card to go for 1s"])
        #expect(!run.isDismissed)
    }

    @Test func `in C for one card after another is ended when none comes any more`() throws {
        let run = try run([Self.kiosk.get()])
        #expect(run.outcome.exitCode == 0 && run.text == "UID \(Self.uid)\n", "\(run.outcome.output)")
        #expect(run.isDismissed && run.decisions.count == 2)
    }

    /// Looks after a client that waits, of which the card was read at once.
    private func lookAfterWaiting(_ body: (FieldHost, ClientSupervisor) throws -> Void) throws {
        var diagnostics = Diagnostics()
        let file = SourceFile(name: "waiting.yaml", text: Self.tag)
        let test = try #require(
            ScenarioLoader(reader: YAMLReader()).load(file, into: &diagnostics)?.cases.first, "\(diagnostics)")
        let host = test.makeHost(observer: nil)
        defer { host.close() }
        let care = ClientSupervisor(ProgramClient(["./kiosk"]), test, on: host) { DoorActivity(isWaiting: true) }
        _ = host.perform { $0.exchange(AirFrame(.typeA106, [0x26], bitCount: 7), waiting: .milliseconds(5)) }
        _ = care.orders(at: .zero, isBusy: { false })
        try body(host, care)
    }

    @Test func `may have read its card before anybody looked`() throws {
        try lookAfterWaiting { host, care in
            _ = care.orders(at: .seconds(1), isBusy: { false })
            #expect(host.perform { !$0.cards.contains(where: \.isPresent) })
        }
    }

    @Test func `has time for a card that has just come`() throws {
        try lookAfterWaiting { host, care in
            host.perform { world in
                world.remove("tag")
                world.tap("tag")
            }
            for (seconds, isThere) in [(1, true), (2, false)] {
                _ = care.orders(at: .seconds(seconds), isBusy: { false })
                #expect(host.perform { $0.cards.contains(where: \.isPresent) } == isThere)
            }
        }
    }

    @Test(arguments: [
        (["pcsc_scan"], "Card removed"), (["pcsc_scan", "-t", "90"], "Card removed"),
        ([TapSimProgram.python, "Tests/Clients/card_monitor.py"], "gone"),
        ([TapSimProgram.python, "Tests/Clients/card_poller.py"], "UID None"),
    ])
    func `on PC/SC sees its card go and is ended`(_ client: [String], _ last: String) throws {
        let run = try run(client)
        #expect(run.outcome.exitCode == 0 && run.isDismissed, "\(run.outcome.output)")
        #expect(run.text.contains(last), "\(run.text)")
    }

    @Test(arguments: [1, 2])
    func `on libnfc sees its card go after the same number of looks each time`(_ number: Int) throws {
        let run = try run(["nfc-poll"])
        #expect(run.outcome.exitCode == 0 && run.text.contains("done."), "\(run.outcome.output)")
        #expect(run.report["exchanges"]?.items.count { $0["command"]?["is"]?.text == "READ page 00" } == 10)
        #expect(!run.isDismissed && run.decisions.isEmpty)
    }

    @Test func `on nfcpy sees its tag go and ends by itself`() throws {
        let run = try run([TapSimProgram.python, "Tests/Clients/nfcpy_waiting.py", "{nfcpy}"])
        #expect(run.outcome.exitCode == 0 && run.text.contains("NXP NTAG215"), "\(run.outcome.output)")
        #expect(!run.isDismissed && run.decisions.isEmpty)
    }

    @Test func `on nfcpy for one tag after another reads each of several visits`() throws {
        let run = try run(
            [TapSimProgram.python, "Tests/Clients/nfcpy_waiting.py", "{nfcpy}", "--forever"],
            in: "taps: {count: 2, gap: 50ms}\n")
        #expect(run.outcome.exitCode == 0, "\(run.outcome.output)")
        #expect(run.text.split(separator: "\n").count == 2 && run.isDismissed, "\(run.text)")
    }

    @Test func `keeps its card where a timeline says when it goes, and is told what to write`() throws {
        let run = try run([Self.kiosk.get()], in: "timeline: [{tap: tag}]\n", ["--timeout", "2500ms"])
        #expect(run.outcome.exitCode == 124)
        let hint = run.report["failures"]?[0]?["hint"]?.text ?? ""
        for word in ["client.ready", "taps", "remove", "client.kill_after", "--timeout"] {
            #expect(hint.contains(word), "\(hint)")
        }
        #expect(run.report["again"]?.text?.contains("--timeout 2500ms") == true)
    }

    @Test func `is ended when the scenario says, and is judged by what it showed`() throws {
        let kiosk = try Self.kiosk.get()
        let client = "client: {run: [\(kiosk)], kill_after: 600ms, result: stdout}\ntimeline: [{tap: tag}]\n"
        let good = try run([], in: client + "expect: {client: {stdout: \"\(Self.uid)\"}, counts: {ntag.write: 0}}\n")
        #expect(good.outcome.exitCode == 0, "\(good.outcome.output)")
        #expect(good.report["client"]?["killed_after"]?.text == "600ms")
        let bad = try run([], in: client + "expect: {client: {stdout: another}}\n")
        #expect(bad.outcome.exitCode == 1)
        let exit = try run([], in: client + "expect: {client: {exit: 0}}\n")
        #expect(exit.outcome.exitCode == 1 && exit.complaint == "a client that still ran after 600ms")
    }

    @Test func `that has ended sees nothing of what comes later, and what its end forestalled is told`() throws {
        let script = """
            import os, subprocess, sys
            sys.path.insert(0, "Tests/Clients/zoo")
            import pcsc_light
            context = pcsc_light.Context()
            subprocess.Popen(["sleep", "2"], start_new_session=True)
            print("bye", flush=True)
            os._exit(0)
            """
        let run = try run(
            ["python3", TapSimProgram.file("bye.py", script)],
            in: """
                timeline:
                  - {when: {event: client.line, line: bye}, note: over}
                  - {after: 350ms, tap: tag}
                expect: {never: [a3.select]}

                """)
        #expect(run.outcome.exitCode == 0, "\(run.outcome.output)")
        #expect(run.decisions.count == 1 && run.decisions[0].hasSuffix("waiting.yaml:6 came"), "\(run.decisions)")
    }

    @Test func `fails by the clock only with word of it`() throws {
        let run = try run(
            [Self.kiosk.get(), "--once"],
            in: "timeline: [{tap: tag}, {at: 1500ms, remove: tag}]\nexpect: {counts: {a3.wupa: 999}}\n")
        #expect(run.outcome.exitCode == 1)
        #expect(
            run.decisions.contains { $0.contains("waiting.yaml:4 came at its own time") }, "\(run.decisions)")
    }

    @Test(arguments: ["5", "0s", "soon", "-1s"])
    func `gets no time that is none`(_ time: String) throws {
        let outcome = try TapSimProgram.run(["run", "--card", "suica", "--timeout", time])
        #expect(outcome.exitCode == 2 && outcome.error.contains("`--timeout \(time)`"), "\(outcome.error)")
    }
}

/// A terminal that says on its screen what is wrong, and stays.
@Suite struct `A client that tells on its screen` {
    private static let start = """
        format: 1
        cards: {tag: {ic: NTAG215, uid: "04 A1 B2 C3 D4 E5 80"}}
        reader: {model: acr122u, over: pcsc}

        """

    private func scenario(_ script: String, _ more: String) throws -> String {
        let client = try TapSimProgram.file("screen.py", Self.program + script)
        return try TapSimProgram.file(
            "screen.yaml",
            Self.start
                + "client: {run: [python3, \(client)], result: stdout, clear_error: {stdout: card error}}\n\(more)\n")
    }

    /// Shows what reading pages gave, and stays, or ends.
    private static let program = """
        import sys, time
        sys.path.insert(0, "Tests/Clients/zoo")
        import pcsc_light as pcsc
        context = pcsc.Context()
        def read():
            card = pcsc.Card(context, context.reader())
            data, word = card.transmit(bytes.fromhex("FFB0000410"))
            card.close()
            if word != 0x9000:
                raise ValueError("%04X" % word)
            return data.hex()

        """
    private static let good = """
        try:
            print("data", read(), flush=True)
        except Exception as error:
            print("card error", error, flush=True)

        """
    private static let stays = """
        state = (pcsc.ReaderState * 1)()
        state[0].name, state[0].current = b"ACS ACR122U PICC Interface 00 00", 0
        while True:
            pcsc.call("SCardGetStatusChange", context.handle, pcsc.Word(0xFFFFFFFF), state, pcsc.Word(1))
            state[0].current = state[0].event
        """

    @Test(arguments: [(good, 0), (good + stays, 0), ("print('data', read())\n", 1), ("print('data 00')\n", 1)])
    func `is good under a fault where it says so, with exit 0 or staying`(_ script: String, _ code: Int) throws {
        let fault = "faults: [{when: ntag.read, times: 1.., do: {ntag.nak: {code: 0}}}]"
        let expect = "expect: {client: {verdict: correct_or_error}}"
        let outcome = try TapSimProgram.run(["run", scenario(script, "\(fault)\n\(expect)"), "--allow-client"])
        // A client that never reads has no fault that is injected.
        #expect(outcome.exitCode == Int32(code), "\(outcome.output)")
        #expect(code != 0 || outcome.output.contains("clear error"), "\(outcome.output)")
    }

    @Test(arguments: [
        (good + "context.release()\n", 0), (good + stays, 0),
        ("try: print('data', read())\nexcept Exception: print('data')\n", 1),
    ])
    func `holds under tapsim fuzz`(_ script: String, _ code: Int) throws {
        let outcome = try TapSimProgram.run(
            ["fuzz", scenario(script, ""), "--allow-client", "--only", "ntag.nak", "--timeout", "30s"])
        #expect(outcome.exitCode == Int32(code), "\(outcome.output)\(outcome.error)")
    }

    @Test func `fails the clean runs where it says so without any fault`() throws {
        let script = "print('card error', flush=True)\nread()\n"
        let outcome = try TapSimProgram.run(["fuzz", scenario(script, ""), "--allow-client", "--only", "ntag.nak"])
        #expect(outcome.exitCode == 5 && outcome.error.contains("fails without any fault"), "\(outcome.error)")
    }
}

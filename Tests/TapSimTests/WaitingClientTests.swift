@testable import TapDocument
import TapTransports
import TapHost
import TapSystem
import TapField
import TapJudge
@testable import TapRun
@testable import TapScenario
import TapServe
import TapWire
import TapYAML
import Testing

/// Programs that have read their card and wait for it to leave, or for the next card.
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
        let outcome: CommandOutcome
        let report: Node

        var text: String { report["client"]?["stdout"]?.text ?? "" }
        var isDismissed: Bool { report["client"]?["dismissed"] != nil }
        var status: String? { report["client"]?["status"]?.text }
        var decisions: [String] { report["decided_by_clock"]?.items.compactMap(\.text) ?? [] }
        var complaint: String { report["failures"]?[0]?["got"]?.text ?? "" }
    }

    private func run(_ client: [String], in scenario: String = "", _ options: [String] = []) throws -> Run {
        let file = try TapSimProgram.file("waiting.yaml", Self.tag + scenario)
        let words = ["run", file, "--allow-client", "--json"] + options + (client.isEmpty ? [] : ["--"] + client)
        let outcome = try TapSim.run(words)
        let report = outcome.json?["scenarios"]?[0]?["cases"]?[0]
        return Run(outcome: outcome, report: try #require(report, "\(outcome.output)\n\(outcome.error)"))
    }

    @Test func `in C notices that its card leaves and ends on its own`() throws {
        let run = try run([Self.kiosk.get(), "--once"])
        #expect(run.outcome.exitCode == 0 && run.text == "UID \(Self.uid)\ngone\n", "\(run.outcome.output)")
        #expect(
            run.decisions == ["the card left when the client had waited 1s for the card to leave, doing nothing else"])
        #expect(!run.isDismissed)
    }

    @Test func `in C that serves card after card is ended if stated to be resident`() throws {
        let run = try run([Self.kiosk.get()], ["--taps", "1"])
        #expect(run.outcome.exitCode == 0 && run.text == "UID \(Self.uid)\n", "\(run.outcome.output)")
        #expect(run.isDismissed && run.status == "ended by TapSim, exit status unknown")
    }

    @Test func `in C that serves card after card fails at the time limit with a hint`() throws {
        let run = try run([Self.kiosk.get()], ["--timeout", "4s"])
        #expect(run.outcome.exitCode == 124 && !run.isDismissed, "\(run.outcome.output)")
        #expect(
            run.complaint
                == "a client still waiting for cards after the last one left; add `--taps 1` if that is intended")
    }

    @Test func `is ended once it has printed the expected output, unless the scenario states an exit code`() throws {
        let kiosk = "client: {run: [\(try Self.kiosk.get())]}\n"
        let output = try run([], in: kiosk + "expect: {client: {stdout: \(Self.uid)}}\n")
        #expect(output.outcome.exitCode == 0 && output.isDismissed, "\(output.outcome.output)")
        let exit = try run([], in: kiosk + "expect: {client: {stdout: \(Self.uid), exit: 0}}\n", ["--timeout", "3s"])
        #expect(exit.outcome.exitCode == 124, "\(exit.outcome.output)")
    }

    private static let pollers: [(String, [String])] = [
        (
            "",
            [
                "python3", "-c",
                """
                import sys, time
                sys.path.insert(0, "Tests/Clients/zoo")
                import pcsc_light as pcsc
                context = pcsc.Context()
                for _ in range(60):
                    try:
                        card = pcsc.Card(context, context.reader())
                        card.transmit(bytes.fromhex("FFCA000000"))
                        card.close()
                    except pcsc.PCSCError:
                        pass
                    time.sleep(0.1)
                sys.exit(7)
                """,
            ]
        ),
        ("libnfc", ["/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8; do nfc-list | grep -q never && exit 0; done; exit 7"]),
        (
            "nfcpy",
            [
                TapSimProgram.python, "-c",
                """
                import nfc, nfc.clf, sys
                with nfc.ContactlessFrontend(sys.argv[1]) as frontend:
                    for _ in range(60):
                        frontend.sense(nfc.clf.RemoteTarget("106A"), iterations=5, interval=0.05)
                sys.exit(7)
                """, "{nfcpy}",
            ]
        ),
    ]

    @Test(arguments: pollers)
    func `is judged by its exit code, however long it polls`(_ transport: String, _ client: [String]) throws {
        let run = try run(
            client, in: "client: {run: [x]}\nexpect: {client: {exit: 7}}\n",
            transport.isEmpty ? [] : ["--transport", transport])
        #expect(run.outcome.exitCode == 0 && !run.isDismissed, "\(run.outcome.output)")
        #expect(run.report["client"]?["exit"]?.text == "7", "\(run.outcome.output)")
    }

    @Test(arguments: [
        (["--taps", "0"], "from 1 to 1000"), (["--taps", "1", "--reader", "x"], "a real reader"),
        (["--taps", "1"], "a built-in client reads once"),
    ])
    func `cannot be resident with options that contradict this`(_ words: [String], _ reason: String) throws {
        let outcome = try TapSim.run(["run", "--card", "ndef"] + words)
        #expect(outcome.exitCode == 2 && outcome.error.contains(reason), "\(outcome.error)")
        let stated = try TapSimProgram.file("stated.yaml", Self.tag + "client: {run: [x]}\ntaps: 2\n")
        for verb in ["run", "fuzz"] {
            let twice = try TapSim.run([verb, stated, "--taps", "1", "--allow-client"])
            #expect(twice.exitCode == 2 && twice.error.contains("sets `taps` itself"), "\(twice.error)")
        }
    }

    /// Supervises a waiting client that read its card at once.
    ///
    /// - Parameters:
    ///   - scenario: The keys of its scenario.
    ///   - isDisturbed: Indicates whether it is a run with faults, as in a campaign.
    private func lookAfterWaiting(
        _ scenario: String = "", isDisturbed: Bool = false,
        activity: TransportActivity = TransportActivity(isWaiting: true),
        _ body: (FieldHost, ClientSupervisor) throws -> Void
    ) throws {
        var diagnostics = Diagnostics()
        let file = SourceFile(name: "waiting.yaml", text: Self.tag + scenario)
        let loaded = try #require(
            ScenarioLoader(reader: YAMLReader()).load(file, into: &diagnostics)?.cases.first, "\(diagnostics)")
        let test = isDisturbed ? loaded.disturbed(by: FaultPlan()) : loaded
        let host = test.makeHost(observer: nil)
        defer { host.close() }
        var program = ProgramClient(["./kiosk"])
        if case .program(let stated)? = test.client { program = stated }
        let care = ClientSupervisor(program, test, on: host) { activity }
        Self.ask(host)
        _ = care.orders(at: .zero, isBusy: { false })
        try body(host, care)
    }

    @Test func `may have read its card before the first check`() throws {
        try lookAfterWaiting { host, care in
            _ = care.orders(at: .seconds(1), isBusy: { false })
            #expect(host.perform { !$0.cards.contains(where: \.isPresent) })
        }
    }

    @Test(arguments: ["thank you", "a frame", "nothing"])
    func `has finished its last visit even if nobody looked between its frames and its end`(last: String) throws {
        try lookAfterWaiting("client: {run: [./kiosk]}\ntaps: {count: 1, done: thank you}\n") { host, care in
            switch last {
            case "thank you": care.wrote(Array("thank you\n".utf8), to: .output)
            case "a frame":
                Self.ask(host)
            default: break
            }
            care.ended()
            let report = care.complete(ClientReport(end: .exit(0), standardOutput: "", standardError: ""))
            #expect(report.visits?.finished == (last == "nothing" ? 0 : 1))
        }
    }

    private static let waiting = TransportActivity(isWaiting: true)

    /// Sends a frame as a client does, through its reader.
    private static func ask(_ host: FieldHost) {
        host.perform { world in
            let before = world.rfCount
            _ = world.exchange(RFFrame(.typeA106, [0x26], bitCount: 7), waiting: .milliseconds(5))
            world.noteHost(since: before)
        }
    }

    /// Checks ten times a second until the client is ended, for at most a minute.
    private func time(
        ofEndOf care: ClientSupervisor, on host: FieldHost, isBusy: Bool = false, isAsking: Bool = false
    ) -> Duration? {
        for tenths in 10..<600 {
            if isAsking { Self.ask(host) }
            if care.orders(at: .milliseconds(100 * tenths), isBusy: { isBusy }).isToEnd {
                return .milliseconds(100 * tenths)
            }
        }
        return nil
    }

    @Test(arguments: [true, false])
    func `is never ended after its card has left, unless stated`(isAsking: Bool) throws {
        try lookAfterWaiting(activity: isAsking ? TransportActivity() : Self.waiting) { host, care in
            #expect(time(ofEndOf: care, on: host, isAsking: isAsking) == nil)
            #expect(host.perform { !$0.cards.contains(where: \.isPresent) })
            #expect(care.complete(ClientReport(end: .timeLimit)).isWaitingForCards)
        }
    }

    @Test(arguments: [
        ("", "UID 04\n", false), ("client: {run: [x], kill_after: 30s}\n", "UID 04\n", false),
        ("expect: {client: {stdout: UID}}\n", "UID 04\n", true),
        ("expect: {client: {stdout: UID}}\n", "UI\n", false), ("expect: {client: {stdout: UID}}\n", "", false),
        ("expect: {client: {stdout: UID, exit: 0}}\n", "UID 04\n", false),
        ("expect: {client: {exit: 0}}\n", "UID 04\n", false), ("expect: {counts: {a3.reqa: 1..}}\n", "UID 04\n", false),
        ("expect: {result: {/a: 1}}\n", "{\"a\": 1}\n", true), ("expect: {result: {/a: 1}}\n", "{\"a\": 2}\n", false),
    ])
    func `is ended by its output if only output is expected`(
        _ expect: String, _ text: String, _ isEnded: Bool
    ) throws {
        for isAsking in [true, false] {
            try lookAfterWaiting(expect, activity: isAsking ? TransportActivity() : Self.waiting) { host, care in
                care.wrote(Array(text.utf8), to: .output)
                #expect((time(ofEndOf: care, on: host, isAsking: isAsking) != nil) == isEnded)
            }
        }
    }

    @Test func `keeps its card if it waits for a card to arrive`() throws {
        // The reader has a card that it has not reported to the client, or could not select.
        try lookAfterWaiting(activity: TransportActivity(isWaiting: true, awaitsArrival: true)) { host, care in
            for seconds in 1...20 { _ = care.orders(at: .seconds(seconds), isBusy: { false }) }
            #expect(host.perform { $0.cards.contains(where: \.isPresent) })
        }
    }

    @Test func `is ended under a fault once it has printed the expected output, if nothing else is expected`() throws {
        let expect = "expect: {client: {stdout: UID}}\n"
        for text in ["UID 04\n", ""] {
            try lookAfterWaiting(expect, isDisturbed: true) { host, care in
                care.wrote(Array(text.utf8), to: .output)
                #expect((time(ofEndOf: care, on: host) != nil) == !text.isEmpty)
            }
        }
        try lookAfterWaiting(isDisturbed: true) { host, care in #expect(time(ofEndOf: care, on: host) == nil) }
    }

    @Test func `is not considered waiting while it uses a processor`() throws {
        try lookAfterWaiting("expect: {client: {stdout: UID}}\n", activity: TransportActivity(checks: 20)) {
            host, care in
            care.wrote(Array("UID\n".utf8), to: .output)
            #expect(time(ofEndOf: care, on: host, isBusy: true) == nil)
        }
    }

    @Test(arguments: [
        ("client: {run: [x], ready: hello}\n", "hello"),
        ("client: {run: [x]}\ntaps: {count: 1, done: thank you}\n", "thank you"),
        (
            "client: {run: [x]}\ntimeline: [{tap: tag}, {when: {event: client.line, line: bye}, remove: tag}]\n",
            "bye"
        ),
    ])
    func `is ended after ten seconds of searching if it never prints an awaited line`(
        _ keys: String, _ line: String
    ) throws {
        for isAsking in [true, false] {
            try lookAfterWaiting(keys, activity: isAsking ? TransportActivity() : Self.waiting) { host, care in
                care.wrote(Array("UID 04\n".utf8), to: .output)
                let end = try #require(time(ofEndOf: care, on: host, isAsking: isAsking))
                #expect(end > .seconds(10) && end < .seconds(13))
                #expect(care.reason == .lineLimit(line, .seconds(10)))
            }
        }
        // A client that does nothing at all, such as during a slow start, is not ended.
        try lookAfterWaiting(keys, activity: TransportActivity()) { host, care in
            #expect(time(ofEndOf: care, on: host) == nil)
        }
    }

    @Test func `has time for a card that has just arrived`() throws {
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
    func `on PC/SC notices that its card leaves and is ended if stated to be resident`(
        _ client: [String], _ last: String
    ) throws {
        let run = try run(client, ["--taps", "1"])
        #expect(run.outcome.exitCode == 0 && run.isDismissed, "\(run.outcome.output)")
        #expect(run.text.contains(last), "\(run.text)")
    }

    @Test(arguments: [1, 2])
    func `on libnfc notices that its card leaves after the same number of polls each time`(_ number: Int) throws {
        let run = try run(["nfc-poll"])
        #expect(run.outcome.exitCode == 0 && run.text.contains("done."), "\(run.outcome.output)")
        #expect(run.report["exchanges"]?.items.count { $0["command"]?["is"]?.text == "READ page 00" } == 10)
        #expect(!run.isDismissed && run.decisions.isEmpty)
    }

    @Test func `on nfcpy notices that its tag leaves and ends on its own`() throws {
        let run = try run([TapSimProgram.python, "Tests/Clients/nfcpy_waiting.py", "{nfcpy}"])
        #expect(run.outcome.exitCode == 0 && run.text.contains("NXP NTAG215"), "\(run.outcome.output)")
        #expect(!run.isDismissed && run.decisions.isEmpty)
    }

    @Test func `on nfcpy that serves tag after tag reads each of several visits`() throws {
        let run = try run(
            [TapSimProgram.python, "Tests/Clients/nfcpy_waiting.py", "{nfcpy}", "--forever"],
            in: "taps: {count: 2, gap: 50ms}\n")
        #expect(run.outcome.exitCode == 0, "\(run.outcome.output)")
        #expect(run.text.split(separator: "\n").count == 2 && run.isDismissed, "\(run.text)")
    }

    @Test func `keeps its card if there is a timeline, and fails with hints`() throws {
        let run = try run([Self.kiosk.get()], in: "timeline: [{tap: tag}]\n", ["--timeout", "2500ms"])
        #expect(run.outcome.exitCode == 124)
        let hint = run.report["failures"]?[0]?["hint"]?.text ?? ""
        for word in ["client.ready", "taps", "remove", "client.kill_after", "--timeout"] {
            #expect(hint.contains(word), "\(hint)")
        }
        #expect(run.report["reproduce"]?.text?.contains("--timeout 2500ms") == true)
    }

    @Test func `is ended when the scenario states, and is judged by its output`() throws {
        let kiosk = try Self.kiosk.get()
        let client = "client: {run: [\(kiosk)], kill_after: 600ms, result: stdout}\ntimeline: [{tap: tag}]\n"
        let good = try run([], in: client + "expect: {client: {stdout: \"\(Self.uid)\"}, counts: {ntag.write: 0}}\n")
        #expect(good.outcome.exitCode == 0, "\(good.outcome.output)")
        #expect(good.report["client"]?["killed_after"]?.text == "600ms")
        let bad = try run([], in: client + "expect: {client: {stdout: another}}\n")
        #expect(bad.outcome.exitCode == 1)
        let exit = try run([], in: client + "expect: {client: {exit: 0}}\n")
        #expect(exit.outcome.exitCode == 1 && exit.complaint == "a client still running after 600ms")
    }

    @Test func `that has ended does not affect later steps, and skipped steps are reported`() throws {
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
                expect: {never: [{command: a3.select, card: tag}]}

                """)
        #expect(run.outcome.exitCode == 0, "\(run.outcome.output)")
        #expect(run.decisions.count == 1 && run.decisions[0].hasSuffix("waiting.yaml:6 came"), "\(run.decisions)")
    }

    @Test func `fails if it ends before a card arrives`() throws {
        let file = try TapSimProgram.file("bye.py", Self.polite)
        for timeline in [
            "[{tap: tag}, {remove: tag}, {at: 30s, tap: tag}]", "[{tap: tag}, \(Self.awaited), {tap: tag}]",
        ] {
            let run = try run(["python3", file], in: "timeline: \(timeline)\n")
            #expect(run.outcome.exitCode == 1, "\(run.outcome.output)")
            #expect(run.complaint.hasPrefix("a client that ended before the card `tag` was tapped"), "\(run.complaint)")
        }
        let scenario = try TapSimProgram.file(
            "bye.yaml", Self.tag + "timeline: [{tap: tag}, {remove: tag}, {at: 30s, tap: tag}]\n")
        let fuzz = try TapSim.run(["fuzz", scenario, "--", "python3", file])
        #expect(fuzz.exitCode == 5 && fuzz.error.contains("ended before the card `tag` was tapped"), "\(fuzz.error)")
    }

    private static let awaited = "{when: {event: client.line, line: never}, remove: tag}"
    private static let polite = """
        import sys
        sys.path.insert(0, "Tests/Clients/zoo")
        import pcsc_light
        context = pcsc_light.Context()
        context.release()
        """

    @Test(arguments: [true, false])
    func `fails if it leaves a process with the reader, unless stated to be resident`(isDetached: Bool) throws {
        let script = """
            import os, sys, time
            sys.path.insert(0, "Tests/Clients/zoo")
            import pcsc_light as pcsc
            reading, writing = os.pipe()
            if os.fork() == 0:
                if \(isDetached ? 1 : 0):
                    os.setsid()
                context = pcsc.Context()
                card = pcsc.Card(context, context.reader())
                card.transmit(bytes.fromhex("FFCA000000"))
                os.write(writing, b"x")
                time.sleep(60)
            os.read(reading, 1)
            os._exit(0)
            """
        let file = try TapSimProgram.file("left.py", script)
        let left = try run(["python3", file])
        #expect(left.outcome.exitCode == 1, "\(left.outcome.output)")
        #expect(left.complaint.contains("a process it had started was still using the reader"), "\(left.complaint)")
        let stated = try run([], in: "client: {run: [python3, \(file)], kill_after: 50s}\n")
        #expect(stated.outcome.exitCode == 0, "\(stated.outcome.output)")
    }

    @Test func `fails if it leaves a process that opens the reader again and again`() throws {
        let script = """
            import os, sys, time
            sys.path.insert(0, "Tests/Clients/zoo")
            import pcsc_light as pcsc
            reading, writing = os.pipe()
            if os.fork() == 0:
                while True:
                    context = pcsc.Context()
                    card = pcsc.Card(context, context.reader())
                    card.transmit(bytes.fromhex("FFCA000000"))
                    card.close()
                    context.release()
                    os.write(writing, b"x")
                    time.sleep(0.05)
            os.read(reading, 1)
            os._exit(0)
            """
        let outcome = try TapSimProgram.run(
            ["run", "--card", "ndef", "--", "python3", TapSimProgram.file("again.py", script)])
        #expect(outcome.exitCode == 1, "\(outcome.output)")
        #expect(outcome.output.contains("a process it had started was still using the reader"), "\(outcome.output)")
    }

    @Test func `fails if it ends between its ready line and its first card`() throws {
        try lookAfterWaiting("client: {run: [x], ready: hello}\n") { _, care in
            care.wrote(Array("hello\n".utf8), to: .output)
            care.ended()
            let visits = care.complete(ClientReport(end: .exit(0))).visits
            #expect(visits == ClientReport.Visits(planned: 1, finished: 0))
        }
    }

    @Test func `reports decisions by the clock if it fails`() throws {
        let run = try run(
            [Self.kiosk.get(), "--once"],
            in: "timeline: [{tap: tag}, {at: 1500ms, remove: tag}]\nexpect: {never: [a3.wupa]}\n")
        #expect(run.outcome.exitCode == 1)
        #expect(
            run.decisions.contains { $0.contains("waiting.yaml:4 came at its own time") }, "\(run.decisions)")
    }

    @Test(arguments: ["5", "0s", "soon", "-1s"])
    func `rejects an invalid time limit`(_ time: String) throws {
        let outcome = try TapSim.run(["run", "--card", "suica", "--timeout", time])
        #expect(outcome.exitCode == 2 && outcome.error.contains("`--timeout \(time)`"), "\(outcome.error)")
    }
}

/// A terminal that reports errors on its screen and keeps running.
@Suite struct `A client that reports on its screen` {
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

    /// Prints the result of reading pages, and stays or ends.
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

    @Test(arguments: [
        (good, "", 0), (good + stays, "taps: 1\n", 0), ("print('data', read())\n", "", 1),
        ("print('data 00')\n", "", 1),
    ])
    func `passes under a fault if it reports the error, with exit code 0 or by staying`(
        _ script: String, _ taps: String, _ code: Int
    ) throws {
        let fault = "faults: [{when: ntag.read, times: 1.., do: {ntag.nak: {code: 0}}}]"
        let expect = "expect: {client: {verdict: correct_or_error}}"
        let outcome = try TapSim.run(["run", scenario(script, "\(taps)\(fault)\n\(expect)"), "--allow-client"])
        // No fault can be injected into a client that never reads.
        #expect(outcome.exitCode == Int32(code), "\(outcome.output)")
        #expect(code != 0 || outcome.output.contains("clear error"), "\(outcome.output)")
    }

    @Test(arguments: [
        (good + "context.release()\n", [], 0), (good + stays, ["--taps", "1"], 0),
        ("try: print('data', read())\nexcept Exception: print('data')\n", [], 1),
    ])
    func `is judged the same way by tapsim fuzz`(_ script: String, _ taps: [String], _ code: Int) throws {
        let outcome = try TapSim.run(
            ["fuzz", scenario(script, ""), "--allow-client", "--only", "ntag.nak", "--timeout", "30s"] + taps)
        #expect(outcome.exitCode == Int32(code), "\(outcome.output)\(outcome.error)")
    }

    @Test func `fails the baseline runs if it reports an error without any fault`() throws {
        let script = "print('card error', flush=True)\nread()\n"
        let outcome = try TapSim.run(["fuzz", scenario(script, ""), "--allow-client", "--only", "ntag.nak"])
        #expect(outcome.exitCode == 5 && outcome.error.contains("fails without any fault"), "\(outcome.error)")
    }
}

import TapDocument
import TapSystem
import Testing

/// Resident programs: how a scenario controls them from their first line to their end.
@Suite struct `A client that stays` {
    private static let uid = "04A1B2C3D4E580"
    private static let cards = """
        format: 1
        cards: {tag: {ic: NTAG215, uid: "04 A1 B2 C3 D4 E5 80"}, suica: {template: suica}}

        """
    private static let resident = """
        client: {run: [python3, Tests/Clients/resident.py], ready: ready, kill_after: 60s}

        """

    private struct Run {
        let outcome: CommandOutcome
        let report: Node

        var lines: [String] {
            (report["client"]?["stdout"]?.text ?? "").split(separator: "\n").map(String.init)
        }
        var complaints: [String] { report["failures"]?.items.compactMap { $0["got"]?.text } ?? [] }
    }

    private func run(_ text: String) throws -> Run {
        let file = try TapSimProgram.file("resident.yaml", Self.cards + text)
        let outcome = try TapSim.run(["run", file, "--allow-client", "--json"])
        let report = outcome.json?["scenarios"]?[0]?["cases"]?[0]
        return Run(outcome: outcome, report: try #require(report, "\(outcome.output)\n\(outcome.error)"))
    }

    @Test func `is started once, reads a card at each visit, and is then asked to end`() throws {
        let run = try run(
            Self.resident + """
                reader: {model: acr122u, over: pcsc}
                taps: {count: 3, gap: 200ms, done: done}
                timeline: [{tap: tag}]
                expect: {client: {stdout: "\(Self.uid) at ACS ACR122U"}}
                """)
        #expect(run.outcome.exitCode == 0, "\(run.outcome.output)")
        #expect(run.lines.filter { $0.hasPrefix(Self.uid) }.count == 3 && run.lines.filter { $0 == "ready" }.count == 1)
        #expect(run.report["client"]?["visits"] == ["planned": 3, "finished": 3])
        #expect(run.report["client"]?["dismissed"]?.text == "true")
    }

    @Test func `is asked to end after its visits even if faults occur`() throws {
        let run = try run(
            Self.resident + """
                reader: {model: acr122u, over: pcsc}
                taps: {count: 2, gap: 200ms, done: done}
                timeline: [{tap: tag}]
                faults: [{when: {call: connect}, do: {pcsc.slow: {by: 1ms}}}]
                """)
        #expect(run.outcome.exitCode == 0, "\(run.outcome.output)")
        #expect(run.report["client"]?["visits"] == ["planned": 2, "finished": 2])
        #expect(run.report["client"]?["dismissed"]?.text == "true")
    }

    @Test func `that ends too early is reported with the visit`() throws {
        let client = "client: {run: [sh, -c, 'echo ready; sleep 0.2'], ready: ready}\ntaps: 2\n"
        let run = try run(client + "reader: {model: acr122u, over: pcsc}\n")
        #expect(run.complaints.contains { $0.hasPrefix("an exit in visit 1") })
    }

    @Test(arguments: [
        ("exit 3", "", "exit 3 without it"), ("echo read y; kill -SEGV $$", "", "a crash by signal 11"),
        ("sleep 60", ", kill_after: 300ms", "a client that was still running without it"),
    ])
    func `that is never ready fails for that reason alone`(_ script: String, _ more: String, _ got: String) throws {
        let run = try run("client: {run: [sh, -c, '\(script)'], ready: ready\(more)}\n")
        #expect(run.complaints.count == 1 && run.complaints[0].hasPrefix(got), "\(run.complaints)")
    }

    @Test func `that becomes idle is ended long before its time limit`() throws {
        let run = try run("client: {run: [sh, -c, 'echo a; sleep 100']}\nsettings: {limits: {idle: 300ms}}\n")
        #expect(run.outcome.exitCode == 124)
        #expect(
            run.complaints.contains("none opened: it neither printed nor sent anything for 300ms"), "\(run.complaints)")
    }

    @Test func `that sends the same command forever is ended`() throws {
        let script = """
            import socket, sys
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            host, port = sys.argv[1].split(":")[1:]
            while True: s.sendto(b"212F 10060102030405060708010b00018000", (host, int(port)))
            """.replacing("\n", with: "\n      ")
        let run = try run(
            """
            client:
              run:
                - python3
                - -c
                - |
                  \(script)
                - "{nfcpy}"
            settings: {limits: {retries_per_command: 20}}
            """)
        #expect(run.complaints.contains("the same command 20 times in a row"), "\(run.outcome.output)")
        #expect(run.report["exchanges"]?.items.count == 21)
    }

    @Test func `reads lines sent by the timeline, and advances the timeline with its output`() throws {
        let run = try run(
            Self.resident + """
                reader: {model: acr122u, over: pcsc}
                taps: {count: 1, gap: 50ms, done: done}
                timeline:
                  - {when: {event: client.ready}, send: hello}
                  - {when: {event: client.line, line: told hello}, tap: tag}
                  - {when: {event: client.line, line: done}, send: once more}
                  - {when: {event: client.line, line: once more}, note: heard}
                """)
        #expect(run.outcome.exitCode == 0, "\(run.outcome.output)")
        let told = run.lines.filter { $0.hasPrefix("told") || $0.hasPrefix(Self.uid) }.map { $0.prefix(14) }
        #expect(told == ["told hello", Self.uid[...], "told once more"].map { $0.prefix(14) })
    }

    @Test func `sees cards on the right one of several readers`() throws {
        let run = try run(
            Self.resident + """
                readers: {gate: {model: acr122u, name: Gate}, desk: {model: storage-card, name: Desk}}
                taps: {count: 2, gap: 200ms, quiet: 400ms}
                timeline: [{tap: {card: tag, reader: desk}}, {tap: suica}]
                """)
        #expect(run.outcome.exitCode == 0, "\(run.outcome.output)")
        #expect(run.lines.filter { $0.contains("at Gate") }.count == 2)
        #expect(run.lines.filter { $0.hasPrefix("\(Self.uid) at Desk") }.count == 2)
    }

    @Test func `loses its reader and finds it again, and the card in it`() throws {
        let run = try run(
            Self.resident + """
                reader: {model: acr122u, over: pcsc}
                taps: {count: 1, gap: 50ms, quiet: 300ms}
                timeline:
                  - {tap: tag}
                  - {when: {event: client.line, line: done}, unplug: reader}
                  - {when: {event: client.line, line: readers 0}, plug: reader}
                  - {when: {event: client.line, line: done}, set: {card: tag, values: {uid: "04 11 22 33 44 55 66"}}}
                  - {when: {event: client.line, line: done}, note: enough}
                """)
        #expect(run.outcome.exitCode == 0, "\(run.outcome.output)")
        let seen = run.lines.filter { $0.hasPrefix("readers") || $0.hasPrefix("04") }.map { String($0.prefix(14)) }
        #expect(seen == ["readers 1", Self.uid, "readers 0", "readers 1", Self.uid, "04112233445566"])
    }

    @Test func `loses the card as soon as it has connected to it`() throws {
        let run = try run(
            Self.resident + """
                reader: {model: acr122u, over: pcsc}
                taps: {count: 1, gap: 50ms, quiet: 300ms}
                timeline: [{tap: tag}, {when: {event: reader.connected}, remove: tag}]
                """)
        #expect(run.outcome.exitCode == 0, "\(run.outcome.output)")
        #expect(!run.lines.contains { $0.hasPrefix(Self.uid) } && run.lines.contains { $0.hasPrefix("ready") })
    }

    @Test func `writes its result to a file of the run, which the next run does not see`() throws {
        let write =
            #"client: {run: [sh, -c, 'echo "{\"a\": 1}" > "$1/out.json"', x, "{run_dir}"], result: {file: out.json}}"#
        #expect(try run(write).report["client"]?["result"] == ["a": 1])
        let none = "client: {run: [sh, -c, 'ls \"$TAPSIM_RUN_DIR\"'], result: {file: out.json}}"
        let run = try run(none)
        #expect(run.report["client"]?["result"] == nil && run.lines == [])
    }

    @Test(arguments: [
        ("taps: 2\n", "a built-in client reads once and ends"), ("timeline: [{send: x}]\n", "`send` has no effect"),
    ])
    func `is required where a built-in client cannot do this`(_ text: String, _ got: String) throws {
        let file = try TapSimProgram.file("resident.yaml", Self.cards + text)
        let outcome = try TapSim.run(["run", file])
        #expect(outcome.exitCode != 0 && outcome.error.contains(got), "\(outcome.output)\(outcome.error)")
    }
}

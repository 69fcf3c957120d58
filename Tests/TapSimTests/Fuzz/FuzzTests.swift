import TapDocument
import TapScenario
import TestSupport
import Testing

@Suite struct `tapsim fuzz` {
    private let card = ["fuzz", "--card", "suica:trips=4"]

    /// Wrong data in a successful answer shows only to a client that reads twice, which the built-in client does not.
    private static let onlyBySecondReading = [
        "felica.reorder", "felica.repeat_block", "felica.zero_blocks", "felica.torn_block", "felica.cyclic_shift",
    ]

    @Test func `injects every fault into the built-in client, which is right or reports an error`() throws {
        let outcome = try TapSim.run(card + ["--json"])
        let grid = try #require(outcome.json?["cases"]?[0])
        let runs = try #require(grid["runs"]?.items)
        #expect(runs.count > 100)
        let told = runs.filter { !Self.onlyBySecondReading.contains($0["fault"]?.text ?? "") }
        let verdicts = Set(told.compactMap { $0["verdict"]?.text })
        #expect(verdicts.isSubset(of: ["correct", "clear error", "not reached"]), "\(verdicts)")
        let correct = runs.count { $0["verdict"]?.text == "correct" }
        #expect(correct > 50)
        #expect(grid["totals"]?["correct"]?.text == "\(correct)")
    }

    private static let furtherSeeds = 2...(TestScale.isLong ? 6 : 2)

    /// Any finding on a control card is a false alarm.
    @Test(arguments: CardLanguage.templates.map { ($0.name, 1) } + furtherSeeds.map { ("suica", $0) })
    func `finds no mistake in the built-in clients`(card: String, seed: Int) throws {
        let words = ["fuzz", "--card", card, "--seed", "\(seed)", "--only", "card.*", "--only", "rf.silence"]
        let outcome = try TapSim.run(words)
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
    }

    @Test func `gives the same grid each time, whatever runs at once`() throws {
        let one = try TapSim.run(card + ["--jobs", "1", "--only", "rf.*"])
        let many = try TapSim.run(card + ["--jobs", "8", "--only", "rf.*"])
        #expect(one.output == many.output)
        #expect(one.output.contains("rf.silence"))
    }

    @Test func `lists its runs, and splits them into parts that cover all of them`() throws {
        let list = ["--only", "felica.*", "--only", "rf.silence@3+rf.silence@5", "--list"]
        let whole = try TapSim.run(card + list).output.split(separator: "\n").filter { $0.contains("@") }
        let parts = try (1...3).flatMap { part in
            try TapSim.run(card + list + ["--shard", "\(part)/3"]).output.split(separator: "\n")
                .filter { $0.contains("@") }
        }
        #expect(whole.count > 20)
        #expect(parts.sorted() == whole.sorted())
    }

    @Test func `continues if no requested fault fits a case, and if a part of the work is empty`() throws {
        let files = ["Scenarios/felica/emoney.yaml", "Scenarios/ntag215/ndef.yaml"]
        let mixed = try TapSim.run(["fuzz"] + files + ["--only", "ntag.nak", "--list"])
        #expect(mixed.exitCode == 0, "\(mixed.error)")
        #expect(mixed.output.contains("no selected fault applies") && mixed.output.contains("ntag.nak@"))
        let part = try TapSim.run(card + ["--only", "rf.silence", "--shard", "90/90"])
        #expect(part.exitCode == 0, "\(part.error)")
    }

    @Test func `reports a client that opens no reader, and distinguishes a missing client from a finding`() throws {
        let blind = try TapSim.run(card + ["--", "true"])
        #expect(blind.exitCode == 5)
        #expect(blind.error.contains("opened no reader"), "\(blind.error)")
        #expect(try TapSim.run(card + ["--", "/nonexistent"]).exitCode == 2)
    }

    @Test func `does not blame a client for the time that a fault adds to a call`() throws {
        let client = try ZooProgram.felica.command(ZooProgram.correct)
        let words = ["fuzz", ZooProgram.felica.scenarioPath, "--timeout", "1s", "--only", "pcsc.slow:by=1200ms@c4"]
        let outcome = try TapSim.run(words + ["--json", "--"] + client)
        #expect(outcome.exitCode == 0, "\(outcome.output)")
        #expect(outcome.json?["cases"]?[0]?["guided"]?["runs"]?.text == "1")
    }

    @Test func `repeats one run by its name`() throws {
        let outcome = try TapSim.run(card + ["--only", "felica.status@4", "--json"])
        let runs = outcome.json?["cases"]?[0]?["runs"]?.items ?? []
        #expect(runs.map { $0["exchange"]?.text } == ["4"])
    }

    @Test(arguments: [
        (["--only", "rf.silense"], "matches no fault"), (["--only", "ntag.*"], "there is nothing to run"),
        (["--shard", "3/2"], "needs a part such as"), (["--jobs", "0"], "needs a number from 1 to"),
    ])
    func `rejects invalid options with a reason`(options: [String], words: String) throws {
        let outcome = try TapSim.run(card + options)
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains(words), "\(outcome.error)")
    }

    @Test func `injects no faults for a card of another kind, even if the client searches for one`() throws {
        let words = ["fuzz", "--card", "ndef", "--only", "rf.lose_tag", "--only", "rf.silence", "--", "nfc-list"]
        let outcome = try TapSim.run(words)
        #expect(!outcome.error.contains("error:"), "\(outcome.error)")
        #expect(outcome.output.contains("Polling") && outcome.output.contains("rf.lose_tag"))
        #expect(!outcome.output.contains("felica.polling"))
    }

    @Test func `accepts a report of no card if the field is too weak to select one`() throws {
        let outcome = try TapSim.run(["fuzz", "--card", "ndef", "--only", "rf.weak_field@1", "--", "nfc-list"])
        #expect(outcome.exitCode == 0 && outcome.output.contains("1 run: 1 correct"), "\(outcome.output)")
    }

    @Test func `injects faults of the default reader of the client`() throws {
        let words = ["fuzz", "--card", "ndef", "--only", "reader.chip_status", "--json", "--", "nfc-list"]
        let outcome = try TapSim.run(words)
        let runs = outcome.json?["cases"]?[0]?["runs"]?.items ?? []
        #expect(runs.count > 5 && runs.allSatisfy { $0["verdict"]?.text != "not reached" }, "\(outcome.error)")
    }

    @Test func `lists the faults it never tried`() throws {
        let words = ["--only", "rf.silence", "--only", "app.*", "--only", "a3.*"]
        let outcome = try TapSim.run(card + words)
        let first = "not tried, because they fit nothing here: a3.*, app.ndef_bytes, app.ndef_length"
        #expect(outcome.output.contains(first), "\(outcome.output)")
        let untried = try TapSim.run(card + words + ["--json"]).json?["cases"]?[0]?["not_tried"]?.items ?? []
        #expect(untried.compactMap(\.text).contains("app.text_utf8"))
        #expect(!untried.compactMap(\.text).contains("rf.silence"))
    }

    @Test func `gives a program the same grid each time if the card returns`() throws {
        let words = ["fuzz", ZooProgram.tag.scenarioPath, "--only", "pcsc.removed_inside", "--only", "rf.swap", "--"]
        let client = try ZooProgram.tag.command(ZooProgram.correct)
        let one = try TapSim.run(words + client)
        let other = try TapSim.run(words + client)
        #expect(one.output == other.output, "\(one.error)\(other.error)")
        #expect(one.output.contains("pcsc.removed_inside"))
    }

    @Test func `rejects a client whose baseline run fails the scenario`() throws {
        let scenario = try TapSimProgram.file(
            "expected.yaml",
            """
            format: 1
            cards: {card: {template: suica, balance: 3120, trips: 4}}
            cases:
              - {name: right, expect: {result: {/balance: 3120}}}
              - {name: disturbed, faults: [{when: felica.read, do: felica.status}], expect: {client: {exit: 1..}}}
              - {name: wrong, expect: {result: {/balance: 12300}}}
            """)
        let words = ["fuzz", scenario, "--only", "rf.silence"]
        #expect(try TapSim.run(words + ["--case", "right", "--case", "disturbed"]).exitCode == 0)
        let outcome = try TapSim.run(words + ["--json"])
        #expect(outcome.exitCode == 5)
        #expect(outcome.json?["error"]?["kind"]?.text == "baseline")
        let pieces = [
            "the client fails this scenario even without faults", "expected 12300, got 3120",
        ]
        let error = outcome.json?["error"]?["message"]?.text ?? "\(outcome.output)"
        #expect(pieces.allSatisfy(error.contains), "\(error)")
    }

    @Test func `reads cards back with a correct client after a power cut during a write`() throws {
        let writer = ZooProgram.writer
        let outcome = try TapSim.run(
            ["fuzz", writer.scenarioPath, "--only", "mem.tear", "--json", "--"] + writer.command(ZooProgram.correct))
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        let runs = outcome.json?["cases"]?[0]?["runs"]?.items ?? []
        #expect(runs.count >= 3)
        let readings = Set(runs.compactMap { $0["read_back"]?.text })
        #expect(readings.count > 1, "\(readings)")
    }

    @Test func `waits for a client with a longer time-out, and reports no hang if it gives up`() throws {
        let slow = try TapSimProgram.file(
            "slow.py",
            """
            import sys, time
            sys.path.insert(0, "Tests/Clients/zoo")
            from pcsc_light import Card, Context
            context = Context()
            reader = context.reader()
            context.wait_for_card(reader, 100)
            card = Card(context, reader)
            data, status = card.transmit(bytes.fromhex("FFB0000404"))
            card.close()
            context.release()
            if status != 0x9000:
                time.sleep(3 if sys.argv[1] == "patient" else 60)
                sys.exit("the tag did not answer within three seconds")
            print(data.hex())
            """)
        let words = ["fuzz", "--card", "ndef:uid=04A1B2C3D4E580", "--only", "rf.silence@6", "--json", "--"]
        for (word, verdict) in [("patient", "clear error"), ("stuck", "hang")] {
            let outcome = try TapSim.run(words + [TapSimProgram.python, "-s", slow, word])
            let found = outcome.json?["cases"]?[0]?["runs"]?.items.compactMap { $0["verdict"]?.text }
            #expect(found == [verdict], "\(outcome.output)\(outcome.error)")
        }
    }

    @Test func `accepts the complete data of another card, but not a mixture of two cards`() throws {
        let client = try TapSimProgram.file(
            "two.py",
            """
            import sys
            sys.path.insert(0, "Tests/Clients/zoo")
            from pcsc_light import Card, Context, PCSCError
            context = Context()
            reader = context.reader()
            memory, page = b"", 4
            for attempt in range(3):
                context.wait_for_card(reader, 1000)
                card = Card(context, reader)
                try:
                    if sys.argv[1] == "starts over":
                        memory, page = b"", 4
                    while page < 16:
                        data, status = card.transmit(bytes([0xFF, 0xB0, 0, page, 16]))
                        if status != 0x9000:
                            raise PCSCError("read", status)
                        memory, page = memory + data, page + 4
                    break
                except PCSCError:
                    continue
                finally:
                    card.close()
            else:
                sys.exit("the tag was lost")
            context.release()
            print(memory.hex())
            """)
        let words = ["fuzz", "--card", "ndef:uid=04A1B2C3D4E580", "--only", "rf.swap@6", "--json", "--"]
        for (word, verdict) in [("starts over", "correct"), ("goes on", "wrong result")] {
            let outcome = try TapSim.run(words + [TapSimProgram.python, "-s", client, word])
            let found = outcome.json?["cases"]?[0]?["runs"]?.items.compactMap { $0["verdict"]?.text }
            #expect(found == [verdict], "\(outcome.output)\(outcome.error)")
        }
    }

    @Test func `does not blame a client that reads twice for two identical wrong answers`() throws {
        let client = try TapSimProgram.file(
            "twice.py",
            """
            import sys
            sys.path.insert(0, "Tests/Clients/zoo")
            from pcsc_light import Card, Context
            context = Context()
            reader = context.reader()
            context.wait_for_card(reader, 1000)
            card = Card(context, reader)
            answers = [card.transmit(bytes([0xFF, 0xB0, 0, 4, 16])) for _ in range(2)]
            card.close()
            context.release()
            if answers[0] != answers[1] or answers[0][1] != 0x9000:
                sys.exit("the tag could not be read")
            print(answers[0][0].hex())
            """)
        let wrong = "ntag.wrong_page@6"
        for (run, result) in [(wrong, "1 run: 1 clear error"), ("\(wrong)+ntag.wrong_page@7", "1 run: 1 correct")] {
            let outcome = try TapSim.run(
                ["fuzz", "--card", "ndef:uid=04A1B2C3D4E580", "--only", run, "--", TapSimProgram.python, "-s", client])
            #expect(outcome.exitCode == 0 && outcome.output.contains(result), "\(outcome.output)\(outcome.error)")
        }
    }

    @Test func `lets a resident client read any card in each of its visits`() throws {
        let client = try TapSimProgram.file(
            "kiosk.py",
            """
            import ctypes, sys
            sys.path.insert(0, "Tests/Clients/zoo")
            from pcsc_light import CHANGED, PRESENT, Card, Context, PCSCError, ReaderState, Word, call
            context = Context()
            state = ReaderState(name=context.reader())
            def wait(is_there):
                while bool(state.event & PRESENT) != is_there:
                    state.current = state.event & ~CHANGED
                    call("SCardGetStatusChange", context.handle, Word(60000), ctypes.byref(state), Word(1))
            def read(card, apdu):
                data, status = card.transmit(bytes.fromhex(apdu))
                if status != 0x9000:
                    raise PCSCError("read", 0)
                return data.hex()
            print("touch", flush=True)
            uid = last = ""
            for visit in range(2):
                for attempt in range(3):
                    wait(True)
                    try:
                        card = Card(context, state.name)
                        try:
                            uid = sys.argv[1] == "keeps" and uid or read(card, "FFCA000000")
                            data = read(card, "FFB0000410") + read(card, "FFB0000810")
                            break
                        finally:
                            card.close()
                    except PCSCError:
                        data = "card error"
                print(uid, sys.argv[1] == "lags" and last or data)
                print("next", flush=True)
                last = data
                wait(False)
            context.release()
            """)
        func verdicts(of word: String, _ fault: String, before cards: String) throws -> [String] {
            let file = try TapSimProgram.file(
                "kiosk.yaml",
                """
                format: 1
                reader: storage-card
                cards: {\(cards)}
                client:
                  run: [\(TapSimProgram.python), -s, \(client), \(word)]
                  ready: touch
                  clear_error: {stdout: card error}
                taps: {count: 2, done: next, gap: 50ms}
                """)
            let outcome = try TapSim.run(["fuzz", file, "--allow-client", "--only", fault, "--json"])
            let runs = outcome.json?["cases"]?[0]?["runs"]?.items ?? []
            return runs.compactMap { $0["verdict"]?.text }
        }
        let card = "tag: {ic: NTAG215, uid: 04A1B2C3D4E580, ndef: [{uri: \"https://a.io/first\"}]}"
        let cards = card + ", other: {ic: NTAG215, uid: 04A9B8C7D6E580, ndef: [{uri: \"https://b.io/second\"}]}"
        #expect(try verdicts(of: "forgets", "rf.swap", before: card) == Array(repeating: "correct", count: 4))
        #expect(try verdicts(of: "forgets", "rf.swap", before: cards) == Array(repeating: "correct", count: 4))
        let answered = try verdicts(of: "forgets", "rf.silence", before: cards)
        #expect(answered.count > 10)
        #expect(Set(answered) == ["correct"])
        // A swap is harmless after the last answer of a visit.
        let mixed = ["wrong result", "correct", "wrong result", "correct"]
        #expect(try verdicts(of: "keeps", "rf.swap", before: card) == mixed)
        #expect(try verdicts(of: "lags", "rf.swap", before: card) == mixed)
    }

    @Test func `reports a client that omits one of several cards`() throws {
        let client = try TapSimProgram.file(
            "inventory.py",
            """
            import sys
            sys.path.insert(0, "Tests/Clients/zoo")
            from pcsc_light import Card, Context, PCSCError
            context = Context()
            reader = context.reader()
            context.wait_for_card(reader, 3000)
            def pn532(card, command):
                data = bytes.fromhex(command)
                answer, status = card.transmit(bytes([0xFF, 0, 0, 0, len(data)]) + data)
                if status != 0x9000:
                    raise PCSCError("transmit", 0)
                return answer[2:]
            lines = []
            try:
                card = Card(context, reader)
                try:
                    count = pn532(card, "D44A0200")[0]
                    for number in range(1, count + 1):
                        answer = pn532(card, f"D4400{number}3004")
                        if answer[0] == 0:
                            lines.append(answer[1:].hex())
                finally:
                    card.close()
            except PCSCError as problem:
                sys.exit(f"card error: {problem}")
            finally:
                context.release()
            if sys.argv[1] == "tells" and len(lines) < 2:
                sys.exit("card error: a card is missing")
            for line in sorted(lines):
                print(line)
            """)
        let file = try TapSimProgram.file(
            "inventory.yaml",
            """
            format: 1
            reader: acr122u
            cards:
              tag: {ic: NTAG215, uid: 04A1B2C3D4E580, ndef: [{uri: "https://a.io/first"}]}
              other: {ic: NTAG215, uid: 04A9B8C7D6E580, ndef: [{uri: "https://b.io/second"}]}
            """)
        for (word, isTold) in [("tells", false), ("skips", true)] {
            let outcome = try TapSim.run(
                ["fuzz", file, "--only", "rf.silence", "--", TapSimProgram.python, "-s", client, word])
            #expect(outcome.output.contains("  silent loss  ") == isTold, "\(outcome.output)\(outcome.error)")
            #expect(outcome.exitCode == (isTold ? 1 : 0), "\(outcome.output)\(outcome.error)")
        }
    }

    @Test func `rejects a client with varying results, and suggests what to ignore`() throws {
        let file = try TapSimProgram.file(
            "client.sh", "#!/bin/sh\necho \"{\\\"time\\\": \\\"$(date +%N)\\\", \\\"trips\\\": 4}\"\n")
        let outcome = try TapSim.run(card + ["--only", "rf.silence", "--", "/bin/sh", file])
        #expect(outcome.exitCode == 5)
        #expect(outcome.error.contains("/time"), "\(outcome.error)")
        #expect(outcome.error.contains("ignore"), "\(outcome.error)")
    }

    @Test func `notices late that a client's output varies`() throws {
        let file = try TapSimProgram.file(
            "clock.py",
            """
            import os, sys, time
            sys.path.insert(0, "Tests/Clients/zoo")
            from pcsc_light import Card, Context
            count = sys.argv[1] + ".count"
            runs = os.path.getsize(count) if os.path.exists(count) else 0
            open(count, "a").write(".")
            context = Context()
            reader = context.reader()
            context.wait_for_card(reader, 1000)
            card = Card(context, reader)
            data, status = card.transmit(bytes.fromhex("FFB0000404"))
            card.close()
            context.release()
            print({"minute": "12:00" if runs < 3 else "12:01"}, data.hex())
            """)
        let outcome = try TapSim.run([
            "fuzz", "--card", "ndef", "--start-each", "--jobs", "1", "--only", "rf.delay@6", "--", TapSimProgram.python,
            "-s", file, file,
        ])
        #expect(
            outcome.exitCode == 5 && outcome.error.contains("a different result in baseline run 4"), "\(outcome.output)"
        )
    }

    @Test func `accepts a report of no card if the client had found none`() throws {
        let client = try TapSimProgram.file(
            "lister.py",
            """
            import sys
            sys.path.insert(0, "Tests/Clients/zoo")
            from pcsc_light import Card, Context, PCSCError
            context = Context()
            reader = context.reader()
            found = 0
            try:
                context.wait_for_card(reader, 100)
                card = Card(context, reader)
                for page in 4, 8:
                    if card.transmit(bytes([0xFF, 0xB0, 0, page, 16]))[1] != 0x9000:
                        raise PCSCError("read", page)
                card.close()
                found = 1
            except PCSCError:
                pass
            context.release()
            print("cards:", found)
            """)
        let words = ["fuzz", "--card", "ndef:uid=04A1B2C3D4E580", "--json", "--only"]
        for (run, verdict) in [
            ("rf.lose_tag@1", "correct"), ("rf.lose_tag@6", "wrong result"), ("rf.lose_tag@7", "wrong result"),
        ] {
            let outcome = try TapSim.run(words + [run, "--", TapSimProgram.python, "-s", client])
            let found = outcome.json?["cases"]?[0]?["runs"]?.items.compactMap { $0["verdict"]?.text }
            #expect(found == [verdict], "\(run) \(outcome.output)\(outcome.error)")
        }
    }
}

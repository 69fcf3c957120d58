import Foundation
import TapDocument
import TapSystem
import TapWire
import Testing

/// A client that treats every error as the end of the card, with some faults.
///
/// Some tests start `tapsim`, because signals end it.
@Suite struct `A campaign` {
    private static let faults = ["rf.silence", "felica.status", "felica.truncate", "felica.zero_blocks"]
    private static let loss = "unchecked failed exchanges"

    /// - Parameter isKept: Indicates whether to save findings in folders, which takes several runs each.
    private func fuzz(
        _ options: String..., only faults: [String] = faults, mistake: String = "swallows-errors", isKept: Bool = false
    ) throws -> CommandOutcome {
        let only = faults.flatMap { ["--only", $0] } + (isKept ? [] : ["--trace", "off"])
        let client = try ZooProgram.transit.command(mistake)
        return try TapSim.run(["fuzz", ZooProgram.transit.scenarioPath] + only + options + ["--"] + client)
    }

    private func causes(_ outcome: CommandOutcome) throws -> [Node] {
        try #require(outcome.json?["cases"]?[0]?["causes"]?.items, "\(outcome.error)")
    }

    @Test func `shows findings by cause, each with the command of its shortest run`() throws {
        let faults = ["rf.weak_field", "rf.silence", "rf.unheard", "rf.cut", "rf.bad_crc", "felica.status"]
        let outcome = try fuzz("--json", only: faults, isKept: true)
        #expect(outcome.exitCode == 1)
        let causes = try causes(outcome)
        let runs = try #require(outcome.json?["cases"]?[0]?["runs"]?.items)
        let found = runs.compactMap { $0["cause"]?.text }
        let keys = Set(causes.compactMap { $0["key"]?.text })
        #expect(keys.contains(Self.loss) && keys == Set(found))
        #expect(found.count > 2 * causes.count && causes.count <= 4, "\(causes.count) causes of \(found.count)")
        let loss = try #require(causes.first { $0["key"]?.text == Self.loss })
        #expect(loss["run"]?.text?.hasSuffix("@3") == true)
        #expect(loss["kept"]?.text?.hasSuffix("@3") == true)
        let repeated = try TapSim.run(TapSim.arguments(of: try #require(loss["reproduce"]?.text)))
        #expect(repeated.exitCode == 1)
        #expect(repeated.output.contains("cause      \(Self.loss)"), "\(repeated.output)\(repeated.error)")
    }

    @Test func `has the same counts on its page and on the terminal`() throws {
        let program = ZooProgram.felica
        let folder = try TapSimProgram.folderOfRuns()
        let only = ["felica.status", "rf.silence", "rf.bytes:at=10:set=00@6", "card.*"].flatMap { ["--only", $0] }
        let outcome = try TapSim.run(
            ["fuzz"] + program.card + only + ["--"] + program.command("ignores-status"), in: folder)
        let path = try #require(
            outcome.output.split(separator: "\n").first { $0.hasPrefix("page ") }?.split(separator: " ").last)
        let lines = try TapSimProgram.text(of: String(path), in: folder).split(separator: "\n")
        let start = try #require(lines.firstIndex(of: "<script type=\"application/json\" id=\"run\">"))
        var diagnostics = Diagnostics()
        let data = try #require(
            JSONReader().read(SourceFile(name: "page", text: String(lines[start + 1])), into: &diagnostics))
        let (shown, letters, texts) = (
            try #require(data["cases"]?[0]), data["letters"]?.items ?? [], data["texts"]?.items ?? []
        )
        let indexed = { (items: [Node], node: Node?) in node?.text.flatMap { Int($0) }.map { items[$0] } }
        // As `campaign.js` counts.
        let runs = shown["runs"]?.items ?? []
        let verdicts = runs.map { indexed(letters, $0["verdict"])?["verdict"]?.text ?? "not reached" }
        let combined = shown["guided"]?["findings"]?.items.compactMap { $0["cause"]?.text } ?? []
        let clean = shown["clean_findings"]?.items.compactMap { $0["cause"]?.text } ?? []
        let causes = Set(runs.compactMap { indexed(texts, $0["cause"])?.text } + combined).subtracting(clean)
        let summary = try #require(outcome.output.split(separator: "\n").first { $0.hasSuffix(" of findings") })
        #expect(summary.contains("  \(CountText.of(runs.count, "run")): "), "\(summary)")
        #expect(summary.hasSuffix("; \(CountText.of(causes.count, "cause")) of findings"), "\(summary)")
        for (verdict, runs) in Dictionary(grouping: verdicts, by: \.self) {
            #expect(summary.contains("\(runs.count) \(verdict)"), "\(verdict): \(summary)")
        }
        let count = outcome.output.components(separatedBy: "        cause      ").count - 1
        #expect(count == causes.count + Set(clean).count)
        let cards = shown["control_cards"]?.items.count ?? 0
        let wrong = Set(shown["clean_findings"]?.items.compactMap { $0["card"]?.text } ?? []).count
        #expect(
            cards > 5 && outcome.output.contains("  control cards: \(cards) more, \(wrong) wrong"), "\(outcome.output)")
    }

    @Test
    func
        `tells a client that reads once of answers that pass every check, apart from the rest, and can leave it at that`()
        throws
    {
        let faults = ["felica.zero_blocks", "felica.status", "rf.stale", "felica.cyclic_shift"]
        let outcome = try fuzz(only: faults, mistake: "reads-once")
        #expect(outcome.exitCode == 1)
        #expect(outcome.output.contains("cause      plausible content of felica.read"), "\(outcome.output)")
        #expect(outcome.output.contains("--ignore-plausible ignores it"))
        let ignoring = try fuzz("--ignore-plausible", only: faults, mistake: "reads-once")
        #expect(ignoring.exitCode == 0, "\(ignoring.output)")
        #expect(ignoring.output.contains("known  plausible content of felica.read"))
        let known = try TapSimProgram.file("known", "")
        let updating = try fuzz(
            "--ignore-plausible", "--known", known, "--update-known", only: faults, mistake: "reads-once")
        #expect(updating.exitCode == 0, "\(updating.error)")
        #expect(try String(contentsOfFile: known, encoding: .utf8).isEmpty)
    }

    @Test(arguments: [
        """
        import sys
        sys.path.insert(0, "Tests/Clients/zoo")
        from pcsc_light import Card, Context

        context = Context()
        reader = context.reader()
        context.wait_for_card(reader, 0xFFFFFFFF)
        card = Card(context, reader)
        print(card.transmit(bytes.fromhex("FFCA000000"))[0].hex())
        card.close()
        context.release()
        """,
        """
        import sys
        import nfc

        with nfc.ContactlessFrontend(sys.argv[1]) as frontend:
            frontend.connect(rdwr={"on-connect": lambda tag: print(tag.identifier.hex())})
        """,
    ])
    func `excuses a client that waits for a card without a limit, on request`(program: String) throws {
        let client = try TapSimProgram.file("waits.py", program)
        var words = ["fuzz", "--card", "ndef", "--only", "rf.lose_tag@1", "--timeout", "3s", "--trace", "off"]
        words += ["--ignore-waiting", "--", TapSimProgram.python, "-s", client]
        let outcome = try TapSim.run(words + (program.contains("nfc.") ? ["{nfcpy}"] : []))
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains("known  hang: it was still looking for a card, and none came"))
    }

    @Test(arguments: [
        (
            ["--only", "card.trips-99"],
            "note: `--only card.trips-99` matches nothing here: the control cards are card."
        ),
        (
            ["--only", "rf.silence@999", "--only", "rf.silence@3"],
            "matches nothing here: the baseline run has no place `999`; it has exchanges 1 to "
        ),
        (
            ["--only", "ntag.nak@1"],
            "matches nothing here: `ntag.nak` cannot be injected at exchange 1, felica.polling 1"
        ),
        (["--only", "rf.dup"], "did you mean `rf.duplicate`?"),
        (["--except", "--", "./reader"], "`--except` needs a value"),
    ])
    func `reports requested runs and faults that do not exist`(options: [String], text: String) throws {
        let outcome = try TapSim.run(["fuzz", "--card", "suica", "--trace", "off"] + options)
        #expect(outcome.error.contains(text), "\(outcome.error)")
    }

    @Test func `rejects an invalid line of known causes, and prints the command to continue`() throws {
        let file = NSTemporaryDirectory() + "known-\(UUID().uuidString).txt"
        try "# ours\n\nleak: context\nsilent los: x\n".write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let refused = try fuzz("--known", file)
        #expect(
            refused.exitCode == 2 && refused.error.contains("\(file):4: `silent los: x` is not a cause"),
            "\(refused.error)")
        let faults = ["rf.silence", "felica.status"]
        let stopped = try fuzz("--stop-after", "1", "--jobs", "1", only: faults, isKept: true)
        let line = try #require(stopped.output.split(separator: "\n").first { $0.hasPrefix("resume     tapsim fuzz ") })
        let words = line.dropFirst("resume     ".count).replacing("--stop-after 1 ", with: "--stop-after 9 ")
        let resumed = try TapSim.run(TapSim.arguments(of: words))
        #expect(resumed.exitCode == 1, "\(resumed.error)")
    }

    @Test func `reports causes as they are found, and the location of a crash`() throws {
        let outcome = try fuzz(mistake: "expects-trips")
        #expect(outcome.error.contains("crash  felica.zero_blocks@4: exit 1, and Python reports: IndexError"))
        #expect(outcome.output.contains("cause      crash: IndexError in transit_zoo.py, read"), "\(outcome.output)")
    }

    @Test func `fails only for new causes if known ones are listed`() throws {
        let file = try TapSimProgram.file("other.txt", "") + ".known"
        let missing = try fuzz("--known", file)
        #expect(missing.exitCode == 2 && missing.error.contains("--update-known"), "\(missing.error)")
        let empty = file + ".none"
        #expect(try fuzz("--known", empty, "--update-known", mistake: ZooProgram.correct).exitCode == 0)
        #expect(try String(contentsOfFile: empty, encoding: .utf8).hasPrefix("# Keys that `--known` does not count"))
        #expect(try fuzz("--known", file, "--update-known").exitCode == 1)
        let junit = try TapSimProgram.file("junit.xml", "")
        let later = try fuzz("--known", file, "--json", "--junit", junit)
        #expect(later.exitCode == 0)
        #expect(try causes(later).allSatisfy { $0["known"]?.text == "true" })
        let report = try String(contentsOfFile: junit, encoding: .utf8)
        #expect(report.contains("<skipped/>") && report.contains("failures=\"0\""))
        #expect(report.contains("name=\"other runs under faults\""))
        let other = try fuzz("--known", file, mistake: "expects-trips")
        #expect(other.exitCode == 1 && other.output.contains("crash: IndexError"))
    }

    @Test func `skips excluded faults, and ends after a number of causes`() throws {
        let rest = try fuzz("--except", "felica.*", "--except", "rf.silence@4", "--json")
        let runs = try #require(rest.json?["cases"]?[0]?["runs"]?.items)
        #expect(!runs.isEmpty && runs.allSatisfy { $0["fault"]?.text == "rf.silence" && $0["exchange"]?.text != "4" })
        let first = try fuzz("--stop-after", "1", "--jobs", "1", "--json")
        #expect(first.exitCode == 1)
        #expect(first.json?["stopped"]?.text == "causes")
        #expect(try causes(first).count == 1)
        #expect(try fuzz("--stop-after", "0").exitCode == 2)
        #expect(try fuzz("--update-known").exitCode == 2)
        #expect(try fuzz("--known", "/bin/sh").error.contains("is not UTF-8 text"))
        #expect(try fuzz("--known", "/bin").error.contains("is a folder"))
    }

    @Test func `continues where it ended, with the same result`() throws {
        let whole = try fuzz("--json")
        let first = try fuzz("--stop-after", "1", "--jobs", "1", "--json", isKept: true)
        let file = try TapSimProgram.file("first.json", first.output)
        let rest = try fuzz("--resume", file, "--json")
        let (made, all) = (rest.json?["cases"]?[0], whole.json?["cases"]?[0])
        for key in ["runs", "causes", "totals", "planned"] { #expect(made?[key] == all?[key], "\(key)") }
        #expect(rest.exitCode == 1 && made?["runs"]?.items.isEmpty == false)
        let other = try fuzz("--resume", file, mistake: "expects-trips")
        #expect(other.output.contains("crash: IndexError"), "what is known of another client does not count")
        #expect(other.error.contains("has no runs for this card, client and seed"), "\(other.error)")
        #expect(!rest.error.contains("has no runs"), "\(rest.error)")
        let broken = try TapSimProgram.file("broken.json", "{\"cases\": 3}")
        #expect(try fuzz("--resume", broken).error.contains("is not the output of `tapsim fuzz --json`"))
        let old = try TapSimProgram.file("old.json", "{\"tapsim\": \"0.0.1\", \"cases\": []}")
        #expect(try fuzz("--resume", old).error.contains("was written by tapsim 0.0.1"))
        #expect(try fuzz("--resume", "/nonexistent").exitCode == 2)
    }

    @Test(arguments: [("rf.silence", "nothing"), ("reader.no_data", "[90] [00] [4 bytes missing]")])
    func `names the client's package and the answer it received in a report`(fault: String, told: String)
        throws
    {
        let client = try TapSimProgram.file(
            "hasty.py",
            """
            import sys
            sys.path.insert(0, "Tests/Clients/zoo")
            from pcsc_light import Card, Context
            context = Context()
            reader = context.reader()
            context.wait_for_card(reader, 100)
            card = Card(context, reader)
            print(card.transmit(bytes.fromhex("FFB0000404"))[0][3])
            card.close()
            context.release()
            """)
        let info = URL(fileURLWithPath: client).deletingLastPathComponent().appending(path: "hasty-1.2.dist-info")
        try FileManager.default.createDirectory(at: info, withIntermediateDirectories: true)
        try Data("other.py,,\nhasty.py,sha256=x,300\n".utf8).write(to: info.appending(path: "RECORD"))
        let folder = try TapSimProgram.folderOfRuns()
        let outcome = try TapSim.run(
            ["fuzz", "--card", "ndef:uid=04A1B2C3D4E580", "--only", fault, "--", TapSimProgram.python, client],
            in: folder)
        let line = outcome.output.split(separator: "\n").first { $0.contains("  reproduce  ") }
        let repro = line?.split(separator: " ").last
        let scenario = String(try #require(repro, "\(outcome.output)\(outcome.error)"))
        let report = try TapSimProgram.text(of: scenario.replacing("repro.yaml", with: "report.md"), in: folder)
        #expect(report.contains("hasty.py`, of hasty 1.2, SHA-256 `"), "\(report)")
        #expect(report.contains("\n  received    \(told)\n"), "\(report)")
    }

    @Test func `shows its findings when interrupted`() throws {
        let errors = try TapSimProgram.file("errors.txt", "")
        let client = try ZooProgram.transit.command("swallows-errors").map { "\"\($0)\"" }.joined(separator: " ")
        let script = """
            "\(TapSimProgram.path)" fuzz \(ZooProgram.transit.scenarioPath) --jobs 1 -- \(client) 2>"$0" &
            until grep -q 'silent loss' "$0"; do sleep 0.05; done
            kill -TERM $!
            wait $!
            echo "exit $?"
            """
        let folder = try TapSimProgram.folderOfRuns()
        let outcome = try TapSimProgram.run(["-c", script, errors], program: "/bin/sh", in: folder)
        #expect(outcome.output.contains("stopped by an interrupt"), "\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains("cause      unchecked "))
        #expect(try String(contentsOfFile: errors, encoding: .utf8).contains("interrupt again to stop at once"))
        #expect(outcome.output.contains("exit 1"))
        let lines = outcome.output.split(separator: "\n").map { $0.drop { $0 == " " } }
        let line = try #require(lines.first { $0.hasPrefix("reproduce  ") }, "\(outcome.output)")
        let again = try TapSim.run(TapSim.arguments(of: line.dropFirst("reproduce  ".count), in: folder), in: folder)
        #expect(again.exitCode == 1, "\(again.output)\(again.error)")
    }

    @Test func `finds wrong results on standard error`() throws {
        let client = ["sh", "-c", #"exec "$@" >&2"#, "sh"] + (try ZooProgram.transit.command("swallows-errors"))
        let outcome = try TapSim.run(
            ["fuzz", ZooProgram.transit.scenarioPath, "--only", "felica.status", "--trace", "off", "--"] + client)
        #expect(outcome.exitCode == 1, "\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains("the same result on standard error in three runs"), "\(outcome.output)")
    }

    @Test func `marks the runs that were not performed`() throws {
        let outcome = try fuzz("--stop-after", "1", "--jobs", "1")
        let plan = try fuzz("--list", "--json").json?["cases"]?[0]?["runs"]?.items.count ?? 0
        #expect(outcome.output.contains(" of \(plan) runs, ended by --stop-after: "), "\(outcome.output)")
        #expect(outcome.output.contains("   ~ not run   blank: cannot be injected there"), "\(outcome.output)")
        let document = try fuzz("--stop-after", "1", "--jobs", "1", "--json").json?["cases"]?[0]
        let made = document?["runs"]?.items.count ?? 0
        #expect(made > 0 && made < plan && document?["planned"]?.text == "\(plan)")
        let open = try #require(document?["not_run"]?.items)
        #expect(open.allSatisfy { $0["fault"]?.text != nil && $0["exchanges"]?.text?.isEmpty == false })
    }

    @Test func `judges nothing in too short a time, and does not pass`() throws {
        let outcome = try fuzz("--time", "1ms")
        #expect(outcome.exitCode == 3 && outcome.error.contains("nothing was judged"), "\(outcome.error)")
    }

    /// A client that ends in time only in the first runs, which judge control cards.
    @Test func `does not pass if it has judged only control cards`() throws {
        let script = #"echo >>"$0"; [ $(wc -l <"$0") -gt $1 ] && exec sleep 100; shift; exec "$@""#
        let program = try ZooProgram.transit.command(ZooProgram.correct)
        let run = { (count: String, limit: Int, words: [String]) in
            try TapSim.run(
                ["fuzz", ZooProgram.transit.scenarioPath, "--trace", "off", "--jobs", "1", "--start-each"] + words
                    + ["--only", "card.*", "--only", "rf.silence", "--", "sh", "-c", script, count, "\(limit)"]
                    + program)
        }
        let count = try TapSimProgram.file("count", "")
        let listed = try run(count, .max, ["--list", "--json"])
        let cards = try #require(listed.json?["cases"]?[0]?["control_cards"]?.items.count, "\(listed.error)")
        let clean = try String(contentsOfFile: count, encoding: .utf8).count
        #expect(cards > 0 && clean > 0)
        let outcome = try run(try TapSimProgram.file("count", ""), clean + cards, ["--time", "8s"])
        #expect(outcome.exitCode == 3 && outcome.error.contains("nothing was judged"), "\(outcome)")
    }

    @Test func `keeps changes made to the list of known causes meanwhile`() throws {
        let known = try TapSimProgram.file("known", "")
        let script = #"grep -q mine "$0" || echo '# mine' >>"$0"; exec "$@""#
        let outcome = try TapSim.run(
            ["fuzz", ZooProgram.transit.scenarioPath, "--only", "felica.status", "--trace", "off"]
                + ["--known", known, "--update-known", "--", "sh", "-c", script, known]
                + ZooProgram.transit.command("swallows-errors"))
        #expect(outcome.exitCode == 1, "\(outcome.error)")
        let text = try String(contentsOfFile: known, encoding: .utf8)
        #expect(text.hasPrefix("# mine\n") && text.contains("\nunchecked status flags of felica.read\n"), "\(text)")
    }

    @Test(arguments: ["fuzz", "audit"])
    func `exits like a program ended by SIGTERM`(verb: String) throws {
        let mark = try TapSimProgram.file("mark", "") + ".begun"
        let client = try ZooProgram.transit.command(ZooProgram.correct).map { "\"\($0)\"" }.joined(separator: " ")
        let script = """
            "\(TapSimProgram.path)" \(verb) \(ZooProgram.transit.scenarioPath) --jobs 1 \
                -- sh -c 'touch \(mark); exec "$@"' sh \(client) &
            until test -e \(mark); do sleep 0.05; done
            kill -TERM $!
            wait $!
            echo "exit $?"
            """
        let outcome = try TapSimProgram.run(
            ["-c", script], program: "/bin/sh", in: try TapSimProgram.folderOfRuns())
        #expect(outcome.output.contains("exit 143"), "\(outcome.output)\(outcome.error)")
    }
}

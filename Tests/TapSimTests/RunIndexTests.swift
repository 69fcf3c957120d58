import Foundation
import TapDocument
import TapSystem
import TestSupport
import Testing

@testable import TapCommand

/// The index of a run, and its report as a ZIP file.
@Suite struct `The index of a run` {
    private static let scenario = """
        format: 1
        scenario: kiosk
        title: A kiosk <b>reads</b> the balance
        cards: {suica: {template: suica, balance: 3120}}
        client: {builtin: transit-history}
        cases:
          - {name: whole}
          - {name: taken, faults: [{when: {command: felica.read, nth: 2}, do: rf.lose_tag}], expect: {result: {/balance: 1}}}
          - {name: later, skip: true}
        """
    private let folder: String

    init() throws {
        folder = try TestFolder.make().path
        try Self.scenario.write(toFile: "\(folder)/kiosk.yaml", atomically: true, encoding: .utf8)
    }

    private func run(_ words: String...) throws -> CommandOutcome { try TapSim.run(["run"] + words, in: folder) }

    /// The folder of the only run.
    private var kept: String {
        get throws {
            let runs = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/.tapsim/runs")
            #expect(runs.count == 1)
            return "\(folder)/.tapsim/runs/\(try #require(runs.first))"
        }
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// The cases that a page lists.
    private func cases(of page: String) throws -> [Node] {
        let lines = page.split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasSuffix(#"id="run">"#) })
        var diagnostics = Diagnostics()
        let content = JSONReader().read(SourceFile(name: "index", text: String(lines[start + 1])), into: &diagnostics)
        return try #require(content?["cases"]?.items)
    }

    @Test func `lists passed, failed and skipped cases, with title, output and a page for each that ran`() throws {
        let outcome = try run("kiosk.yaml")
        #expect(outcome.exitCode == 1, "\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains("\n  A kiosk <b>reads</b> the balance\n"), "\(outcome.output)")
        #expect(outcome.output.contains("\nindex   .tapsim/runs/") && outcome.output.contains("/index.html\n"))
        let kept = try kept
        let page = try text("\(kept)/index.html")
        #expect(!page.contains("<b>reads"), "text cannot become markup")
        let cases = try cases(of: page)
        #expect(cases.map { $0["name"]?.text } == ["whole", "taken", "later"])
        #expect(cases.map { $0["passed"]?.text } == ["true", "false", nil])
        #expect(cases.allSatisfy { $0["title"]?.text == "A kiosk <b>reads</b> the balance" })
        #expect(cases.map { $0["page"]?.text } == ["kiosk-1/trace.html", "kiosk-2/trace.html", nil])
        for link in cases.compactMap({ $0["page"]?.text }) { #expect(try text("\(kept)/\(link)").contains("kiosk")) }
        #expect(cases[0]["stdout"]?.text?.contains("3120") == true)
        #expect(cases[1]["failures"]?.items.isEmpty == false && cases[1]["stderr"] != nil)
        // The trace of a case that passes is not kept.
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(kept)/kiosk-1") == ["trace.html"])
        #expect(try TapSim.run(["trace", "show"], in: folder).output.contains("kiosk-2/trace.html"))
    }

    @Test func `exists after a run without failures, which prints nothing more, and is the same the next time`() throws
    {
        let outcome = try run("kiosk.yaml", "--case", "whole")
        #expect(outcome.exitCode == 0 && !outcome.output.contains("index "), "\(outcome.output)\(outcome.error)")
        let first = try kept
        let page = try text("\(first)/index.html")
        try FileManager.default.removeItem(atPath: first)
        _ = try run("kiosk.yaml", "--case", "whole")
        #expect(try text("\(kept)/index.html") == page)
        #expect(try TapSim.run(["trace", "show"], in: folder).error.contains("contains no trace of a run"))
    }

    @Test func `contains only the end of long output`() throws {
        let client = ["--", "/bin/sh", "-c", "seq 100000"]
        _ = try TapSim.run(["run", "--card", "ndef", "--allow-no-read"] + client, in: folder)
        let printed = try #require(try cases(of: text("\(kept)/index.html")).first?["stdout"]?.text)
        #expect(printed.hasPrefix("…") && printed.hasSuffix("100000\n") && printed.utf8.count < 5_000)
    }

    @Test func `of runs that pass does not push out a run that failed`() throws {
        _ = try run("kiosk.yaml", "--case", "taken")
        let failed = try kept
        for _ in 1...22 { _ = try run("kiosk.yaml", "--case", "whole") }
        let working = WorkingFolder(folder)
        let old = RunFolder.oldRuns(in: working)
        #expect(old.count == RunFolder.runs(in: working).count - 1 - 19)
        #expect(!old.isEmpty && !old.contains { failed.hasSuffix($0) })
    }

    @Test func `is removed with an old run, unless somebody has added a file there`() throws {
        func run(_ count: Int) throws {
            for _ in 0..<count {
                #expect(try TapSimProgram.run(["run", "kiosk.yaml", "--case", "whole"], in: folder).exitCode == 0)
            }
        }
        try run(2)
        let runs = "\(folder)/.tapsim/runs"
        let first = try FileManager.default.contentsOfDirectory(atPath: runs).sorted()
        try "mine".write(toFile: "\(runs)/\(first[0])/kiosk-1/notes.md", atomically: true, encoding: .utf8)
        try run(20)
        #expect(try text("\(runs)/\(first[0])/kiosk-1/notes.md") == "mine")
        #expect(!FileManager.default.fileExists(atPath: "\(runs)/\(first[1])"))
    }

    @Test func `is absent if nothing is kept`() throws {
        _ = try run("kiosk.yaml", "--trace", "off")
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/.tapsim"))
    }

    @Test func `has the title that JUnit has too`() throws {
        _ = try run("kiosk.yaml", "--junit", "out.xml")
        let title = #"<property name="title" value="A kiosk &lt;b&gt;reads&lt;/b&gt; the balance"/>"#
        #expect(try text("\(folder)/out.xml").components(separatedBy: title).count == 2)
    }

    // MARK: The report

    /// The size, the checksum's validity and the names that Python finds in a ZIP file.
    private func entries(of file: String) throws -> [String] {
        let script = """
            import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
            print('\\n'.join(z.namelist())); z.extractall(sys.argv[1] + '.d')
            """
        let listed = try TapSimProgram.run(["-c", script, file], program: TapSimProgram.python)
        #expect(listed.exitCode == 0, "\(listed.error)")
        return listed.output.split(separator: "\n").map(String.init)
    }

    @Test func `opens a report, which contains every file of the run`() throws {
        let outcome = try run("kiosk.yaml", "--report", "out.zip")
        #expect(outcome.exitCode == 1 && outcome.output.contains("\nreport  out.zip\n"), "\(outcome.error)")
        let entries = try entries(of: "\(folder)/out.zip")
        #expect(entries.first == "index.html")
        let kept = try kept
        let files = try FileManager.default.subpathsOfDirectory(atPath: kept).filter {
            !$0.hasPrefix(".") && $0.contains(".")
        }
        #expect(entries.sorted() == files.sorted() && files.contains("kiosk-2/trace.pcapng"))
        for file in files {
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: "\(folder)/out.zip.d/\(file)"))
                    == Data(contentsOf: URL(fileURLWithPath: "\(kept)/\(file)")), "\(file)")
        }
        // The report of an earlier run is replaced.
        let again = try run("kiosk.yaml", "--case", "whole", "--report", "out.zip")
        #expect(again.exitCode == 0, "\(again.error)")
        #expect(try self.entries(of: "\(folder)/out.zip") == ["index.html", "kiosk-1/trace.html"])
    }

    @Test func `stays the report of the earlier run if a run is interrupted`() throws {
        _ = try run("kiosk.yaml", "--report", "out.zip")
        let report = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/out.zip"))
        let killed = try TapSimProgram.run(
            ["run", "--card", "suica", "--report", "out.zip", "--", "sh", "-c", "kill -INT $PPID; sleep 60"], in: folder
        )
        #expect(killed.exitCode == nil, "the signal ends the run: \(killed)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/out.zip")) == report)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(!names.contains { $0.hasSuffix(".tmp") }, "\(names)")
    }

    @Test(arguments: [
        (["out.zip"], "out.zip is a symbolic link to target; name a file"),
        (["folder.zip"], "cannot write folder.zip: Is a directory"),
        (["mine.zip"], "mine.zip exists and is not the report of a run"),
        (["pipe.zip"], "pipe.zip is a pipe or a device"),
        (["gone/out.zip"], "cannot write gone/out.zip: No such file or directory"),
        (["out.tar"], "`--report` writes a ZIP file, so `out.tar` must end in .zip"),
        (["new.zip", "--trace", "off"], "`--trace off` keeps nothing"),
    ]) func `is not packed into anything but a file of its own`(words: [String], complaint: String) throws {
        for name in ["target", "mine.zip"] {
            try "mine".write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        try FileManager.default.createDirectory(atPath: "\(folder)/folder.zip", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/out.zip", withDestinationPath: "target")
        #expect(unsafe mkfifo("\(folder)/pipe.zip", 0o600) == 0)
        let outcome = try TapSim.run(["run", "kiosk.yaml", "--report"] + words, in: folder)
        #expect(outcome.exitCode == 2 && outcome.error.contains(complaint), "\(outcome.error)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/.tapsim"), "nothing has run")
        for name in ["target", "mine.zip"] { #expect(try text("\(folder)/\(name)") == "mine") }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/out.zip") == "target")
    }
}

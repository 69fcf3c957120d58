import Foundation
import TapDocument
import TestSupport
import Testing

/// The index of a run.
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

    @Test func `is absent if nothing is kept`() throws {
        _ = try run("kiosk.yaml", "--trace", "off")
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/.tapsim"))
    }

    @Test func `has the title that JUnit has too`() throws {
        _ = try run("kiosk.yaml", "--junit", "out.xml")
        let title = #"<property name="title" value="A kiosk &lt;b&gt;reads&lt;/b&gt; the balance"/>"#
        #expect(try text("\(folder)/out.xml").components(separatedBy: title).count == 2)
    }
}

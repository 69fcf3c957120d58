import CRunPage
import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// A finished case as one HTML file that opens from disk: its failures, the exchanges, the cards before and after.
///
/// The file loads nothing. It contains all data as JSON, which its script reads.
public enum RunPage {
    /// Returns the page of a case.
    ///
    /// - Parameter run: The result of ``CaseResult/runNode(of:source:tapsim:)``.
    public static func html(_ run: Node) -> String {
        unsafe document(run, style: run_page_style(), script: run_page_script())
    }

    /// Returns the page of a campaign.
    ///
    /// - Parameter cases: The result of ``VerdictGrid/pageNode(_:texts:)`` for each case.
    public static func html(campaign: Node) -> String {
        unsafe document(campaign, style: campaign_page_style(), script: campaign_page_script())
    }

    /// Returns the index of a run; ``RunIndex`` makes its contents.
    static func html(index: Node) -> String {
        unsafe document(index, style: campaign_page_style(), script: run_index_script())
    }

    private static func document(
        _ content: Node, style: UnsafePointer<CChar>, script: UnsafePointer<CChar>
    ) -> String {
        var page = ""
        let document = unsafe String(cString: run_page_document())
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            switch line {
            case "/*STYLE*/": page += unsafe String(cString: style)
            case "/*SCRIPT*/": page += unsafe String(cString: script)
            case "/*RUN*/": page += embedded(content)
            default: page += line
            }
            page += "\n"
        }
        return page
    }

    /// Returns the contents of a page, read back from its file; `nil` for another file.
    public static func content(of page: SourceFile) -> Node? {
        guard let line = (1..<page.lineCount).first(where: { page.text(ofLine: $0) == contentStart }) else {
            return nil
        }
        var diagnostics = Diagnostics()
        let json = SourceFile(name: page.name, text: page.text(ofLine: line + 1))
        let node = JSONReader(limits: limits).read(json, into: &diagnostics)
        return node?["events"] == nil ? nil : node
    }

    /// Returns the page of two runs side by side, with the first one shown initially.
    public static func html(_ run: Node, alongside other: Node) -> String {
        html(.map(run.entries.map { ($0.key.text, $0.value) } + [("other", other)]))
    }

    /// The line of `page.html` before the contents, which are on a single line as well.
    private static let contentStart = "<script type=\"application/json\" id=\"run\">"
    /// The limits of a page, larger than the page of the longest run.
    private static let limits = DocumentLimits(maximumBytes: 64 << 20, maximumDepth: 16, maximumNodes: 4_000_000)

    /// Returns JSON that cannot end its element: a `<` is escaped, just as the writer escapes line separators.
    private static func embedded(_ node: Node) -> String {
        JSONWriter.text(node).utf8.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }.joined(separator: "\\u003C")
    }
}

extension CaseResult {
    /// Returns the whole case, under the keys that `page.js` reads.
    ///
    /// - Parameters:
    ///   - name: The name of the scenario.
    ///   - source: The text of its file.
    ///   - version: The version of TapSim.
    public func runNode(of name: String, source: SourceFile?, tapsim version: String) -> Node {
        let (world, stations) = (record.world, scenarioCase.stations)
        let shown = ShownEvents(record)
        return .map([
            "v": .number(TraceLines.version), "tapsim": .text(version), "name": .text(name),
            "file": .text(scenarioCase.file), "seed": .number(scenarioCase.seed),
            "case": .map(["number": .number(scenarioCase.number), "name": scenarioCase.name.map(Node.text)]),
            "passed": .boolean(verdict.isPassed), "client": record.seen.node,
            "failures": verdict.failures.node, "warnings": verdict.warnings.node,
            "faults": .list(faultNodes), "reproduce": .text(ShellText.text(reproduceCommand)),
            "events": .list(shown.events), "texts": stations.named(.list(shown.texts)),
            "cards": stations.named(.list(world.cards.compactMap(CardMemory.node))), "source": source.map(Self.node),
            "not_kept": shown.gap ?? world.trace.omission?.node,
        ])
    }

    /// The planned faults, and the exchanges in which they were injected.
    private var faultNodes: [Node] {
        zip(record.world.plan.entries, record.world.plan.tallies).map { entry, tally in
            .map([
                "fault": .text("\(entry.fault)"), "is": .text(entry.fault.kind.summary),
                "gloss": entry.fault.kind.japaneseSummary.map(Node.text),
                "file": entry.source.map { .text($0.file) }, "line": entry.source.map { .number($0.line) },
                "injected": .list(tally.injected.map { .number($0) }),
            ])
        }
    }

    private static func node(_ source: SourceFile) -> Node {
        let lines = (1...source.lineCount).map { Node.text(source.text(ofLine: $0)) }
        return ["file": .text(source.name), "first": 1, "lines": .list(lines)]
    }
}

/// The events that a page has room for: for a long run, its beginning and its end; the rest is in the trace.
private struct ShownEvents {
    /// The maximum number of bytes of the events and their shared texts.
    private static let mostBytes = 1_800_000
    /// The maximum number of exchanges to try, so that fitting a run of any length is fast.
    private static let mostExchanges = 20_000

    private(set) var events: [Node] = []
    private(set) var texts: [Node] = []
    /// The numbers of the omitted exchanges; `nil` if only the exchanges dropped from the trace are missing.
    private(set) var gap: Node?

    init(_ record: RunRecord) {
        let total = record.world.trace.exchangeCount
        var count = min(total, Self.mostExchanges)
        let described = Self.described(record, count, of: total)
        while true {
            let size = take(count, of: total, from: described)
            guard size > Self.mostBytes, count > 0 else { return }
            // A tenth less than seems to fit, because exchanges differ in size.
            count = min(count - 1, count * Self.mostBytes / size * 9 / 10)
        }
    }

    /// Returns the events of a number of exchanges, half of them from the end, each with the number of the last exchange
    /// before it.
    private static func described(_ record: RunRecord, _ count: Int, of total: Int) -> [(exchange: Int, event: Node)] {
        let gap = gap(in: total, of: count)
        var (found, number) = ([(exchange: Int, event: Node)](), 0)
        for event in TraceLines(record) {
            if event["kind"]?.text == "frame", let text = event["n"]?.text { number = Int(text) ?? number }
            if !gap.contains(number) { found.append((number, event)) }
        }
        return found
    }

    /// Returns the exchanges between the first and the last half of a number of exchanges.
    private static func gap(in total: Int, of count: Int) -> Range<Int> {
        count - count / 2 + 1..<total - count / 2 + 1
    }

    /// Takes a number of exchanges, half of them from the end.
    ///
    /// - Returns: The number of bytes of the result.
    private mutating func take(
        _ count: Int, of total: Int, from described: [(exchange: Int, event: Node)]
    ) -> Int {
        let between = Self.gap(in: total, of: count)
        gap = between.isEmpty ? nil : ["first": .number(between.lowerBound), "last": .number(between.upperBound - 1)]
        var shared = SharedTexts()
        events = described.lazy.filter { !between.contains($0.exchange) }.map { shared.shortened($0.event) }
        texts = shared.nodes
        return JSONWriter.text(.list(events + texts)).utf8.count
    }
}

/// Values that events reference by number, because many are repeated.
private struct SharedTexts {
    /// The approximate maximum number of bytes of field descriptions; the rest of a longer run has only one line per frame.
    private static let mostFieldBytes = 1 << 19
    /// The keys whose values are shared.
    private static let keys: Set = ["is", "hex", "answer", "fields", "answer_fields", "state", "states", "text"]
    /// The keys that the page does not show, or whose values are the same in all of its frames.
    private static let implied: Set = ["v", "seq", "layer", "tech"]
    /// The keys that distinguish an event from others of its form.
    private static let own: Set = ["t", "n", "exchanges", "after"]

    private(set) var nodes: [Node] = []
    private var numbers: [Node: Int] = [:]
    private var fieldBytes = 0

    /// Returns an event as the page reads it: its own values, and the number of the values it shares with others.
    mutating func shortened(_ event: Node) -> Node {
        var (form, own): ([(key: String, value: Node)], [(key: String, value: Node)]) = ([], [])
        let isCall = event["kind"]?.text == "call"
        for entry in event.entries where isCall && entry.key.text == "layer" || !Self.implied.contains(entry.key.text) {
            let key = entry.key.text
            if Self.own.contains(key) {
                own.append((key, entry.value))
            } else if !Self.keys.contains(key) {
                form.append((key, entry.value))
            } else if let number = number(of: entry.value, isFields: key.hasSuffix("fields")) {
                form.append((key, .number(number)))
            }
        }
        return .map(own + [("of", .number(number(of: .map(form), isFields: false) ?? 0))])
    }

    private mutating func number(of value: Node, isFields: Bool) -> Int? {
        if let number = numbers[value] { return number }
        if isFields {
            guard fieldBytes < Self.mostFieldBytes else { return nil }
            fieldBytes += JSONWriter.text(value).utf8.count
        }
        numbers[value] = nodes.count
        nodes.append(value)
        return nodes.count - 1
    }
}

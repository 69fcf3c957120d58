import TapDescribe
import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// The runs of a fault that were not performed; a campaign may have sixty thousand.
package struct OpenRuns: OutputModel {
    fileprivate let fault: String
    fileprivate var exchanges: [Int] = []
    fileprivate var calls: [Int] = []

    package static let output = OutputTable<Self>(
        "open-runs", "Runs of a fault that were not performed",
        .always("fault", "The fault", \.fault),
        .filled("exchanges", "The exchanges, such as `4, 7 to 9`") { RangeText.of($0.exchanges.sorted()) },
        .filled("calls", "The PC/SC calls") { RangeText.of($0.calls.sorted()) })
}

extension VerdictGrid {
    /// The runs that were not performed, by fault.
    package var openRuns: [OpenRuns] {
        var open: [String: OpenRuns] = [:]
        for run in notRun {
            let numbers = run.place.isCall ? \OpenRuns.calls : \.exchanges
            open[run.faultName, default: OpenRuns(fault: run.faultName)][keyPath: numbers].append(run.place.number)
        }
        return faultNames.compactMap { open[$0] }
    }

    package var verdictCounts: OutputMap<Int> {
        OutputMap(totals.outcomes.map { ($0.outcome.rawValue, $0.count) } + [("not reached", totals.notReached)])
    }
}

extension GuidedResult: OutputModel {
    package static let output = OutputTable<Self>(
        "guided-runs", "Runs with combinations of faults",
        .always("runs", "The number of runs", \.runCount),
        .always("steps", "The number of different steps that the client took in the whole campaign", \.stepCount),
        .always("totals", "The number of runs per verdict") {
            OutputMap($0.totals.map { ($0.outcome.rawValue, $0.count) } + [("not reached", $0.notReached)])
        },
        .always(
            "findings", "The runs with findings, up to 100 of a cause", as: .list(VerdictGrid.Entry.named.shape)
        ) { $0.findings.map(VerdictGrid.Entry.named.node) },
        .always("kept", "The choices of runs that led to a new step, for `--resume`") {
            $0.kept.map { Hex.text($0) }
        })

    /// Parses the result of ``node``.
    ///
    /// - Parameter places: The places of the baseline run.
    public init(_ node: Node, among places: [FaultLocation]) {
        let number = { (node: Node?) in node?.text.flatMap { Int($0) } ?? 0 }
        let outcomes = Outcome.allCases.map { ($0, number(node["totals"]?[$0.rawValue])) }.filter { $0.1 > 0 }
        let findings = (node["findings"]?.items ?? []).compactMap { item in
            item["name"]?.text.flatMap { try? FuzzRun(named: $0, among: places) }.flatMap {
                VerdictGrid.Entry($0, item)
            }
        }
        self.init(
            runCount: number(node["runs"]), outcomes: Dictionary(uniqueKeysWithValues: outcomes),
            stepCount: number(node["steps"]),
            kept: (node["kept"]?.items ?? []).compactMap { $0.text.flatMap { try? Hex.bytes($0) } },
            findings: findings)
    }

    fileprivate var totals: [(outcome: Outcome, count: Int)] {
        Outcome.allCases.compactMap { outcome in outcomes[outcome].map { (outcome, $0) } }
    }
}

extension FaultLocation: OutputModel {
    package static let output = OutputTable<Self>(
        "fault-place", "A place of a fault",
        site.rows { $0 },
        .always("is", "The command or call", \.operation), .always("nth", "Which of these, from 1", \.nth))

    fileprivate static let site = OutputTable<Self>(
        "site", "An exchange or a call",
        .maybe("exchange", "The exchange of the baseline run") { $0.isCall ? nil : $0.number },
        .maybe("call", "Or the PC/SC call") { $0.isCall ? $0.number : nil })
}

extension FuzzRun: OutputModel {
    package static let output = OutputTable<Self>(
        "planned-run", "A planned run",
        .always("name", "The name for `--only`", \.name), .always("fault", "The fault", \.faultName),
        FaultLocation.output.rows(of: \.place))
}

extension ReadBack: OutputValue {}

extension VerdictGrid.Entry: OutputModel {
    package static let output = OutputTable<Self>(
        "judged-run", "A judged run",
        .always("fault", "The fault", \.run.faultName),
        FaultLocation.site.rows(of: \.run.place),
        judgement.rows { $0 })

    fileprivate static let named = OutputTable<Self>(
        "named-run", "A run with a combination of faults",
        .always("name", "The name for `--only`", \.run.name),
        judgement.rows { $0 })

    private static let judgement = OutputTable<Self>(
        "judgement", "The result of a run",
        .always("verdict", "A verdict of `tapsim explain`, or `not reached`") {
            $0.judged?.outcome.rawValue ?? "not reached"
        },
        .maybe("at", "The exchange to look at", \.judged?.exchange), .maybe("reason", "The reason", \.judged?.reason),
        .maybe("cause", "The key of its cause", \.cause),
        .maybe("evidence", "The bytes or the error that the client received", \.evidence),
        .maybe("read_back", "The contents of the card afterwards", \.readBack),
        .filled("beside", "Other, less serious findings", \.others))

    private var judged: OutcomeFinding? { if case .judged(let finding) = cell { finding } else { nil } }

    /// Returns the name of the run in a result of ``node``.
    public static func name(of node: Node) -> String? {
        guard let fault = node["fault"]?.text else { return nil }
        return node["call"]?.text.map { "\(fault)@c\($0)" } ?? node["exchange"]?.text.map { "\(fault)@\($0)" }
    }

    /// Parses the result of ``node``.
    public init?(_ run: FuzzRun, _ node: Node) {
        let finding = OutcomeFinding(node, verdict: "verdict", place: "at")
        let others = (node["beside"]?.items ?? []).compactMap {
            OutcomeFinding($0, verdict: "outcome", place: "exchange")
        }
        guard finding != nil || node["verdict"]?.text == "not reached" else { return nil }
        self.init(
            run, finding.map { .judged($0) } ?? .notReached,
            readBack: node["read_back"]?.text.flatMap(ReadBack.init(rawValue:)), others: others,
            cause: node["cause"]?.text, evidence: node["evidence"]?.text)
    }
}

extension OutcomeFinding {
    fileprivate init?(_ node: Node, verdict: String, place: String) {
        guard let outcome = node[verdict]?.text.flatMap(Outcome.init(rawValue:)), let reason = node["reason"]?.text
        else {
            return nil
        }
        self.init(outcome, at: node[place]?.text.flatMap { Int($0) }, reason)
    }
}

/// A verdict grid for people: a row for each fault, a column for each exchange or call of the baseline run.
public struct GridText {
    private static let blockWidth = 80
    /// The maximum number of lines of a grid that is shown in full.
    private static let screen = 40
    /// The maximum number of places in a folded grid.
    private static let mostFolded = 12
    private static let notReached: Character = "-"
    private static let notRun: Character = "~"

    private let grid: VerdictGrid
    private let exchanges: [Exchange]
    private let style: TerminalStyle
    /// The cells; `nil` inside for a run that was not performed.
    private let cells: [String: [FaultLocation: VerdictGrid.Cell?]]
    private let stop: String?

    /// - Parameter stop: The limit that ended the campaign before all runs were performed, such as `--time`.
    public init(
        _ grid: VerdictGrid, exchanges: [Exchange], stoppedBy stop: String? = nil, style: TerminalStyle = .plain
    ) {
        self.grid = grid
        self.exchanges = exchanges
        self.style = style
        self.stop = stop
        var cells: [String: [FaultLocation: VerdictGrid.Cell?]] = [:]
        for entry in grid.entries { cells[entry.run.faultName, default: [:]][entry.run.place] = .some(entry.cell) }
        for run in grid.notRun { cells[run.faultName, default: [:]][run.place] = .some(nil) }
        self.cells = cells
    }

    /// Returns the grid, its legend, the places of its columns and the causes of the findings.
    ///
    /// - Parameters:
    ///   - reproduceCommand: Returns the command of a run.
    ///   - findings: The saved files of causes, by key.
    public func lines(reproduceCommand: (FuzzRun) -> [String], findings: [String: KeptFinding]) -> [String] {
        let whole = blocks(block)
        let rows = whole.count <= Self.screen ? whole : blocks(foldedBlock)
        let grid = grid.plannedCount == 0 ? [] : rows + [legend, ""]
        return grid + causes(reproduceCommand, findings) + neverReached + untried + readBacks + guided + [summary]
    }

    private func blocks(_ block: (_ title: String, [FaultLocation], _ faults: [String]) -> [String]) -> [String] {
        [("exchanges", grid.places.filter { !$0.isCall }), ("PC/SC calls", grid.places.filter(\.isCall))]
            .flatMap { title, places in
                let faults = grid.faultNames.filter { name in places.contains { cells[name]?[$0] != nil } }
                return faults.isEmpty ? [] : block(title, places, faults)
            }
    }

    private func block(_ title: String, _ places: [FaultLocation], _ faults: [String]) -> [String] {
        let parts = stride(from: 0, to: places.count, by: Self.blockWidth).map { start in
            Array(places[start..<min(start + Self.blockWidth, places.count)])
        }
        let faults = faults.map { (name: $0, faults: [$0]) }
        return ["  \(style.bold(title))"] + parts.flatMap { rows(faults, $0) + [""] } + columns(places)
    }

    /// Returns a row for each family of faults, with the worst outcome at each place; only the first places with findings are
    /// shown.
    private func foldedBlock(_ title: String, _ places: [FaultLocation], _ faults: [String]) -> [String] {
        let found = places.filter { place in faults.contains { finding($0, place) != nil } }
        let shown = Array((found.isEmpty ? places : found).prefix(Self.mostFolded))
        var families: [(name: String, faults: [String])] = []
        for fault in faults {
            let family = "\(fault.prefix { $0 != "." }).*"
            if families.last?.name != family { families.append((family, [])) }
            families[families.count - 1].faults.append(fault)
        }
        let counts = "\(CountText.of(faults.count, "fault")), \(shown.count) of \(places.count) \(title)"
        return ["  \(style.bold(title)), folded: \(counts); the page has all of them"] + rows(families, shown) + [""]
            + columns(shown)
    }

    private func finding(_ fault: String, _ place: FaultLocation) -> Outcome? {
        guard case .judged(let finding)?? = cells[fault]?[place], !finding.outcome.isOK else { return nil }
        return finding.outcome
    }

    private func rows(_ names: [(name: String, faults: [String])], _ places: [FaultLocation]) -> [String] {
        let width = names.map(\.name.count).max() ?? 0
        let digits = String(places.last?.number ?? 0).count
        let heads = (0..<digits).map { digit in
            let line = places.map { String($0.number).leftPadded(to: digits).dropFirst(digit).prefix(1) }.joined()
            return "  \("".rightPadded(to: width))  \(style.muted(line))"
        }
        return heads
            + names.map { name, faults in
                "  \(name.rightPadded(to: width))  \(places.map { mark(worst(of: faults, at: $0)) }.joined())"
            }
    }

    /// Returns the cell of the most serious outcome at a place.
    private func worst(of faults: [String], at place: FaultLocation) -> VerdictGrid.Cell?? {
        let all = faults.compactMap { cells[$0]?[place] }
        let worst = Outcome.bySeverity.lazy.compactMap { outcome in
            all.first { if case .judged(let finding)? = $0 { finding.outcome == outcome } else { false } }
        }.first
        return worst ?? all.first
    }

    private func mark(_ cell: VerdictGrid.Cell??) -> String {
        switch cell {
        case nil: " "
        case .some(nil): style.muted(String(Self.notRun))
        case .notReached??: style.muted(String(Self.notReached))
        case .judged(let finding)?? where finding.outcome.isOK: String(finding.outcome.mark)
        case .judged(let finding)??: style.severity(String(finding.outcome.mark), .error)
        }
    }

    private var legend: String {
        let totals = grid.totals
        var parts = totals.outcomes.map { "\($0.outcome.mark) \($0.outcome.rawValue)" }
        if totals.notReached > 0 { parts.append("\(Self.notReached) not reached") }
        if !grid.notRun.isEmpty { parts.append("\(Self.notRun) not run") }
        return "  " + (parts + ["blank: cannot be injected there"]).joined(separator: "   ")
    }

    private func columns(_ places: [FaultLocation]) -> [String] {
        let known = Dictionary(exchanges.map { ($0.number, $0) }) { first, _ in first }
        let width = String(places.last?.number ?? 0).count
        return places.map { place in
            let exchange = place.isCall ? nil : known[place.number]
            let words = exchange.map { FrameDescription(command: $0.command).line } ?? place.operation
            return style.muted("  \(String(place.number).leftPadded(to: width))  \(words)")
        } + [""]
    }

    private func causes(_ reproduceCommand: (FuzzRun) -> [String], _ findings: [String: KeptFinding]) -> [String] {
        let (known, new) = (grid.causes.filter(\.isKnown), grid.causes.filter { !$0.isKnown })
        let lines = new.flatMap {
            CauseText($0, style: style).lines(
                reproduceCommand: reproduceCommand($0.shortest.run), kept: findings[$0.key]) + [""]
        }
        let names = known.map { CauseText.known($0.key, style) }
        return lines + names + (names.isEmpty ? [] : [""])
    }

    private var neverReached: [String] {
        let names = grid.neverReached
        guard !names.isEmpty else { return [] }
        return [TextTable.wrapped("never reached: \(names.joined(separator: ", "))", indent: 2)]
    }

    /// The faults that fit nothing here; a family without a fault that fits is named as a whole.
    private var untried: [String] {
        let families = Dictionary(grouping: FaultCatalogue.all, by: \.family)
        let whole = families.filter { $0.value.allSatisfy { grid.untried.contains($0.name) } }.keys
        var names: [String] = []
        for name in grid.untried {
            let family = String(name.prefix { $0 != "." })
            let shown = whole.contains(family) ? "\(family).*" : name
            if names.last != shown { names.append(shown) }
        }
        guard !names.isEmpty else { return [] }
        let text = "not tried, because they fit nothing here: \(names.joined(separator: ", "))"
        return [TextTable.wrapped(text, indent: 2)]
    }

    private var readBacks: [String] {
        let parts = grid.readBacks.map { "\($0.count) \($0.readBack.rawValue)" }
        return parts.isEmpty ? [] : ["  card contents after memory faults: \(parts.joined(separator: ", "))"]
    }

    private var guided: [String] {
        guard let guided = grid.guided else { return [] }
        let steps = guided.stepCount > 0 ? ", \(CountText.of(guided.stepCount, "different step")) of the client" : ""
        let totals = Self.words(guided.totals, notReached: guided.notReached)
        return ["  combinations: \(CountText.of(guided.runCount, "run"))\(steps): \(totals)"]
    }

    private var summary: String {
        let totals = Self.words(grid.totals.outcomes, notReached: grid.totals.notReached)
        let whole = grid.notRun.isEmpty ? "" : " of \(grid.plannedCount)"
        let ended = grid.notRun.isEmpty ? "" : stop.map { ", ended by \($0)" } ?? ""
        let noun = grid.plannedCount == 1 ? "run" : "runs"
        let runs = "\(grid.entries.count)\(whole) \(noun)\(ended)" + (totals.isEmpty ? "" : ": \(totals)")
        let causes = grid.causes.filter { !$0.isKnown }
        let found = causes.isEmpty ? nil : "\(CountText.of(causes.count, "cause")) of findings"
        // If only combinations were requested, their line counts them.
        let parts = [totals.isEmpty && grid.guided != nil ? nil : runs, found].compactMap(\.self)
        return "  \(parts.isEmpty ? "no findings" : parts.joined(separator: "; "))"
    }

    /// Returns the number of runs per outcome, such as `12 correct, 3 clear error, 1 not reached`.
    private static func words(_ outcomes: [(outcome: Outcome, count: Int)], notReached: Int) -> String {
        (outcomes.map { "\($0.count) \($0.outcome.rawValue)" } + (notReached > 0 ? ["\(notReached) not reached"] : []))
            .joined(separator: ", ")
    }
}

extension Outcome {
    var mark: Character {
        switch self {
        case .correct: "."
        case .clearError: "e"
        case .crash: "C"
        case .hang: "H"
        case .livelock: "L"
        case .wrongResult: "W"
        case .silentLoss: "S"
        case .safety: "!"
        case .protocolMisuse: "P"
        case .leak: "K"
        case .flaky: "?"
        }
    }
}

import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// What came of a campaign.
public struct FuzzReport: Sendable {
    /// The outcomes: faults by exchanges.
    public let grid: VerdictGrid
    public let seed: UInt64
    /// How many runs were made, those that only made a finding simpler among them.
    public let runCount: Int
    /// Whether it ended at the first client that did not end: such a client may hold its thread for ever.
    public var isCutShort: Bool { endedAt != nil }
    /// The run or the sound card at which it ended so.
    private let endedAt: String?
    /// What the client does that it should not, without any fault, by cause.
    public let cleanCauses: [CleanCause]
    /// What it does without any fault that may be meant, such as a list without the last entry of the card.
    public let warnings: [Warning]
    private let isGuided: Bool

    init(
        _ grid: VerdictGrid, _ cleanFindings: [CleanCause.Found], _ warnings: [Warning], seed: UInt64, isGuided: Bool,
        runCount: Int, endedAt: String?
    ) {
        self.grid = grid
        self.seed = seed
        self.isGuided = isGuided
        self.runCount = runCount
        self.endedAt = endedAt
        cleanCauses = CleanCause.all(of: cleanFindings, known: grid.known)
        self.warnings = warnings
    }

    /// The findings by cause, most serious first.
    public var causes: [FindingCause] { grid.causes }

    /// Whether nothing new was found and all runs were made.
    public var isClean: Bool { newCauses.isEmpty && newCleanCauses.isEmpty && !isCutShort }

    private var newCauses: [FindingCause] { causes.filter { !$0.isKnown } }
    private var newCleanCauses: [CleanCause] { cleanCauses.filter { !$0.isKnown } }

    /// A text for each new cause: what the client did, where, how to repeat it alone, and the lines of a scenario that do so.
    public var issues: [String] {
        let (seed, ending) = (isGuided ? "seed \(seed)" : nil, ending)
        let clean = newCleanCauses.map { $0.issue($0.includes(endedAt) ? ending : nil) }
        let causes = newCauses.map { $0.issue(beside: seed, $0.includes(endedAt) ? ending : nil) }
        let isTold = newCleanCauses.contains { $0.includes(endedAt) } || newCauses.contains { $0.includes(endedAt) }
        return clean + causes + (isTold ? [] : ending.map { [$0] } ?? [])
    }

    /// Why it was cut short, if it was.
    private var ending: String? {
        endedAt.map { name in
            "the campaign ended at \(name), after \(CountText.of(runCount, "run")), since a client that does not end may "
                + "hold its thread for ever; mend that, or leave it out by `except: [\"\(name)\"]`"
        }
    }

    /// Such as `312 runs, 2 causes`.
    public var summary: String {
        "\(CountText.of(runCount, "run")), \(CountText.of(newCauses.count + newCleanCauses.count, "cause"))"
            + (isGuided ? ", seed \(seed)" : "")
    }
}

extension CleanCause {
    fileprivate func includes(_ card: String?) -> Bool { card != nil && found.contains { $0.card == card } }

    /// - Parameter ending: Why the campaign ended with a client that did not end.
    fileprivate func issue(_ ending: String?) -> String {
        let cards = found.compactMap(\.card)
        let lines =
            ["\(found[0].finding), without any fault", "cause:  \(key)"]
            + (cards.isEmpty
                ? [] : ["cards:  \(cards.joined(separator: ", "))", "alone:  only: [\"\(VariedCard.pattern)\"]"])
        let note = ending.map { ["note:   \($0)"] } ?? []
        return (lines + note).map { PrintableText.visible($0) }.joined(separator: "\n")
    }
}

extension FindingCause {
    fileprivate func includes(_ run: String?) -> Bool { entries.contains { $0.run.name == run } }

    /// - Parameters:
    ///   - seed: Of a campaign that drew runs by one.
    ///   - ending: Why the campaign ended with a client that did not end.
    fileprivate func issue(beside seed: String?, _ ending: String?) -> String {
        let run = shortest.run
        let places = run.injections.map { "\($0.fault.kind.name) at \($0.place)" }.joined(separator: " and ")
        let number = [CountText.of(entries.count, "run"), seed].compactMap(\.self).joined(separator: ", ")
        var lines = [
            "\(finding.outcome.rawValue), after \(places): \(finding.reason)",
            "alone:  only: [\"\(run.name)\"]",
            "seen:   \(number) with \(faults.joined(separator: ", "))", "cause:  \(key)",
        ]
        lines += excuse.map { ["note:   \($0.note); `known: .\($0.rawValue)` leaves it out"] } ?? []
        lines += others.map { "also:   \($0.finding) (\(CountText.of($0.count, "run")))" }
        if let ending { lines.append("note:   \(ending)") }
        return lines.map { PrintableText.visible($0) }.joined(separator: "\n") + "\n" + run.scenarioLines
    }
}

extension FuzzRun {
    /// The key `faults` of a scenario file with this run, in YAML; ends with a line break.
    public var scenarioLines: String {
        DocumentFormatter.text(of: .map(["faults": plan.node]), comments: [], table: ScenarioLoader.table)
    }
}

/// Why a campaign could not be made, a sentence without its full stop.
public struct FuzzError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }

    init(_ error: BaselineError) {
        let advice =
            switch error.code {
            case .fails: "mend that first"
            case .varies: "return a value without what differs from run to run"
            case .tooFew, .tooLong: error.advice
            }
        self.init("the campaign needs \(BaselineError.needed), and got \(error.found); \(advice)")
    }

    init(_ name: String, _ error: FuzzRunNameError) {
        self.init("`only: [\"\(name)\"]` names no run of this client: \(error)")
    }

    init(_ problem: RunSelection.Problem) {
        let option = problem.isException ? "except" : "only"
        self.init(
            "`\(option): [\"\(problem.pattern)\"]` \(problem.reason); docs/faults.md names them\(problem.question)")
    }

    init(noRunOf selection: RunSelection, _ phase: SystematicPhase) {
        let asked = selection.patterns.map { "`\($0)`" }.joined(separator: ", ")
        let places = phase.places.map(\.description).joined(separator: "; ")
        self.init(
            phase.places.isEmpty
                ? "the client reaches no card in its clean run, so that nothing can go wrong"
                : "no fault asked for\(asked.isEmpty ? "" : " by \(asked)") can be injected; the clean run has \(places)"
        )
    }
}

import TapField
import TapScenario
import TapWire

/// The findings of a campaign that one mistake of the client seems to have led to.
///
/// They share the check that the client has missed, or what it did and where in its own code.
public struct FindingCause: Hashable, Sendable {
    /// The same in every campaign of the client in which the cause is found.
    public let key: String
    /// Its runs, in the order of the phases.
    public let entries: [VerdictGrid.Entry]
    /// Of the runs with the most serious finding, the one with the fewest exchanges before it.
    public let shortest: VerdictGrid.Entry
    public let finding: OutcomeFinding
    /// The other effects in its runs, each once.
    public let others: [Beside]
    public let isKnown: Bool

    public struct Beside: Hashable, Sendable {
        /// The first of its kind.
        public let finding: OutcomeFinding
        public let count: Int
    }

    fileprivate init?(_ key: String, _ entries: [VerdictGrid.Entry], isKnown: Bool) {
        let worst = Outcome.bySeverity.first { outcome in entries.contains { $0.outcome == outcome } }
        let sizes = entries.map(\.run.size)
        // The order of the phase breaks ties.
        let indices = entries.indices.filter { entries[$0].outcome == worst }
        guard let first = indices.min(by: { sizes[$0] < sizes[$1] }), let finding = entries[first].finding
        else { return nil }
        self.key = key
        self.entries = entries
        self.finding = finding
        self.isKnown = isKnown
        shortest = entries[first]
        let sign = Sign.general(finding.reason)
        let effects = entries.compactMap(\.finding) + entries.flatMap(\.others)
        others = Self.grouped(effects, by: { Sign.general($0.reason) }).filter { $0.key != sign }.map {
            Beside(finding: $0.values[0], count: $0.values.count)
        }
    }

    /// Why some clients need not mind, if there is a reason.
    public var excuse: Excuse? { Excuse.allCases.first { $0.covers(key) } }

    /// Names of the faults that showed it, in the order of the phase.
    public var faults: [String] {
        Self.grouped(entries.flatMap(\.run.injections), by: \.fault.kind.name).map(\.key)
    }

    /// Values by a key, each in the order in which they come.
    fileprivate static func grouped<Value>(
        _ values: [Value], by key: (Value) -> String
    ) -> [(key: String, values: [Value])] {
        var groups: [(key: String, values: [Value])] = []
        var places: [String: Int] = [:]
        for value in values {
            let key = key(value)
            if let place = places[key] {
                groups[place].values.append(value)
            } else {
                places[key] = groups.count
                groups.append((key, [value]))
            }
        }
        return groups
    }
}

extension VerdictGrid {
    /// Whether a client was found to give another result than in its baseline runs.
    public var hasFindingsOnResults: Bool {
        found.contains { [.wrongResult, .silentLoss].contains($0.outcome) && !clean.contains($0.cause ?? "") }
    }

    private var found: [Entry] { (entries + (guided?.findings ?? [])).filter { $0.finding != nil } }

    /// How many runs under faults show a cause that needs none.
    public func runCount(of cause: CleanCause) -> Int { found.count { $0.cause == cause.key } }

    /// The findings that faults have led to by cause, most serious first, then in the order of the phase.
    public var causes: [FindingCause] {
        let groups = FindingCause.grouped(found.filter { !clean.contains($0.cause ?? "") }) { $0.cause ?? "" }
        let causes = groups.compactMap { FindingCause($0.key, $0.values, isKnown: known.contains($0.key)) }
        return Outcome.bySeverity.flatMap { outcome in causes.filter { $0.finding.outcome == outcome } }
    }
}

extension VerdictGrid.Entry {
    /// The key of the cause of a finding: `unchecked status flags of felica.read`, `crash: IndexError in read.py, main`, or
    /// that of a cause that needs no fault.
    ///
    /// Wrong results and unplaced crashes have the cause that the client checks too little, whatever comes of it. A place in
    /// the client's code, and a loop without an end, say more than that.
    static func cause(
        of finding: OutcomeFinding, in run: FuzzRun, _ record: RunRecord, _ baseline: Baseline, _ check: MissedCheck
    ) -> String {
        if baseline.cleanCauses.contains(finding.cleanCause) { return finding.cleanCause }
        let disturbance = Disturbance(of: run, in: record, against: baseline.world.trace)
        let isOnResult = [.wrongResult, .silentLoss].contains(finding.outcome)
        let isAlone = [.answer, .error].contains(disturbance)
        if isAlone, isOnResult || finding.outcome == .crash && !finding.isPlaced { return "unchecked \(check.name)" }
        if disturbance == .plausible, isOnResult, !finding.isPlaced { return "\(plausible)\(check.name)" }
        let outcome = finding.outcome.ofCause
        let kind = finding.isPlaced || outcome == .hang ? "" : ", after \(disturbance.rawValue)"
        // A line of a file, whatever the client has printed.
        return PrintableText.visible("\(outcome.rawValue)\(kind): \(finding.sign)")
    }

    /// The beginning of the keys for results of answers that pass every check.
    fileprivate static let plausible = "plausible "
}

extension Outcome {
    /// That of the cause: a loop counts as a hang where the time ends it before its frames are counted.
    fileprivate var ofCause: Outcome { self == .livelock ? .hang : self }

    /// That by which the finding of a combination is held against those of its parts: one of them may hide more of a result.
    var ofParts: Outcome { self == .silentLoss ? .wrongResult : ofCause }
}

/// What one mistake of a client seems to have led to without any fault, on the card of a case or on sound ones.
public struct CleanCause: Hashable, Sendable {
    /// A finding, and the name of the control card it is on; `nil` for the card of the case.
    public struct Found: Hashable, Sendable {
        public let card: String?
        public let finding: OutcomeFinding

        public init(_ finding: OutcomeFinding, on card: String?) {
            self.card = card
            self.finding = finding
        }

        /// The key of its cause.
        public var key: String { finding.cleanCause }
    }

    /// The same in every campaign of the client in which the cause is found.
    public let key: String
    /// At least one, in the order of the cards.
    public let found: [Found]
    public let isKnown: Bool

    /// Whether the client does not read a card as it is.
    public var isMisreading: Bool {
        found.contains { found in
            [.wrongResult, .silentLoss].contains(found.finding.outcome)
                || found.card != nil && found.finding.outcome != .leak
        }
    }

    /// The causes of findings, in the order of their first ones.
    ///
    /// - Parameter known: Those that are already known.
    public static func all(of found: [Found], known: KnownCauses) -> [CleanCause] {
        FindingCause.grouped(found, by: \.key).map {
            CleanCause(key: $0.key, found: $0.values, isKnown: known.contains($0.key))
        }
    }
}

extension OutcomeFinding {
    /// The key of its cause if it needs no fault.
    var cleanCause: String {
        // Of a list some items can be missing, or the only one.
        let outcome = outcome == .silentLoss ? Outcome.wrongResult : outcome.ofCause
        return PrintableText.visible("\(outcome.rawValue), without any fault: \(sign)")
    }
}

/// Why a client may do what counts against others.
public enum Excuse: String, Hashable, Sendable, CaseIterable {
    /// It was given wrong answers that pass every check.
    case plausible
    /// It waits until somebody brings a card.
    case waiting

    /// A sentence without its full stop.
    public var note: String {
        switch self {
        case .plausible: "every check of that answer passes, so only a second reading shows it"
        case .waiting: "a client that waits for cards as long as it takes may do so"
        }
    }

    fileprivate var patterns: [Glob] {
        switch self {
        case .plausible: [Glob("\(VerdictGrid.Entry.plausible)*")]
        case .waiting: [Glob("\(Outcome.hang.rawValue)*: \(EndOracle.lookingForCard)")]
        }
    }

    fileprivate func covers(_ key: String) -> Bool { patterns.contains { $0.matches(key) } }
}

/// Causes that are told of and do not count.
public struct KnownCauses: Hashable, Sendable, ExpressibleByArrayLiteral {
    public static let plausible = KnownCauses(excusing: [.plausible])
    public static let waiting = KnownCauses(excusing: [.waiting])

    private let patterns: [Glob]

    /// - Parameters:
    ///   - keys: Keys of causes; `*` in one stands for any text.
    ///   - excuses: What no client has to mind.
    public init(_ keys: some Sequence<String> = [], excusing excuses: Set<Excuse> = []) {
        patterns = keys.map { Glob($0) } + excuses.flatMap(\.patterns)
    }

    /// Whether a text can be the key of a cause, or a pattern of some.
    public static func isKey(_ text: String) -> Bool {
        let verdict = text.prefix { $0 != ":" && $0 != "," }
        return text.contains("*") || text.contains(":") && Outcome(rawValue: String(verdict)) != nil
            || ["unchecked ", VerdictGrid.Entry.plausible].contains(where: text.hasPrefix)
    }

    public init(arrayLiteral keys: String...) { self.init(keys) }

    public func contains(_ key: String) -> Bool { patterns.contains { $0.matches(key) } }
}

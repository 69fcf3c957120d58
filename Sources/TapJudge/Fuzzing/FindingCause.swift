import TapField
import TapScenario
import TapWire

/// The findings of a campaign that one mistake of the client seems to have caused.
///
/// They share the check that the client missed, or the client's reaction and its location in the client's code.
public struct FindingCause: Hashable, Sendable {
    /// A key that is the same in every campaign of the client that finds this cause.
    public let key: String
    /// The runs in the order of the phases.
    public let entries: [VerdictGrid.Entry]
    /// The run with the fewest exchanges before its fault among the runs with the most serious finding.
    public let shortest: VerdictGrid.Entry
    public let finding: OutcomeFinding
    /// The other effects in these runs, without duplicates.
    public let others: [OtherEffect]
    public let isKnown: Bool

    public struct OtherEffect: Hashable, Sendable {
        public let finding: OutcomeFinding
        public let count: Int
    }

    fileprivate init?(_ key: String, _ entries: [VerdictGrid.Entry], isKnown: Bool) {
        let worst = Outcome.bySeverity.first { outcome in entries.contains { $0.outcome == outcome } }
        let sizes = entries.map(\.run.size)
        let severe = entries.indices.filter { entries[$0].outcome == worst }
        // A merged cause is best shown by a run that the cause is named after.
        let named = severe.filter { entries[$0].mergedKey == nil && entries[$0].cause == key }
        let indices = named.isEmpty ? severe : named
        // The order of the phase breaks ties.
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
            OtherEffect(finding: $0.values[0], count: $0.values.count)
        }
    }

    /// The key and those of merged causes, which a campaign with fewer runs, such as a shard, may report instead.
    package var keys: [String] {
        Self.grouped([key] + entries.compactMap { $0.mergedKey ?? $0.cause }, by: \.self).map(\.key)
    }

    /// The reason why this finding does not matter for some clients, if there is one.
    public var excuse: Excuse? { Excuse.allCases.first { $0.covers(key) } }

    public var faults: [String] {
        Self.grouped(entries.flatMap(\.run.injections), by: \.fault.kind.name).map(\.key)
    }

    /// Groups values by a key; keys and values keep their order.
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
    /// A Boolean value that indicates whether the client gave a result that differs from its baseline runs.
    public var hasFindingsOnResults: Bool {
        found.contains { [.wrongResult, .silentLoss].contains($0.outcome) && !clean.contains($0.cause ?? "") }
    }

    private var found: [Entry] { (entries + (guided?.findings ?? [])).filter { $0.finding != nil } }

    /// Returns the number of runs under faults that show a cause that needs no fault.
    public func runCount(of cause: FaultlessCause) -> Int { found.count { $0.cause == cause.key } }

    /// The findings that faults caused, grouped by cause, most serious first, then in the order of the phase.
    public var causes: [FindingCause] {
        let merged = mergedKeys
        let groups = FindingCause.grouped(found.filter { !clean.contains($0.cause ?? "") }) { entry in
            let key = entry.cause ?? ""
            return merged[key] ?? key
        }
        let causes = groups.compactMap { FindingCause($0.key, $0.values, isKnown: known.contains($0.key)) }
        return Outcome.bySeverity.flatMap { outcome in causes.filter { $0.finding.outcome == outcome } }
    }

    /// The grid whose entries name the causes of ``causes``.
    public var withMergedCauses: VerdictGrid {
        let merged = mergedKeys
        guard !merged.isEmpty else { return self }
        func renamed(_ entries: [Entry]) -> [Entry] {
            entries.map { entry in merged[entry.cause ?? ""].map { entry.caused(by: $0) } ?? entry }
        }
        var grid = VerdictGrid(
            places: places, entries: renamed(entries), notRun: notRun, untried: untried, clean: clean)
        (grid.known, grid.guided) = (known, guided?.changingFindings(renamed))
        return grid
    }

    /// The keys of missed checks that are one cause with another one, and the key of that cause.
    ///
    /// If a client reacts to a wrong answer only as it does to failed exchanges, it may well check the answer, and then treats
    /// every error wrongly: one mistake, not one for each check. A wrong answer of the reader contains a wrong answer of the
    /// card, so if a client reacts to both alike, it misses one check.
    private var mergedKeys: [String: String] {
        let groups = FindingCause.grouped(found) { $0.cause ?? "" }.filter { Entry.isMissedCheck($0.key) }
        let effects = Dictionary(
            uniqueKeysWithValues: groups.map { key, entries in
                (key, Set(entries.compactMap(\.finding).map { "\($0.outcome.ofParts.rawValue): \($0.reason)" }))
            })
        var merged: [String: String] = [:]
        for (key, reactions) in effects where Entry.isMissedCheckOfReading(key) {
            let others = Entry.isOfHostAnswer(key) ? groups.map(\.key).filter(Entry.isOfCardAnswer) : []
            merged[key] = ([Entry.failedExchanges] + others).first { effects[$0].map(reactions.isSubset) ?? false }
        }
        return merged
    }
}

extension VerdictGrid.Entry {
    /// Returns the key of the cause of a finding: `unchecked status flags of felica.read`,
    /// `crash: IndexError in read.py, main`, or the key of a cause that needs no fault.
    ///
    /// Wrong results and crashes without a location are attributed to the missed check, whatever their effect. A location in
    /// the client's code, or an endless loop, is more specific and takes precedence.
    static func cause(
        of finding: OutcomeFinding, in run: FuzzRun, _ record: RunRecord, _ baseline: Baseline, _ check: MissedCheck
    ) -> String {
        if baseline.faultlessCauses.contains(finding.faultlessCause) { return finding.faultlessCause }
        let disturbance = Disturbance(of: run, in: record, against: baseline.world.trace)
        let isOnResult = [.wrongResult, .silentLoss].contains(finding.outcome)
        let isAlone = [.answer, .error].contains(disturbance)
        if isAlone, isOnResult || finding.outcome == .crash && !finding.isPlaced { return "\(unchecked)\(check.name)" }
        if disturbance == .plausible, isOnResult, !finding.isPlaced { return "\(plausible)\(check.name)" }
        let outcome = finding.outcome.ofCause
        let kind = finding.isPlaced || outcome == .hang ? "" : ", after \(disturbance.rawValue)"
        // The key is a single line of a file, whatever the client printed.
        return PrintableText.visible("\(outcome.rawValue)\(kind): \(finding.sign)")
    }

    fileprivate static let unchecked = "unchecked "
    fileprivate static let failedExchanges = "\(unchecked)\(MissedCheck.failedExchanges)"

    fileprivate static func isMissedCheck(_ key: String) -> Bool { key.hasPrefix(unchecked) }

    /// Returns whether a key names a check of what the reader or PC/SC passes on.
    fileprivate static func isOfHostAnswer(_ key: String) -> Bool { key.hasPrefix(unchecked + MissedCheck.hostAnswers) }

    /// Returns whether a key names a check of a card's answer.
    fileprivate static func isOfCardAnswer(_ key: String) -> Bool {
        isMissedCheckOfReading(key) && CommandName(String(key.split(separator: " ").last ?? "")) != nil
    }

    /// Returns whether a key names a check of an answer; another card and a failed write are other mistakes.
    fileprivate static func isMissedCheckOfReading(_ key: String) -> Bool {
        isMissedCheck(key) && !key.hasPrefix(failedExchanges) && !key.hasSuffix(MissedCheck.identity)
    }

    fileprivate func caused(by key: String) -> VerdictGrid.Entry {
        var entry = VerdictGrid.Entry(run, cell, readBack: readBack, others: others, cause: key, evidence: evidence)
        entry.mergedKey = cause
        return entry
    }

    /// The prefix of keys for results from answers that pass every check.
    fileprivate static let plausible = "plausible "
}

extension Outcome {
    /// The outcome used in the key of the cause: a livelock counts as a hang because the time limit may end it before its
    /// frames are counted.
    var ofCause: Outcome { self == .livelock ? .hang : self }

    /// The outcome by which the finding of a combination is compared with the findings of its parts: one of them may hide more
    /// of a result.
    var ofParts: Outcome { self == .silentLoss ? .wrongResult : ofCause }
}

/// The findings, on the card of a case or on control cards, that one mistake of a client seems to have caused without any
/// fault.
public struct FaultlessCause: Hashable, Sendable {
    /// A finding, and the name of the control card; `nil` for the card of the case.
    public struct Found: Hashable, Sendable {
        public let card: String?
        public let finding: OutcomeFinding

        public init(_ finding: OutcomeFinding, on card: String?) {
            self.card = card
            self.finding = finding
        }

        public var key: String { finding.faultlessCause }
    }

    public let key: String
    /// At least one finding, in the order of the cards.
    public let found: [Found]
    public let isKnown: Bool

    /// A Boolean value that indicates whether the client misreads an undisturbed card.
    public var isMisreading: Bool {
        found.contains { found in
            [.wrongResult, .silentLoss].contains(found.finding.outcome)
                || found.card != nil && found.finding.outcome != .leak
        }
    }

    /// Returns the causes of findings, in the order of their first findings.
    ///
    /// - Parameter known: The causes that are already known.
    public static func all(of found: [Found], known: KnownCauses) -> [FaultlessCause] {
        FindingCause.grouped(found, by: \.key).map {
            FaultlessCause(key: $0.key, found: $0.values, isKnown: known.contains($0.key))
        }
    }
}

extension OutcomeFinding {
    var faultlessCause: String {
        // A list may lack some items, or its only one.
        let outcome = outcome == .silentLoss ? Outcome.wrongResult : outcome.ofCause
        return PrintableText.visible("\(outcome.rawValue), without any fault: \(sign)")
    }
}

/// The reason why a client may do something that counts against other clients.
public enum Excuse: String, Hashable, Sendable, CaseIterable {
    /// The client received wrong answers that pass every check.
    case plausible
    /// The client waits until somebody presents a card.
    case waiting

    /// A sentence without its full stop.
    public var note: String {
        switch self {
        case .plausible: "that answer passes every check, so only another reading reveals it"
        case .waiting: "a client that waits for cards without a timeout, or longer than --timeout, may do so"
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

/// Causes that are reported but do not count.
public struct KnownCauses: Hashable, Sendable, ExpressibleByArrayLiteral {
    public static let plausible = KnownCauses(excusing: [.plausible])
    public static let waiting = KnownCauses(excusing: [.waiting])

    private let patterns: [Glob]

    /// - Parameters:
    ///   - keys: Keys of causes; `*` in a key matches any text.
    ///   - excuses: Behaviour that does not count against any client.
    public init(_ keys: some Sequence<String> = [], excusing excuses: Set<Excuse> = []) {
        patterns = keys.map { Glob($0) } + excuses.flatMap(\.patterns)
    }

    /// Returns whether a text can be the key of a cause, or a pattern of keys.
    public static func isKey(_ text: String) -> Bool {
        let verdict = text.prefix { $0 != ":" && $0 != "," }
        return text.contains("*") || text.contains(":") && Outcome(rawValue: String(verdict)) != nil
            || [VerdictGrid.Entry.unchecked, VerdictGrid.Entry.plausible].contains(where: text.hasPrefix)
    }

    public init(arrayLiteral keys: String...) { self.init(keys) }

    public func contains(_ key: String) -> Bool { patterns.contains { $0.matches(key) } }
}

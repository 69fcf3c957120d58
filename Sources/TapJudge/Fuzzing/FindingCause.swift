import TapField
import TapScenario
import TapWire

/// What a fault does to a client, coarsely: mistakes in handling one are seldom mistakes in handling another.
public enum Disturbance: String, Hashable, Sendable, CaseIterable {
    /// It is told of an error, or hears nothing.
    case error = "an error"
    /// It is given bytes that the card did not send, as if they were right.
    case answer = "a wrong answer"
    /// The card holds something else.
    case content = "other content"

    /// What a run does to a client; of several faults the one that it can see best.
    ///
    /// - Parameter record: The run into which they were injected.
    public init(of run: FuzzRun, in record: RunRecord) {
        let found = run.injections.map { Self.disturbance(by: $0, in: record) }
        self = Self.allCases.first(where: found.contains) ?? .error
    }

    /// Whether no client can know what is right: a fault has put any bytes in the place of those of the card, or two have
    /// done so that no check gives away.
    ///
    /// A client that reads twice notices one of the latter, and is deceived by two that agree.
    static func isBeyondNotice(in record: RunRecord) -> Bool {
        let injected = zip(record.world.plan.entries, record.world.plan.tallies)
            .filter { !$0.1.injected.isEmpty }.map(\.0.fault)
        return injected.contains(where: \.kind.editsBytes) || injected.count(where: \.deceives) > 1
    }

    private static func disturbance(by injection: FuzzRun.Injection, in record: RunRecord) -> Disturbance {
        let effects = injection.fault.kind.effect.parts.map { fixed(by: $0, injection.fault) }
        return effects.lazy.compactMap(\.self).first ?? heard(at: injection.place, in: record)
    }

    /// What an effect always is; `nil` where the answer on air tells.
    private static func fixed(by effect: FaultEffect, _ fault: Fault) -> Disturbance? {
        switch effect {
        case .image: .content
        case .phone: .error
        case .reader(let make): make(fault.arguments).isAnswer ? .answer : .error
        case .door(let make): make(fault.arguments).isAnswer ? .answer : .error
        case .field, .command, .card, .answer, .content, .all: nil
        }
    }

    private static func heard(at place: FaultPlace, in record: RunRecord) -> Disturbance {
        guard let exchange = record.world.trace.exchanges.first(where: { $0.number == place.number }) else {
            return .error
        }
        let seen = SeenExchange(exchange)
        switch seen.reply {
        case .silence, .collision, .damaged: return .error
        case .acknowledgement, .status, .data: return seen.isRefused ? .error : .answer
        }
    }
}

extension Fault {
    fileprivate var deceives: Bool {
        switch kind.effect {
        case .reader(let make): make(arguments).isAnswer
        case .door(let make): make(arguments).isAnswer
        default: kind.effect.changesContent || fix.contains(.crc)
        }
    }
}

extension ReaderFault {
    /// Whether it passes for an answer.
    fileprivate var isAnswer: Bool {
        switch self {
        case .noStatusWord, .cutData, .extraData, .otherBytes, .previousAnswer: true
        case .chipStatus, .statusWord, .noData, .noCard, .failed: false
        }
    }
}

extension DoorFault {
    /// Whether it passes for an answer.
    fileprivate var isAnswer: Bool {
        switch self {
        case .cutAnswer, .spuriousEvent: true
        case .refusal, .lostAnswer, .removal, .reset, .unplugging, .end, .delay, .lostEvent: false
        }
    }
}

/// The findings of a campaign that one mistake of the client seems to have led to.
///
/// They share the verdict, what the client did, where in its own code, and the kind of disturbance.
public struct FindingCause: Hashable, Sendable {
    /// The same in every campaign of the client in which the cause is found.
    public let key: String
    /// Its runs, in the order of the phases.
    public let entries: [VerdictGrid.Entry]
    /// The run that shows it with the fewest exchanges before it.
    public let shortest: VerdictGrid.Entry
    public let finding: OutcomeFinding
    /// What was found beside it in some of its runs.
    public let others: [Beside]
    public let isKnown: Bool

    public struct Beside: Hashable, Sendable {
        /// The first of its kind.
        public let finding: OutcomeFinding
        public let count: Int
    }

    fileprivate init?(_ key: String, _ entries: [VerdictGrid.Entry], isKnown: Bool) {
        // The order of the phase breaks ties.
        let sizes = entries.map(\.run.size)
        guard let first = sizes.indices.min(by: { sizes[$0] < sizes[$1] }), let finding = entries[first].finding
        else { return nil }
        self.key = key
        self.entries = entries
        self.finding = finding
        self.isKnown = isKnown
        shortest = entries[first]
        others = Self.grouped(entries.flatMap(\.others), by: { Sign.general($0.reason) }).map {
            Beside(finding: $0.values[0], count: $0.values.count)
        }
    }

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
    /// Whether a client was found to give another result than in its clean runs.
    public var hasFindingsOnResults: Bool {
        causes.contains { [.wrongResult, .silentLoss].contains($0.finding.outcome) }
    }

    /// The findings by cause, most serious first, then in the order of the phase.
    public var causes: [FindingCause] {
        let found = (entries + (guided?.findings ?? [])).filter { $0.finding != nil }
        let groups = FindingCause.grouped(found) { $0.cause ?? "" }
        let causes = groups.compactMap { FindingCause($0.key, $0.values, isKnown: known.contains($0.key)) }
        return Outcome.bySeverity.flatMap { outcome in causes.filter { $0.finding.outcome == outcome } }
    }
}

extension VerdictGrid.Entry {
    /// ``silent loss, after an error: `/trips` has too few items``; `nil` without a finding.
    static func cause(of cell: VerdictGrid.Cell, after disturbance: Disturbance?) -> String? {
        guard case .judged(let finding) = cell, !finding.outcome.isOK else { return nil }
        let kind = finding.isPlaced ? "" : disturbance.map { ", after \($0.rawValue)" } ?? ""
        // A line of a file, whatever the client has printed.
        return PrintableText.visible("\(finding.outcome.rawValue)\(kind): \(finding.sign)")
    }
}

/// What one mistake of a client seems to have led to without any fault, on the card of a case or on sound ones.
public struct CleanCause: Hashable, Sendable {
    /// A finding, and the name of the sound card it is on; `nil` for the card of the case.
    public struct Found: Hashable, Sendable {
        public let card: String?
        public let finding: OutcomeFinding

        public init(_ finding: OutcomeFinding, on card: String?) {
            self.card = card
            self.finding = finding
        }

        /// The key of its cause.
        public var key: String {
            // Of a list some items can be missing, or the only one.
            let outcome = finding.outcome == .silentLoss ? Outcome.wrongResult : finding.outcome
            return PrintableText.visible("\(outcome.rawValue), without any fault: \(finding.sign)")
        }
    }

    /// The same in every campaign of the client in which the cause is found.
    public let key: String
    /// At least one, in the order of the cards.
    public let found: [Found]
    public let isKnown: Bool

    /// Whether the client does not read a card as it is.
    public var isMisreading: Bool {
        found.contains { $0.card != nil || [.wrongResult, .silentLoss].contains($0.finding.outcome) }
    }

    /// The causes of findings, in the order of their first ones.
    ///
    /// - Parameter known: Keys of causes that are already known.
    public static func all(of found: [Found], known: Set<String>) -> [CleanCause] {
        FindingCause.grouped(found, by: \.key).map {
            CleanCause(key: $0.key, found: $0.values, isKnown: known.contains($0.key))
        }
    }
}

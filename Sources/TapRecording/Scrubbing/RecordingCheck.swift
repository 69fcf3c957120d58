import TapCards
import TapDocument
import TapField
import TapScenario
import TapWire

/// A check for data in a recording that identifies a card or a person.
///
/// Such data exists if scrubbing would change the recording.
public enum RecordingCheck {
    public struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// The location in the file, or `nil` for a scenario without a file.
        public let source: SourceReference?
        /// A description without the values: `1 IDm, 2 stations`.
        public let what: String

        public init(source: SourceReference?, what: String) {
            self.source = source
            self.what = what
        }

        public var description: String { (source.map { "\($0): " } ?? "") + what }
    }

    /// The identifying data, in the order of the file; empty if the case has no recording.
    public static func findings(in scenario: ScenarioCase) -> [Finding] {
        guard let session = RecordedSession(recordedIn: scenario), let recording = scenario.recording else { return [] }
        let scrubbed = session.scrubbed()
        let around = identifiers(in: scenario.document, scrubbed.identifiers).map {
            Finding(source: $0, what: "an identifier of the recorded card")
        }
        let exchanges = session.exchanges.indices.compactMap { index in
            let found = scrubbed.changes.filter { $0.exchange == index }.map(\.what)
            return found.isEmpty ? nil : Finding(source: recording.sources[index], what: text(found))
        }
        return around + exchanges
    }

    private static func text(_ found: [Placeholders.What]) -> String {
        Placeholders.What.allCases.compactMap { what in
            let count = found.count { $0 == what }
            return count > 0 ? what.text(count) : nil
        }.joined(separator: ", ")
    }

    /// The locations of identifiers in values of the scenario other than exchanges.
    private static func identifiers(in node: Node, _ identifiers: [String]) -> [SourceReference?] {
        switch node {
        case .scalar(let scalar):
            let digits = scalar.text.uppercased().filter { $0.isHexDigit || $0.isLetter }
            guard identifiers.contains(where: { digits.contains($0) }) else { return [] }
            return [node.range.map { SourceReference(file: $0.file.name, line: $0.line) }]
        case .list(let list): return list.items.flatMap { self.identifiers(in: $0, identifiers) }
        case .map(let map):
            return map.entries.filter { $0.key.text != "exchanges" }
                .flatMap { self.identifiers(in: $0.value, identifiers) }
        }
    }
}

extension RecordedSession {
    /// The session that a scenario replays, or `nil` without a recording.
    public init?(recordedIn scenario: ScenarioCase) {
        guard let recorded = scenario.recording,
            let card = scenario.cards.first(where: { $0.name == recorded.card })
        else { return nil }
        let recording = recorded.recording
        let isFrame = recording.level == .frame
        // Frames of FeliCa begin with LEN.
        let head = isFrame && card.definition.family.isFeliCa ? 1 : 0
        self.init(recording.level, .unknown)
        atr = recording.atr
        exchanges = recording.exchanges.map { recorded in
            var exchange = Exchange(Array(recorded.command.dropFirst(head)), recorded.answer)
            if head > 0, let answer = recorded.answer {
                exchange.answer = CardRecording.Answer(Array(answer.bytes.dropFirst(head)))
            }
            exchange.controlCode = recorded.controlCode
            exchange.took = recorded.delay
            exchange.endsVisit = recorded.endsVisit
            return exchange
        }
        if !isFrame { findCard() }
        // A file with an unknown card has an arbitrary card in its place.
        let isNamed = card.written["idm"] != nil || card.written["uid"] != nil
        if self.card == .unknown, isNamed || head > 0 { self.card = Identity(card.definition) }
    }
}

extension RecordedSession.Identity {
    /// The identity by which a reader finds the card of a scenario.
    fileprivate init(_ card: CardDefinition) {
        let identifier = card.identifier
        if card.family.isFeliCa {
            let idm = IDm(identifier.reduce(0) { $0 << 8 | UInt64($1) })
            self = .felica(idm: idm, pmm: nil, system: nil)
        } else {
            self = UID(identifier).map { .typeA(uid: $0) } ?? .unknown
        }
    }
}

import TapWire

/// The selection of data to remove from a session before others see it.
///
/// Everything that identifies a card or a person is replaced by a placeholder of the same length. Placeholders depend only on
/// the session and are recognised by their form, so scrubbing a scrubbed session changes nothing.
public struct Scrubbing: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// IDm, UID, card numbers, serial numbers and signatures.
        case identifiers
        /// Stations, stops, tills and machines.
        case places
        case dates
        /// Numbers that count the uses of a card.
        case counts
        case texts
        case secrets
        /// Bytes that no table describes.
        case data
        /// All blocks of a service.
        case service(NodeCode)
    }

    public let kept: Set<Kind>

    public init(keeping kept: Set<Kind> = []) {
        self.kept = kept
    }

    /// The session with placeholders.
    ///
    /// The replacement of half a message may be understood differently than the original, so scrubbing repeats until nothing
    /// changes.
    public func scrub(_ session: RecordedSession) -> ScrubbedSession {
        let scrubbed = scrubOnce(session)
        var last = scrubbed.session
        for _ in 0..<Self.mostTimes {
            let next = scrubOnce(last).session
            if next == last { break }
            last = next
        }
        return ScrubbedSession(
            session: last, notes: scrubbed.notes, changes: scrubbed.changes, identifiers: scrubbed.identifiers)
    }

    private static let mostTimes = 8

    private func scrubOnce(_ session: RecordedSession) -> ScrubbedSession {
        // The first walk collects values, and the second replaces them.
        var walk = SessionWalk(session, Placeholders(keeping: kept))
        _ = walk.run(session)
        walk.settle()
        let scrubbed = walk.run(session)
        return ScrubbedSession(
            session: scrubbed, notes: walk.placeholders.notes, changes: walk.placeholders.changes,
            identifiers: walk.placeholders.writtenIdentifiers)
    }
}

extension Scrubbing.Kind {
    private static let words: [(word: String, kind: Self)] = [
        ("identifiers", .identifiers), ("places", .places), ("dates", .dates), ("counts", .counts), ("texts", .texts),
        ("secrets", .secrets), ("data", .data),
    ]

    /// The names of the kinds; a service is named by the four digits of its code.
    public static var names: [String] { words.map(\.word) }

    /// Parses a name or a service code such as `090F`; returns `nil` for any other text.
    public init?(_ text: String) {
        if let known = Self.words.first(where: { $0.word == text }) {
            self = known.kind
        } else if text.count == 4, text.allSatisfy(\.isHexDigit), let code = UInt16(text, radix: 16) {
            self = .service(NodeCode(code))
        } else {
            return nil
        }
    }
}

/// A session with placeholders, and a record of the changes.
public struct ScrubbedSession: Hashable, Sendable {
    public let session: RecordedSession
    /// Sentences about what was replaced and what was not understood.
    public let notes: [String]
    let changes: [Change]
    /// The identifiers that were replaced, in hexadecimal; an IDm lacks the number of its system.
    let identifiers: [String]

    struct Change: Hashable, Sendable {
        /// The index of the exchange, or `nil` for values outside of exchanges.
        let exchange: Int?
        let what: Placeholders.What
    }
}

extension RecordedSession {
    /// The session with placeholders for everything that identifies a card or a person.
    public func scrubbed(keeping kept: Set<Scrubbing.Kind> = []) -> ScrubbedSession {
        Scrubbing(keeping: kept).scrub(self)
    }
}

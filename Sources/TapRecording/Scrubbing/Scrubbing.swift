import TapWire

/// What is taken out of a session before others see it, and what is kept.
///
/// Everything that identifies a card or a person is replaced by a placeholder of the same length. Placeholders follow from the
/// session alone and are known by their form, so that scrubbing a scrubbed session changes nothing.
public struct Scrubbing: Hashable, Sendable {
    /// What may be kept.
    public enum Kind: Hashable, Sendable {
        /// IDm, UID, card numbers, serial numbers and signatures.
        case identifiers
        /// Stations, stops, tills and machines.
        case places
        case dates
        /// Numbers that count the uses of a card.
        case counts
        /// Texts and URIs.
        case texts
        /// Passwords and keys.
        case secrets
        /// Bytes that no table describes.
        case data
        /// All that the blocks of a service hold.
        case service(NodeCode)
    }

    public let kept: Set<Kind>

    public init(keeping kept: Set<Kind> = []) {
        self.kept = kept
    }

    /// The session with placeholders.
    ///
    /// What takes the place of half a message may be understood in another way than that: it is scrubbed until nothing
    /// changes any more.
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
        // The first walk meets what there is, the second one replaces it.
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

    /// The words that name a kind; a service is named by the four digits of its code.
    public static var names: [String] { words.map(\.word) }

    /// Reads a word or a service code such as `090F`; `nil` for any other text.
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

/// A session with placeholders, and what was done to it.
public struct ScrubbedSession: Hashable, Sendable {
    public let session: RecordedSession
    /// What was replaced and what was not understood, sentences.
    public let notes: [String]
    /// What was replaced, in order.
    let changes: [Change]
    /// The identifiers that were replaced, in hexadecimal; of an IDm without the number of its system.
    let identifiers: [String]

    /// A value that was replaced.
    struct Change: Hashable, Sendable {
        /// The index of the exchange; `nil` for what the session says beside them.
        let exchange: Int?
        let what: Placeholders.What
    }
}

extension RecordedSession {
    /// The session with placeholders for all that identifies a card or a person.
    public func scrubbed(keeping kept: Set<Scrubbing.Kind> = []) -> ScrubbedSession {
        Scrubbing(keeping: kept).scrub(self)
    }
}

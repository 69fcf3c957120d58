import TapCards
import TapDocument
import TapWire

/// A property in which control cards differ from the card of a case, and the bounds that they try.
public struct ControlProperty: Sendable {
    /// The cards that can have such a property.
    public enum Subject: String, Sendable {
        case balance = "a card with a balance"
        case history = "a card with a history"
        case message = "a card with an NDEF message"
        case tag = "an NTAG with an NDEF message"
        case protected = "an NTAG with a password"
        case uri = "a message of URIs, or of texts"
        case text = "a message of texts, or of URIs"
        case visits = "a card that comes several times"
    }

    /// The names of its cards, as a pattern for `--only`.
    public let pattern: String
    /// The property that varies, and its bounds; follows `a card with`.
    public let variation: String
    public let subject: Subject
    /// The number of cards that a campaign without a budget tries, if the covering set has room.
    public let tried: Int
    /// The conditions under which a client may refuse its cards.
    public let refusal: String
    /// The bug that it finds.
    public let shows: String
    private let make: @Sendable (ControlSubject, inout SeededGenerator) -> [VariedCard]

    private init(
        _ pattern: String, _ variation: String, _ subject: Subject, tried: Int = 1, refusal: String = "no",
        shows: String, _ make: @escaping @Sendable (ControlSubject, inout SeededGenerator) -> [VariedCard]
    ) {
        self.pattern = "card.\(pattern)"
        (self.variation, self.subject, self.tried) = (variation, subject, tried)
        (self.refusal, self.shows, self.make) = (refusal, shows, make)
    }

    /// A property with a single card that differs in the records of its message.
    private static func records(
        _ name: String, _ variation: String, _ family: VariedCard.Family, tried: Int = 1,
        _ demand: VariedCard.Demand = .reading, shows: String,
        _ make: @escaping @Sendable (inout SeededGenerator) -> [Node]
    ) -> ControlProperty {
        let refusal = demand == .reading ? "no" : "yes"
        return ControlProperty(
            name, variation, family == .uri ? .uri : .text, tried: tried, refusal: refusal, shows: shows
        ) { _, random in
            [
                VariedCard(
                    name, variation, family, demand: demand, [(CardLanguage.ndef.name, .list(NodeList(make(&random))))])
            ]
        }
    }

    /// The cards for a subject, in the order in which a covering set takes them.
    func cards(for card: ControlSubject) -> [VariedCard] {
        guard card.has(subject), !pattern.hasSuffix("-long") || card.hasRoomForLongRecords else { return [] }
        var random = card.random.fork(pattern)
        return make(card, &random).map { made in
            var made = made
            made.property = pattern
            return made
        }
    }

    /// The properties in the order in which a covering set takes their cards; records of another kind come last.
    static func ordered(for card: ControlSubject) -> [ControlProperty] {
        let foreign: Subject = card.family == .text ? .uri : .text
        return all.filter { $0.subject != foreign } + all.filter { $0.subject == foreign }
    }
}

extension ControlProperty {
    public static let all = histories + uris + texts + structures + [visits]

    private static let histories = [
        ControlProperty(
            "trips-*", "0, 1, all or a drawn number of records in its history", .history, tried: 5,
            refusal: "without records", shows: "The client's loop over the records ends too early or too late."
        ) { $0.lengths(&$1) },
        ControlProperty(
            "balance-*", "the least and the largest balance, or one at the bounds of 8, 15, 16, 24, 31 and 32 bits",
            .balance,
            tried: 5, refusal: "above the operators' limits",
            shows: "The client reads the balance with the wrong sign or too few bits."
        ) { card, _ in card.balances },
        ControlProperty(
            "dates-*", "newest records around New Year, 29 February, or the end of a month", .history,
            tried: 2, shows: "The client's own calendar code is wrong."
        ) { card, _ in card.dates },
        ControlProperty(
            "kinds-*", "records of every kind", .history,
            shows: "The client skips or misreads a record of another kind."
        ) { $0.kinds(&$1) },
        ControlProperty(
            "blank", "a blank record among others", .history, refusal: "yes",
            shows: "The client prints zeros as a record."
        ) { card, _ in card.blank },
        ControlProperty(
            "blocks-*", "a chip that reads another number of blocks at once", .history, tried: 2,
            shows: "The client mistakes a refused read for the end of a list."
        ) { card, _ in card.chips },
    ]

    private static let visits = ControlProperty(
        "visits", "other content in the second visit, and another IDm or UID as well in the third", .visits,
        refusal: "yes", shows: "The client shows data of an earlier visitor."
    ) { $0.visits(&$1) }

    private static let uris = [
        records(
            "uri-long", "a URI of more than 255 bytes", .uri, shows: "The client assumes that a length has one byte."
        ) {
            [uri("https://long.example/\(digits(&$0))")]
        },
        ControlProperty(
            "uri-code-*", "a URI that begins with prefix code 1 to 35", .uri, tried: 2,
            shows: "The client's table of prefixes ends too early."
        ) { _, random in codes(&random) },
        records("uri-several", "two URIs", .uri, shows: "The client reads only the first record.") { several(2, &$0) },
        records("uri-five", "five URIs", .uri, tried: 0, shows: "The client reads only some of the records.") {
            several(5, &$0)
        },
        records("uri", "a short URI", .uri, tried: 0, shows: "The client assumes a fixed length.") {
            [uri("https://a.io/\($0.next(below: 10))")]
        },
        records(
            "uri-whole", "a URI without a prefix code", .uri, tried: 0,
            shows: "The client assumes that every URI has a prefix code."
        ) {
            [uri("geo:35.\($0.next(below: 900_000) + 100_000),139.5")]
        },
    ]

    private static let texts = [
        records(
            "text-long", "a text of more than 255 bytes", .text, shows: "The client assumes that a length has one byte."
        ) {
            [text("long \(digits(&$0))")]
        },
        records(
            "text-japanese", "a text in Japanese", .text, shows: "The client assumes that every character has one byte."
        ) {
            [text("\(number(&$0).japanese)番線、まもなく発車", "ja")]
        },
        records(
            "text-region", "a language code of five bytes", .text,
            shows: "The client assumes that a language code has two letters."
        ) {
            [text("Gleis \(number(&$0).german), fährt ab", "de-CH")]
        },
        records(
            "text-utf16", "a text in UTF-16", .text, .readingOrRefusal,
            shows: "The client assumes that every text is UTF-8."
        ) {
            [text("Voie \(number(&$0).french) – départ", "fr", in: "utf-16")]
        },
        records(
            "text-emoji", "a text with a four-byte character (emoji)", .text,
            shows: "The client splits a character in two."
        ) {
            [text("🚉 \(number(&$0).english) 🚃")]
        },
        records(
            "text-invalid", "a text that is not UTF-8", .text, .survival,
            shows: "The client assumes that a text is valid UTF-8."
        ) {
            _ in
            [["tnf": 1, "type": "T", "payload": "02 65 6E 41 C3 28 FF 42"]]
        },
        records(
            "text-language", "a language code of 63 bytes", .text,
            shows: "The client truncates the length of a language code."
        ) {
            [text("stop \(number(&$0).english)", "en-x" + String(repeating: "-abcdefg", count: 7) + "-ab")]
        },
        records("text-several", "two texts", .text, shows: "The client reads only the first record.") {
            let number = number(&$0).english
            return [text("first of \(number)"), text("second of \(number)")]
        },
        records(
            "text-right-to-left", "a right-to-left text", .text, tried: 0, shows: "The client reorders the text."
        ) {
            [text("רציף \($0.next(below: 10)), ירושלים", "he")]
        },
        records("text-five", "five texts", .text, tried: 0, shows: "The client reads only some of the records.") {
            random in
            let number = number(&random).english
            return ["first", "second", "third", "fourth", "fifth"].map { text("\($0) of \(number)") }
        },
        records("text", "a short text", .text, tried: 0, shows: "The client assumes a fixed length.") {
            [text("Platform \(number(&$0).english)")]
        },
        records(
            "text-empty", "an empty text", .text, tried: 0, .survival,
            shows: "The client assumes that a text has a first letter."
        ) { _ in
            [text("")]
        },
    ]

    private static let structures = [
        ControlProperty(
            "password", "another password that locks after three failures, unless the card has a limit", .protected,
            refusal: "yes", shows: "The client keeps retrying a wrong password."
        ) { $0.otherPassword(&$1) },
        ControlProperty(
            "tlv-*", "a TLV block before its message: any, one of 300 bytes, or an empty one", .tag, tried: 3,
            shows: "The client assumes a fixed location of the message, or a length of one byte."
        ) { $0.blocksBefore(&$1) },
        ControlProperty(
            "at-end", "a message at the end of its memory, without a terminator", .tag,
            shows: "The client assumes that a terminator follows the message."
        ) { card, _ in
            card.tagCard("at-end", "a message at the end of its memory, without a terminator") { $0.atEnd($1) }
        },
        ControlProperty(
            "remains", "an older message after the end of its own", .tag,
            shows: "The client reads bytes of the older message."
        ) { $0.remains(&$1) },
        ControlProperty(
            "chunks", "a message whose first record is in chunks", .message, refusal: "yes",
            shows: "The client mistakes a chunk for a whole record."
        ) { card, _ in card.chunks },
        ControlProperty(
            "size-*", "the same message on another size of NTAG", .tag, shows: "The client assumes a fixed memory size."
        ) { $0.sizes(&$1) },
        ControlProperty(
            "full", "a message that fills the tag up to its lock pages, without a terminator", .tag,
            shows: "The client does not read the last pages."
        ) { card, _ in
            card.tagCard("full", "a message that fills the tag, without a terminator") { tag, _ in tag.full(card.family)
            }
        },
        ControlProperty(
            "container", "a capability container that announces less memory than the chip has, as on a clone", .tag,
            shows: "The client accepts only the capability container of one chip."
        ) { card, _ in card.smallContainer },
        ControlProperty(
            "empty", "an empty message", .message, tried: 0, refusal: "yes",
            shows: "The client assumes that a message has a first record."
        ) { card, _ in card.empty },
    ]
}

// The contents of records. Numbers are drawn so that no client can know them.

extension ControlProperty {
    private static func uri(_ text: String) -> Node { ["uri": .text(text)] }

    private static func text(_ text: String, _ language: String = "en", in encoding: String? = nil) -> Node {
        .map([("text", .text(text)), ("lang", .text(language))] + (encoding.map { [("encoding", .text($0))] } ?? []))
    }

    private static func several(_ count: Int, _ random: inout SeededGenerator) -> [Node] {
        ["one", "two", "three", "four", "five"].prefix(count).map {
            uri("https://\($0).example/\(random.next(below: 100))")
        }
    }

    private static func digits(_ random: inout SeededGenerator) -> String {
        String((0..<290).map { _ in Character("\(random.next(below: 10))") })
    }

    /// The same drawn number as a word of four languages.
    private static func number(
        _ random: inout SeededGenerator
    ) -> (english: String, japanese: String, german: String, french: String) {
        let numbers = [
            ("three", "三", "drei", "trois"), ("four", "四", "vier", "quatre"), ("five", "五", "fünf", "cinq"),
            ("six", "六", "sechs", "six"), ("seven", "七", "sieben", "sept"), ("eight", "八", "acht", "huit"),
            ("nine", "九", "neun", "neuf"),
        ]
        return numbers[random.next(below: numbers.count)]
    }

    /// A card for each prefix code, in a drawn order.
    private static func codes(_ random: inout SeededGenerator) -> [VariedCard] {
        var codes = Array(UInt8(1)..<0xFF).filter { !URIPrefix($0).isReserved }
        codes.shuffle(using: &random)
        return codes.map { code in
            let prefix = URIPrefix(code).text
            let number = random.next(below: 1_000)
            let isHost = ["/", ".", "@"].contains { prefix.hasSuffix($0) }
            let isAddress = ["mailto:", "sip:", "sips:"].contains(prefix)
            let rest = isHost ? "a\(number).example" : isAddress ? "a\(number)@b.example" : "88\(number)"
            return VariedCard(
                "uri-code-\(code)", "a URI that begins with prefix code \(code)", .uri,
                [(CardLanguage.ndef.name, [["tnf": 1, "type": "U", "payload": .hex([code] + rest.utf8)]])])
        }
    }
}

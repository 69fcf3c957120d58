import TapCards
import TapDocument
import TapWire

/// A sound card like one that a user has named, with content that shows mistakes which the named one hides.
///
/// A history of another length, a message with a long record, a text in another language: a client that reads the named
/// card rightly should read these rightly too.
public struct VariedCard: Hashable, Sendable {
    /// What a client that reads one card of the family should read of all of them.
    public enum Family: Hashable, Sendable {
        case history
        case uri
        case text
        /// A message of other records, which stays as it is.
        case message
    }

    /// What all names fit.
    public static let pattern = "card.*"

    /// Whether a text can be the name of one, or a pattern of some.
    public static func isName(_ text: String) -> Bool { text.hasPrefix("card.") }

    /// The name by which it is asked for: `card.trips-7`.
    public let name: String
    /// What is special about it, behind `a card with`.
    public let summary: String
    public let family: Family
    /// Whether a client that reads the others may refuse this one, or read only a part of it.
    public let isDisputed: Bool
    /// What lies in its memory and is no part of its content.
    public let remains: [String]
    private let changes: [(key: String, value: Node)]
    /// Whether it has a record of more than 255 bytes.
    private var isLong: Bool { name.hasSuffix("-long") }

    private init(
        _ name: String, _ summary: String, _ family: Family, isDisputed: Bool = false, remains: [String] = [],
        _ changes: [(key: String, value: Node)]
    ) {
        self.name = "card.\(name)"
        self.summary = summary
        self.family = family
        self.isDisputed = isDisputed
        self.remains = remains
        self.changes = changes
    }

    public static func == (one: VariedCard, other: VariedCard) -> Bool { one.name == other.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The keys of this one in place of those of a card of a scenario.
    func keys(inPlaceOf card: NodeMap) -> NodeMap {
        let replaced = Set(changes.map(\.key)).union(family == .history ? [CardLanguage.history.name] : [])
        let rest = card.entries.filter { !replaced.contains($0.key.text) }
        return NodeMap(rest + changes.map { NodeMap.Entry(Scalar($0.key), $0.value) })
    }
}

extension VariedCard {
    /// The cards to try beside the only one of a case; none beside several, or where something happens to it.
    public static func all(beside scenarioCase: ScenarioCase) -> [VariedCard] {
        guard scenarioCase.cards.count == 1, let card = scenarioCase.cards.first, scenarioCase.tapsAllAtStart,
            scenarioCase.visits?.count ?? 1 == 1, scenarioCase.recording == nil
        else { return [] }
        let random = SeededGenerator(seed: scenarioCase.seed).fork("varied cards")
        let keys = Set(card.written.entries.map(\.key.text))
        if let word = card.written[CardLanguage.template.name]?.text,
            let history = CardTemplate(rawValue: word)?.history
        {
            return histories(upTo: history.count, random) + chips(of: card, keys)
        }
        guard !keys.contains(CardLanguage.pages.name), !keys.contains(CardLanguage.image.name),
            !keys.contains(CardLanguage.preset.name), let message = NDEFMessage(on: card.definition)
        else { return [] }
        let family = Family(message)
        let structured = structures(of: card.definition, message, family, random)
        let contents = contents(random)
        let fitting = card.definition.roomForMessage > longMessage ? contents : contents.filter { !$0.isLong }
        return family == .message ? structured : structured + fitting
    }
}

extension VariedCard {
    /// How many lengths of a long history are tried besides the ends.
    private static let drawnLengths = 7

    /// Histories of other lengths, each with a balance whose bytes are not the same backwards.
    private static func histories(upTo longest: Int, _ random: SeededGenerator) -> [VariedCard] {
        var random = random
        var inner = Array(2..<max(2, longest))
        while inner.count > drawnLengths { inner.remove(at: random.next(below: inner.count)) }
        return ([0, 1] + inner + [longest]).map { length in
            let balance = 256 * (2 + random.next(below: 36)) + 64 + 10 * random.next(below: 15)
            return VariedCard(
                "trips-\(length)", "\(CountText.of(length, "record")) in its history", .history,
                isDisputed: length == 0,
                [
                    (CardLanguage.balance.name, .number(balance)), (CardLanguage.trips.name, .number(length)),
                ])
        }
    }

    /// The same content on chips that give fewer or more blocks at once, unless the user has named one.
    private static func chips(of card: ScenarioCase.NamedCard, _ keys: Set<String>) -> [VariedCard] {
        guard !keys.contains(CardLanguage.ic.name), !keys.contains(CardLanguage.generation.name),
            let limit = FeliCaIC.named(card.definition.icName)?.maxReadBlocks.value
        else { return [] }
        var limits: Set = [limit]
        return FeliCaIC.catalogue.compactMap { chip in
            guard let other = chip.maxReadBlocks.value, limits.insert(other).inserted else { return nil }
            return VariedCard(
                "blocks-\(other)", "a chip that gives \(CountText.of(other, "block")) at once", .history,
                [(CardLanguage.ic.name, .text(chip.name))])
        }
    }
}

extension VariedCard {
    /// Bytes that the longest message takes, at most.
    private static let longMessage = 330

    /// Words of four languages for the same number, which is drawn.
    private static let numbers: [(english: String, japanese: String, german: String, french: String)] = [
        ("three", "三", "drei", "trois"), ("four", "四", "vier", "quatre"), ("five", "五", "fünf", "cinq"),
        ("six", "六", "sechs", "six"), ("seven", "七", "sieben", "sept"), ("eight", "八", "acht", "huit"),
        ("nine", "九", "neun", "neuf"),
    ]

    /// Messages of one kind of record: short and long ones, other languages and encodings, several, none.
    private static func contents(_ random: SeededGenerator) -> [VariedCard] {
        var random = random.fork("contents")
        let long = String((0..<290).map { _ in Character("\(random.next(below: 10))") })
        let (one, two) = (random.next(below: 10), random.next(below: 10))
        let number = numbers[random.next(below: numbers.count)]
        let place = "35.\(random.next(below: 900_000) + 100_000),139.\(random.next(below: 900_000) + 100_000)"
        let uris: [VariedCard] = [
            records("uri", "a short URI", .uri, [["uri": .text("https://a.io/\(one)")]]),
            records("uri-long", "a URI of more than 255 bytes", .uri, [["uri": .text("https://long.example/\(long)")]]),
            records("uri-whole", "a URI without an abbreviated beginning", .uri, [["uri": .text("geo:\(place)")]]),
            records(
                "uri-several", "two URIs", .uri,
                [["uri": .text("https://one.example/\(one)")], ["uri": .text("https://two.example/\(two)")]]),
        ]
        let texts: [VariedCard] = [
            records("text", "a short text", .text, [["text": .text("Platform \(number.english)")]]),
            records("text-long", "a text of more than 255 bytes", .text, [["text": .text("long \(long)")]]),
            records(
                "text-japanese", "a text in Japanese", .text,
                [["text": .text("\(number.japanese)番線、まもなく発車"), "lang": "ja"]]),
            records(
                "text-region", "a language code of five bytes", .text,
                [["text": .text("Gleis \(number.german), fährt ab"), "lang": "de-CH"]]),
            records(
                "text-several", "two texts", .text,
                [["text": .text("first of \(number.english)")], ["text": .text("second of \(number.english)")]]),
            records(
                "text-utf16", "a text in UTF-16", .text, isDisputed: true,
                [["text": .text("Voie \(number.french), départ"), "lang": "fr", "encoding": "utf-16"]]),
            records(
                "text-invalid", "a text that is no UTF-8", .text, isDisputed: true,
                [["tnf": 1, "type": "T", "payload": "02 65 6E 41 C3 28 FF 42"]]),
            records("text-empty", "an empty text", .text, isDisputed: true, [["text": ""]]),
        ]
        return uris + texts
    }

    private static func records(
        _ name: String, _ summary: String, _ family: Family, isDisputed: Bool = false, _ records: [Node]
    ) -> VariedCard {
        VariedCard(name, summary, family, isDisputed: isDisputed, [(CardLanguage.ndef.name, .list(records))])
    }

    /// The same message, or one that fills the tag, among other TLV blocks and remains.
    private static func structures(
        of definition: CardDefinition, _ message: NDEFMessage, _ family: Family, _ random: SeededGenerator
    ) -> [VariedCard] {
        guard case .ntag(let template) = definition, let message = try? TLVBlock(message) else {
            let empty: (key: String, value: Node) = (CardLanguage.ndef.name, .list([]))
            return [VariedCard("empty", "an empty message", family, isDisputed: true, [empty])]
        }
        var random = random
        let noise = (0..<5).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let remains = "https://remains.example/\(random.next(below: 10_000))"
        let tag = TagMemory(template.definition)
        let card = { (name: String, summary: String, isDisputed: Bool, memory: [UInt8]?) in
            memory.map { memory in
                VariedCard(
                    name, summary, family, isDisputed: isDisputed, remains: [remains], [TagMemory.pages(memory)])
            }
        }
        return [
            card(
                "tlv-before", "another TLV block before its message", false,
                tag.memory([.null, .null, try? TLVBlock(.proprietary, noise), message, .terminator])),
            card(
                "tlv-long-before", "a TLV block of 300 bytes before its message", false,
                tag.memory([decoy(remains), message, .terminator])),
            card(
                "tlv-empty-before", "an empty TLV block before its message", false,
                tag.memory([try? TLVBlock(.proprietary, []), message, .terminator])),
            card("at-end", "a message at the end of its memory, without a terminator", false, tag.atEnd(message)),
            card("full", "a message that fills the tag, without a terminator", false, tag.full(family)),
            card(
                "remains", "an older message behind the end of its own", false,
                tag.memory([message, .terminator], behind: old(remains))),
            card("empty", "an empty message", true, tag.memory([try? TLVBlock(.ndefMessage, []), .terminator])),
        ].compactMap(\.self)
    }

    /// The block of an older message.
    private static func old(_ uri: String) -> [UInt8] {
        let record = try? NDEFRecord(.uri(NDEFURI(uri)))
        return record.flatMap { try? TLVBlock(NDEFMessage([$0])).bytes } ?? []
    }

    /// A block with a length of three bytes that holds an older message where a reader lands that takes its length, FF,
    /// for 255.
    private static func decoy(_ uri: String) -> TLVBlock? {
        let (landing, count) = (0xFF - 2, 300)
        let value = Array(repeating: UInt8(0), count: landing) + old(uri)
        return try? TLVBlock(.proprietary, value + Array(repeating: 0, count: max(0, count - value.count)))
    }
}

/// The user memory of a tag, to be laid out anew.
private struct TagMemory {
    private let area: Type2DataArea
    let size: Int
    /// What the tag was delivered with before its message.
    private let head: [TLVBlock]

    init(_ tag: NTAGDefinition) {
        let container = try? CapabilityContainer(parsing: tag.capabilityContainer.bytes)
        let area = Type2DataArea(container ?? CapabilityContainer(dataAreaSize: tag.userMemory.count))
        self.area = area
        size = area.addresses.count
        var head: [TLVBlock] = []
        var walker = TLVWalker(
            memory: Array(repeating: 0, count: area.addresses.lowerBound) + tag.userMemory, area: area)
        while let placed = try? walker.next(), placed.block.type != .ndefMessage { head.append(placed.block) }
        self.head = head
    }

    /// The bytes from page 4 on; `nil` if they do not fit.
    func memory(_ blocks: [TLVBlock?], behind rest: [UInt8] = []) -> [UInt8]? {
        let known = blocks.compactMap(\.self)
        guard known.count == blocks.count else { return nil }
        var memory = Array(repeating: UInt8(0), count: area.addresses.upperBound)
        guard let places = try? area.write(head + known, into: &memory) else { return nil }
        let end = places.last?.end ?? area.addresses.lowerBound
        guard end + rest.count <= memory.count else { return nil }
        memory.replaceSubrange(end..<end + rest.count, with: rest)
        return Array(memory.dropFirst(area.addresses.lowerBound))
    }

    /// A message whose last byte is the last of the memory, behind NULL blocks.
    func atEnd(_ message: TLVBlock) -> [UInt8]? {
        let count = area.byteCount(from: area.addresses.lowerBound) - (head + [message]).map(\.bytes.count).reduce(0, +)
        return count < 0 ? nil : memory(Array(repeating: .null, count: count) + [message])
    }

    /// One record that leaves no byte free.
    func full(_ family: VariedCard.Family) -> [UInt8]? {
        for length in stride(from: size, to: 0, by: -1) {
            let text = String(repeating: "0123456789", count: length / 10 + 1).prefix(length)
            let content: NDEFRecord.Content
            switch family {
            case .uri: content = .uri(NDEFURI("https://full.example/\(text)"))
            case .text:
                guard let whole = try? NDEFText(String(text), language: "en") else { continue }
                content = .text(whole)
            case .history, .message: return nil
            }
            guard let record = try? NDEFRecord(content), let block = try? TLVBlock(NDEFMessage([record])),
                let memory = memory([block]), memory.last != 0
            else { continue }
            return memory
        }
        return nil
    }

    static func pages(_ memory: [UInt8]) -> (key: String, value: Node) {
        let count = PageData.byteCount
        let pages = stride(from: 0, to: memory.count, by: count).map {
            Node.hex(memory[$0..<min($0 + count, memory.count)])
        }
        return (CardLanguage.pages.name, ["\(Type2DataArea.firstAddress / count)": .list(pages)])
    }
}

extension VariedCard.Family {
    /// The family of a card that holds a message.
    fileprivate init(_ message: NDEFMessage) {
        switch try? message.records.first?.content {
        case .uri?: self = .uri
        case .text?: self = .text
        default: self = .message
        }
    }
}

extension NDEFMessage {
    /// The message on a card as its definition has it; `nil` for a card without one.
    package init?(on definition: CardDefinition) {
        let bytes: [UInt8]?
        switch definition {
        case .ntag(let template):
            let tag = template.definition
            let memory = Array(repeating: UInt8(0), count: Type2DataArea.firstAddress) + tag.userMemory
            let container = try? CapabilityContainer(parsing: tag.capabilityContainer.bytes)
            bytes = container.flatMap { try? Type2DataArea($0).ndefMessageBlock(in: memory)?.block.value }
        case .felica, .lite: bytes = definition.makeType3Message()
        }
        guard let bytes, let message = try? NDEFMessage(parsing: bytes), !message.records.isEmpty else { return nil }
        self = message
    }
}

extension CardDefinition {
    /// About how many bytes a message on the card may have.
    fileprivate var roomForMessage: Int {
        if case .ntag(let template) = self { return TagMemory(template.definition).size }
        return ((type3Blocks?.count ?? 1) - 1) * BlockData.byteCount
    }

    /// The blocks of a Type 3 Tag, the attribute information first.
    private var type3Blocks: [BlockData]? {
        guard let card = makeEngine() as? any FeliCaEngine, card.systemCodes.contains(.ndef) else { return nil }
        return [Type3Services.read, Type3Services.write].lazy.compactMap { card.blocks(of: $0, in: .ndef) }.first
    }

    fileprivate func makeType3Message() -> [UInt8]? {
        guard let blocks = type3Blocks, let first = blocks.first else { return nil }
        let length = Int(AttributeInformationBlock(first).messageLength)
        return Array(blocks.dropFirst().flatMap(\.bytes).prefix(length))
    }
}

import TapCards
import TapDocument
import TapWire

/// The card of a case, on which its control cards are based.
struct ControlSubject {
    private typealias Keys = CardLanguage

    let family: VariedCard.Family
    let random: SeededGenerator
    private let definition: CardDefinition
    private let written: NodeMap
    private let history: HistoryForm?
    private let isOctopus: Bool
    private let message: NDEFMessage?
    private let visitCount: Int
    /// The memory of the tag, or `nil` if it is not an NTAG with a message.
    private let tag: TagMemory?

    /// - Returns: `nil` if there are several cards, if something happens to the card, or if its content is unknown.
    init?(_ scenarioCase: ScenarioCase) {
        guard scenarioCase.cards.count == 1, let card = scenarioCase.cards.first, scenarioCase.tapsAllAtStart,
            scenarioCase.recording == nil
        else { return nil }
        visitCount = scenarioCase.visits?.count ?? 1
        let (definition, written) = (card.definition, card.written)
        (self.definition, self.written) = (definition, written)
        random = SeededGenerator(seed: scenarioCase.seed).fork("varied cards")
        let template = written[Keys.template.name]?.text.flatMap(CardTemplate.init)
        history = template?.history
        // The card does not store the debt from which its balance is counted.
        isOctopus = template == .octopus && written[Keys.debt.name] == nil
        let isRaw = [Keys.pages.name, Keys.image.name, Keys.preset.name].contains { written[$0] != nil }
        message = history != nil || isRaw ? nil : NDEFMessage(on: definition)
        guard history != nil || message != nil || isOctopus else { return nil }
        family = message.map(VariedCard.Family.init) ?? .history
        if message != nil, case .ntag(let template) = definition {
            tag = TagMemory(template.definition)
        } else {
            tag = nil
        }
    }

    func has(_ subject: ControlProperty.Subject) -> Bool {
        // What is printed of several visits is compared card by card.
        guard visitCount == 1 else { return subject == .visits }
        return switch subject {
        case .visits: false
        case .history: history != nil
        case .balance: history != nil || isOctopus
        case .message: message != nil
        case .tag: tag != nil
        case .protected: tag != nil && written[Keys.config.name]?["pwd"] != nil
        case .uri, .text: family == .uri || family == .text
        }
    }

    /// A Boolean value that indicates whether a message with a record of 300 bytes fits.
    var hasRoomForLongRecords: Bool { (tag?.size ?? definition.type3Room) > 330 }
}

// Visits.

extension ControlSubject {
    /// Returns the named card, then the same card with other content, then another card with other content.
    func visits(_ random: inout SeededGenerator) -> [VariedCard] {
        guard visitCount > 1 else { return [] }
        var later: [[(key: String, value: Node)]] = []
        for _ in 2...min(visitCount, 3) {
            guard let content = content(&random) else { return [] }
            later.append(content + [identifier(isSame: later.isEmpty, &random)])
        }
        return [
            VariedCard("visits", "other content in each visit", family, demand: .readingOrRefusal, [], later: later)
        ]
    }

    /// Returns other content; `nil` for a message whose records clients print in their own form.
    private func content(_ random: inout SeededGenerator) -> [(key: String, value: Node)]? {
        let number = 1_000 + random.next(below: 9_000)
        switch family {
        case .uri: return [(Keys.ndef.name, [["uri": .text("https://a.io/\(number)")]])]
        case .text: return [(Keys.ndef.name, [["text": .text("Visitor \(number)")]])]
        case .message: return nil
        case .history: break
        }
        let balance: (key: String, value: Node) = (Keys.balance.name, .number(number))
        guard let history else { return [balance] }
        let count = min(3, history.count)
        let records: (key: String, value: Node) = (
            Keys.history.name, .list(NodeList(history.distinctRecords(count, &random)))
        )
        return [balance, (Keys.trips.name, .number(count)), records]
    }

    /// Returns the IDm or UID of the card, or of another card of the same manufacturer.
    private func identifier(isSame: Bool, _ random: inout SeededGenerator) -> (key: String, value: Node) {
        var bytes = definition.identifier
        if !isSame { for index in bytes.indices.suffix(4) { bytes[index] &+= UInt8(1 + random.next(below: 0xFE)) } }
        let key = if case .ntag = definition { Keys.uid.name } else { Keys.idm.name }
        return (key, .hex(bytes))
    }
}

// Histories. Except for balance cards, each card has a history whose bytes differ when read backwards.

extension ControlSubject {
    /// The balances that the card can store, and the highest that its operator allows: 20,000 yen on cards with 16-bit
    /// balances (transit cards), 50,000 yen on others, and 3,000 dollars on an Octopus.
    private var balanceBounds: (stored: ClosedRange<Int>, allowed: Int) {
        if isOctopus {
            let debt = OctopusAmount.debt
            return (1 - debt...OctopusAmount.maximumTenths(debt: debt), 29_999)
        }
        let highest = history?.highestBalance ?? 0
        return (0...highest, highest <= UInt16.max ? 20_000 : 50_000)
    }

    /// - Parameter items: The newest records.
    private func card(
        _ name: String, _ summary: String, trips: Int? = nil, balance: Int? = nil, _ items: [Node] = [],
        _ demand: VariedCard.Demand = .reading
    ) -> VariedCard {
        let changes: [(key: String, value: Node?)] = [
            (Keys.balance.name, balance.map { .number($0) }), (Keys.trips.name, trips.map { .number($0) }),
            (Keys.history.name, items.isEmpty ? nil : .list(NodeList(items))),
        ]
        return VariedCard(
            name, summary,
            .history, demand: demand, changes.compactMap { key, value in value.map { (key, $0) } })
    }

    func lengths(_ random: inout SeededGenerator) -> [VariedCard] {
        guard let history else { return [] }
        let longest = history.count
        var inner = Array(2..<max(2, longest))
        inner.shuffle(using: &random)
        return ([0, 1, longest] + inner).map { length in
            let balance = 256 * (2 + random.next(below: 36)) + 64 + 10 * random.next(below: 15)
            return card(
                "trips-\(length)", "\(CountText.of(length, "record")) in its history", trips: length, balance: balance,
                history.distinctRecords(length, &random), length == 0 ? .survival : .reading)
        }
    }

    var balances: [VariedCard] {
        let (stored, allowed) = balanceBounds
        let bounds = [stored.lowerBound, allowed, 1, 0x8000, stored.upperBound, -1, 0x7FFF]
        let values =
            bounds + [0xFFFF, 0xFF, 0x100, 0x1_0000, 0xFF_FFFF, 0x100_0000, Int(Int32.max), Int(Int32.max) + 1]
        return values.enumerated().filter { stored.contains($1) && !values[..<$0].contains($1) }.map { _, value in
            card(
                "balance-\(value)", "a balance of \(value)", balance: value, [],
                value > allowed ? .readingOrRefusal : .reading)
        }
    }

    var dates: [VariedCard] {
        [(2026, 1, 1), (2024, 3, 1), (2025, 10, 1)].compactMap { year, month, day in
            guard let after = CalendarDate(year: year, month: month, day: day), let before = after.adding(days: -1)
            else {
                return nil
            }
            let items: [Node] = [after, before].map { ["date": .text("\($0)")] }
            return card(
                "dates-\(after)", "records of \(before) and \(after)", trips: min(12, history?.count ?? 0), items)
        }
    }

    func kinds(_ random: inout SeededGenerator) -> [VariedCard] {
        guard let history else { return [] }
        var kinds = history.kinds
        kinds.shuffle(using: &random)
        return stride(from: 0, to: kinds.count, by: history.count).enumerated().map { number, start in
            let items: [Node] = kinds[start...].prefix(history.count).map { ["kind": .text($0)] }
            return card(
                "kinds-\(number + 1)", "records of \(CountText.of(items.count, "kind"))", trips: items.count, items)
        }
    }

    var blank: [VariedCard] {
        guard let history, history.count > 3 else { return [] }
        let records: [Node] = [(2_960, 61, 30), (2_750, 60, 29), (2_340, 58, 27)].map { balance, number, day in
            let entries: [(key: String, value: Node)] = [
                ("balance", .number(balance)), ("number", .number(number)), ("date", .text("2026-03-\(day)")),
            ]
            return .map(entries.filter { !history.otherKeys.contains($0.key) })
        }
        let blank: Node = ["data": .hex(Array(repeating: 0, count: history.recordLength))]
        return [
            card(
                "blank", "a blank record among others", trips: min(8, history.count), balance: 2_960,
                records[..<2] + [blank] + records[2...], .readingOrRefusal)
        ]
    }

    /// Cards with the same content on chips with a different block limit per read, unless the user has chosen the chip.
    var chips: [VariedCard] {
        guard written[Keys.ic.name] == nil, written[Keys.generation.name] == nil,
            let limit = FeliCaIC.named(definition.icName)?.maxReadBlocks.value
        else { return [] }
        var limits: Set = [limit]
        return FeliCaIC.catalogue.compactMap { chip in
            guard let other = chip.maxReadBlocks.value, limits.insert(other).inserted else { return nil }
            return VariedCard(
                "blocks-\(other)", "a chip that reads \(CountText.of(other, "block")) at once", .history,
                [(Keys.ic.name, .text(chip.name))])
        }
    }
}

// Messages.

extension ControlSubject {
    var chunks: [VariedCard] {
        guard let message, let first = message.records.first, first.payload.count > 1,
            let chunks = try? first.chunks(ofAtMost: (first.payload.count + 1) / 2)
        else { return [] }
        let bytes = NDEFMessage(chunks + message.records.dropFirst()).bytes
        return [
            VariedCard(
                "chunks", "a message whose first record is in chunks", family, demand: .readingOrRefusal,
                [(Keys.ndef.name, .hex(bytes))])
        ]
    }

    var empty: [VariedCard] {
        tag == nil
            ? [VariedCard("empty", "an empty message", family, demand: .survival, [(Keys.ndef.name, .list([]))])]
            : tagCard("empty", "an empty message", .survival) { tag, _ in
                tag.memory([try? TLVBlock(.ndefMessage, []), .terminator])
            }
    }

    func otherPassword(_ random: inout SeededGenerator) -> [VariedCard] {
        guard case .map(let config)? = written[Keys.config.name],
            case .map(let other) = ["pwd": .hex((0..<4).map { _ in UInt8(1 + random.next(below: 0xFE)) })] as Node,
            case .map(let limit) = ["authlim": config["authlim"] ?? 3] as Node
        else { return [] }
        return [
            VariedCard(
                "password", "another password, and a limit for failures", family, demand: .readingOrRefusal,
                [(Keys.config.name, .map(config.changed(by: other).changed(by: limit)))])
        ]
    }

    func sizes(_ random: inout SeededGenerator) -> [VariedCard] {
        guard written[Keys.capabilityContainer.name] == nil, let count = message?.bytes.count else { return [] }
        var products = NTAGProduct.allCases.filter { $0.rawValue != definition.icName && $0.hasRoom(for: count) }
        products.shuffle(using: &random)
        return products.map { product in
            VariedCard(
                "size-\(product)", "the same message on an \(product.rawValue)", family,
                [(Keys.ic.name, .text(product.rawValue))])
        }
    }

    var smallContainer: [VariedCard] {
        let container = NTAGProduct.ntag213.deliveredCapabilityContainer.bytes
        guard written[Keys.capabilityContainer.name] == nil, definition.icName != NTAGProduct.ntag213.rawValue,
            let count = message?.bytes.count, NTAGProduct.ntag213.hasRoom(for: count)
        else { return [] }
        return [
            VariedCard(
                "container", "a capability container that announces 144 bytes on a larger chip", family,
                [(Keys.capabilityContainer.name, .hex(container))])
        ]
    }

    func blocksBefore(_ random: inout SeededGenerator) -> [VariedCard] {
        let noise = (0..<5).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let old = "https://remains.example/\(random.next(below: 10_000))"
        return tagCard("tlv-before", "another TLV block before its message") { tag, message in
            tag.memory([.null, .null, try? TLVBlock(.proprietary, noise), message, .terminator])
        }
            + tagCard("tlv-long-before", "a TLV block of 300 bytes before its message", remains: [old]) {
                tag, message in
                tag.memory([Self.decoy(old), message, .terminator])
            }
            + tagCard("tlv-empty-before", "an empty TLV block before its message") { tag, message in
                tag.memory([try? TLVBlock(.proprietary, []), message, .terminator])
            }
    }

    func remains(_ random: inout SeededGenerator) -> [VariedCard] {
        let old = "https://remains.example/\(random.next(below: 10_000))"
        return tagCard("remains", "an older message after the end of its own", remains: [old]) { tag, message in
            tag.memory([message, .terminator], after: Self.block(of: old))
        }
    }

    /// A card with the memory that a closure lays out, or an empty array if it does not fit.
    func tagCard(
        _ name: String, _ summary: String, _ demand: VariedCard.Demand = .reading, remains: [String] = [],
        _ memory: (TagMemory, _ message: TLVBlock) -> [UInt8]?
    ) -> [VariedCard] {
        guard let tag, let message = message.flatMap({ try? TLVBlock($0) }), let memory = memory(tag, message) else {
            return []
        }
        return [VariedCard(name, summary, family, demand: demand, remains: remains, [TagMemory.pages(memory)])]
    }

    private static func block(of uri: String) -> [UInt8] {
        let record = try? NDEFRecord(.uri(NDEFURI(uri)))
        return record.flatMap { try? TLVBlock(NDEFMessage([$0])).bytes } ?? []
    }

    /// A block with a three-byte length.
    ///
    /// A reader that mistakes the length marker FF for 255 lands on an older message inside it.
    private static func decoy(_ uri: String) -> TLVBlock? {
        let (landing, count) = (0xFF - 2, 300)
        let value = Array(repeating: UInt8(0), count: landing) + block(of: uri)
        return try? TLVBlock(.proprietary, value + Array(repeating: 0, count: max(0, count - value.count)))
    }
}

extension VariedCard.Family {
    fileprivate init(_ message: NDEFMessage) {
        switch try? message.records.first?.content {
        case .uri?: self = .uri
        case .text?: self = .text
        default: self = .message
        }
    }
}

extension NTAGProduct {
    /// Returns whether a message and its TLV blocks fit.
    fileprivate func hasRoom(for count: Int) -> Bool {
        let container = try? CapabilityContainer(parsing: deliveredCapabilityContainer.bytes)
        return container.flatMap { Type2DataArea($0).largestMessage() }.map { count + 5 <= $0 } ?? false
    }
}

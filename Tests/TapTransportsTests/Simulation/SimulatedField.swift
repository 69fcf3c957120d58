import TapCards
import TapField
import TapReaders
import TapWire
import TestSupport

@testable import TapHost

/// A failure, described in a sentence.
struct SimulationProblem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// The field shared by simulated transports, and the expected state: the location of each card, and its answers on its own.
struct SimulatedField {
    /// The models of the readers, by their number in the world.
    static let models: [ReaderModel] = [.storageCard, .acr122u, .rcs300, .scl3711, .acr122u]

    let host: FieldHost
    /// The cards before readers, by the number of the reader.
    private(set) var tapped: [Int: String] = [:]
    private(set) var unplugged: Set<Int> = []
    /// The number of cards that came or went, by reader number.
    private(set) var visits: [Int: Int] = [:]
    private var alone: [String: LoneCard] = [:]

    init() throws {
        var world = World(seed: 1)
        world.place(Self.models.indices.map { ReaderField(Self.name($0)) })
        for number in 0..<4 {
            var tag = SampleTags.t0(number.isMultiple(of: 2) ? .ntag215 : .ntag213)
            guard let uid = UID([0x04, 1, 2, 3, 4, 5, UInt8(number)]) else { continue }
            try tag.setUID(uid)
            let card = NTAGCard(tag)
            world.add(card, named: "tag \(number)")
            alone["tag \(number)"] = LoneCard(card)
        }
        let card = try CardS.card()
        world.add(card, named: "felica")
        alone["felica"] = LoneCard(card)
        host = FieldHost(world, exchangeLimit: .max)
    }

    static func name(_ reader: Int) -> String { "reader \(reader)" }

    /// The card that a reader can reach.
    func card(at reader: Int) -> String? { unplugged.contains(reader) ? nil : tapped[reader] }

    /// Performs an action of a user.
    mutating func happen(_ random: inout TestRandom) -> String {
        let reader = random.number(below: Self.models.count)
        if unplugged.contains(reader) || random.oneIn(12) { return turn(reader) }
        if let card = tapped[reader] {
            remove(card, from: reader)
            // Replaces the card immediately, before anybody looks, or later.
            guard random.oneIn(3) else { return "\(card) leaves \(reader)" }
        }
        let free = alone.keys.filter { !tapped.values.contains($0) }.sorted()
        guard !free.isEmpty else { return "nothing" }
        let card = random.pick(free)
        host.perform { $0.tap(card, before: Self.name(reader)) }
        tapped[reader] = card
        visits[reader, default: 0] += 1
        return "\(card) comes to \(reader)"
    }

    private mutating func remove(_ card: String, from reader: Int) {
        host.perform { $0.remove(card) }
        tapped[reader] = nil
        visits[reader, default: 0] += 1
    }

    /// Unplugs a reader, or plugs it in.
    private mutating func turn(_ reader: Int) -> String {
        visits[reader, default: 0] += 1
        if unplugged.remove(reader) != nil {
            host.perform { _ = $0.plug(Self.name(reader)) }
            return "\(reader) is plugged in"
        }
        unplugged.insert(reader)
        host.perform { _ = $0.unplug(Self.name(reader)) }
        return "\(reader) is unplugged"
    }

    /// Plugs in all readers.
    mutating func settle() {
        for reader in unplugged { _ = turn(reader) }
    }

    /// The answer of a selected card to a frame on its own; `nil` for silence.
    mutating func answer(of card: String, to frame: [UInt8]) -> [UInt8]? { alone[card]?.answer(frame) }

    func isTag(_ card: String) -> Bool { card != "felica" }

    /// The UID or IDm of a card.
    func identifier(of card: String) -> [UInt8] { alone[card]?.identifier ?? [] }
}

/// Returns a card that nobody else uses.
private struct LoneCard {
    private var world = World(seed: 2)
    private let technology: Technology
    let identifier: [UInt8]

    init(_ tag: NTAGCard) {
        (technology, identifier) = (.typeA106, tag.template.definition.uid.bytes)
        place(tag)
    }

    init(_ card: FeliCaCard) {
        (technology, identifier) = (.felica212, card.idm.rawValue.octets)
        place(card)
    }

    private mutating func place(_ engine: any CardEngine) {
        world.limitExchanges(to: .max)
        world.add(engine, named: "card")
        world.tap("card")
        world.switchField(on: true)
    }

    mutating func answer(_ frame: [UInt8]) -> [UInt8]? {
        if technology == .typeA106 {
            world.switchField(on: false)
            world.switchField(on: true)
            _ = world.selectTypeA(.wupa, waiting: nil)
        }
        return world.exchangeWithOneCard(RFFrame(technology, frame), waiting: nil)?.bytes
    }
}

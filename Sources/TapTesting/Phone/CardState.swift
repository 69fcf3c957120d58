import TapCards
import TapDoors
import TapField
import TapPhone
import TapWire

/// A card of a test as it is now.
public struct CardState: Sendable {
    private let slot: CardSlot

    init(_ slot: CardSlot) {
        self.slot = slot
    }

    public var name: String { slot.name }
    /// Whether it lies before the phone.
    public var isPresent: Bool { slot.isPresent }
    /// Whether its memory is as at the beginning of the test.
    public var isUnchanged: Bool { slot.isMemoryUnchanged }
    /// Its state in the words of its manual, such as `Mode0 of system 0003` or `AUTHENTICATED`.
    public var state: String { slot.engine.stateName }

    /// The blocks of a service of a FeliCa card, 16 bytes each; nothing where it has none of that code.
    ///
    /// - Parameters:
    ///   - service: The code as people say it, such as `0x090F`.
    ///   - system: The code of the system; the first that has the service without it.
    public func blocks(of service: UInt16, in system: UInt16? = nil) -> [[UInt8]]? {
        guard let card = slot.engine as? FeliCaCard else { return nil }
        let systems = system.map { [SystemCode($0)] } ?? card.template.definition.systems.map(\.code)
        let blocks = systems.lazy.compactMap { card.blocks(of: NodeCode(service), in: $0) }.first
        return blocks?.map(\.bytes)
    }

    /// The four bytes of a page of a tag; nothing where it has no such page.
    public func page(_ number: Int) -> [UInt8]? {
        guard let tag, number >= 0, number < tag.template.definition.product.layout.pageCount else { return nil }
        return tag[page: number].bytes
    }

    /// All pages of a tag, four bytes each; none of another card.
    public var pages: [[UInt8]] {
        guard let tag else { return [] }
        return (0..<tag.template.definition.product.layout.pageCount).map { tag[page: $0].bytes }
    }

    /// The NFC counter of a tag; nothing of another card.
    public var counter: Int? { tag.map { Int($0.counter) } }
    /// Wrong passwords that a tag has counted since the last right one; nothing of another card.
    public var authenticationFailures: Int? { tag.map { Int($0.failedAuthentications) } }

    private var tag: NTAGCard? { slot.engine as? NTAGCard }
}

extension VirtualNFC {
    /// A card of the test as it is now.
    ///
    /// - Throws: ``VirtualNFCError`` if the test has no such card.
    public static func card(named name: String) throws(VirtualNFCError) -> CardState {
        let world = try phone.host.snapshot
        guard let slot = world.card(named: name) else { throw .noCard(name, of: world) }
        return CardState(slot)
    }

    /// The only card of the test as it is now.
    ///
    /// - Throws: ``VirtualNFCError`` if the test has several or none.
    public static var card: CardState {
        get throws(VirtualNFCError) {
            let world = try phone.host.snapshot
            guard let slot = world.cards.first, world.cards.count == 1 else {
                throw VirtualNFCError("the test has \(world.cards.count) cards; name one: `card(named:)`")
            }
            return CardState(slot)
        }
    }
}

extension VirtualNFCError {
    /// No card has a name.
    static func noCard(_ name: String, of world: World) -> VirtualNFCError {
        let names = world.cards.map(\.name).joined(separator: ", ")
        return VirtualNFCError("there is no card `\(name)`; the test has \(names)")
    }
}

import TapCards
import TapWire

/// A card of a world: its name, the card, and whether it lies in the field.
public struct CardSlot: Sendable {
    /// The name under which a scenario speaks of the card.
    public let name: String
    /// The card as it is now.
    public internal(set) var engine: any CardEngine
    /// The card as it came into the world, with what faults of the image have made of it.
    public internal(set) var original: any CardEngine
    /// Whether the card lies before a reader; powered only while the field is on.
    public internal(set) var isPresent = false
    /// The reader before which it lies or lay last, an index into the readers of the world.
    public internal(set) var reader = 0
    /// Counts arrivals, so that a card that left and came back is told from one that stayed.
    public internal(set) var visit = 0

    /// Counts how often the card lost power before the reader, so that one that hears a command to its end is told
    /// from one that began anew meanwhile.
    var powerLosses = 0

    public init(name: String, engine: any CardEngine) {
        self.name = name
        self.engine = engine
        original = engine
    }

    /// Power is gone for the card.
    mutating func losePower() {
        engine.fieldFell()
        powerLosses += 1
    }

    /// Whether all that survives power-off is as it was when the card came into the world.
    public var isMemoryUnchanged: Bool {
        engine.hasSameMemory(asAny: original)
    }
}

extension CardEngine {
    /// Whether all that survives power-off is the same as in another card, of whatever kind.
    func hasSameMemory(asAny other: any CardEngine) -> Bool {
        guard let other = other as? Self else { return false }
        return hasSameMemory(as: other)
    }
}

/// A reader of a world: its name, and the field it makes.
public struct ReaderField: Hashable, Sendable {
    /// The name of a reader that nobody named.
    public static let usualName = "reader"

    /// The name by which a scenario speaks of it.
    public let name: String
    /// The card it takes where several lie before it, or nothing for the first it finds.
    public let pick: String?
    /// Whether it is plugged in; without that it makes no field and hears nothing.
    public internal(set) var isPlugged = true
    /// Whether its field is on.
    public internal(set) var isFieldOn = false

    /// Creates a reader that is plugged in, its field off.
    public init(_ name: String = usualName, pick: String? = nil) {
        self.name = name
        self.pick = pick
    }
}

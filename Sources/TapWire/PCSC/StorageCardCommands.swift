/// What a get data command asks for.
///
/// Sources: PC/SC part 3, "get data"; open drivers of the RC-S300 for F0 to F4.
public struct CardProperty: Hashable, Sendable {
    /// P1.
    public let rawValue: UInt8

    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The UID of a type A card, the IDm of a FeliCa card.
    public static let identifier = CardProperty(0x00)
    /// The historical bytes of the ATS; Sony readers give the PMm of a FeliCa card.
    public static let historicalBytes = CardProperty(0x01)
    /// RC-S300: the identifier once more.
    public static let cardID = CardProperty(0xF0)
    /// RC-S300: the name of the card.
    public static let cardName = CardProperty(0xF1)
    /// RC-S300: the bit rate, 1 for 106, 2 for 212, 3 for 424, 4 for 848 kbit/s.
    public static let bitRate = CardProperty(0xF2)
    /// RC-S300: the kind of the card, a number.
    public static let cardType = CardProperty(0xF3)
    /// RC-S300: the kind of the card, a name.
    public static let cardTypeName = CardProperty(0xF4)
}

/// Commands to a storage card behind a reader.
///
/// Source: PC/SC part 3, "storage card functionality".
extension CommandAPDU {
    /// Get data.
    ///
    /// - Parameters:
    ///   - property: What to get.
    ///   - expected: Le, 0 for all.
    public static func getData(_ property: CardProperty, expected: Int = 0) -> CommandAPDU {
        CommandAPDU(ins: .getData, p1: property.rawValue, expected: expected)
    }

    /// Read binary.
    ///
    /// - Parameters:
    ///   - address: The block or page.
    ///   - expected: Le, 0 for all.
    public static func readBinary(_ address: UInt16, expected: Int = 0) -> CommandAPDU {
        CommandAPDU(
            ins: .readBinary, p1: UInt8(address >> 8), p2: UInt8(truncatingIfNeeded: address), expected: expected)
    }

    /// Update binary.
    ///
    /// - Parameters:
    ///   - address: The block or page.
    ///   - data: What to write.
    public static func updateBinary(_ address: UInt16, _ data: [UInt8]) -> CommandAPDU {
        CommandAPDU(ins: .updateBinary, p1: UInt8(address >> 8), p2: UInt8(truncatingIfNeeded: address), data: data)
    }

    /// Read binary from a FeliCa card, in the form of the standard: services and a block list in the data.
    ///
    /// - Parameters:
    ///   - blocks: The lists; those of a read.
    ///   - expected: Le, 0 for all.
    public static func readBlocks(_ blocks: FeliCaBlockSelection, expected: Int = 0) -> CommandAPDU {
        CommandAPDU(ins: .readBinary, data: blocks.bytes, expected: expected)
    }

    /// Update binary on a FeliCa card, in the form of the standard: services, a block list and blocks in the data.
    public static func updateBlocks(_ blocks: FeliCaBlockSelection, _ data: [BlockData]) -> CommandAPDU {
        CommandAPDU(ins: .updateBinary, data: blocks.bytes + data.flatMap(\.bytes))
    }

    /// The address in P1 and P2.
    public var address: UInt16 { UInt16(p1) << 8 | UInt16(p2) }
}

/// The data requested by a get data command.
///
/// Sources: PC/SC part 3, "get data"; open drivers of the RC-S300 for F0 to F4.
package struct CardProperty: Hashable, Sendable {
    /// P1.
    package let rawValue: UInt8

    package init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The UID of a type A card or the IDm of a FeliCa card.
    package static let identifier = CardProperty(0x00)
    /// The historical bytes of the ATS; Sony readers return the PMm of a FeliCa card.
    package static let historicalBytes = CardProperty(0x01)
    /// RC-S300: the identifier again.
    package static let cardID = CardProperty(0xF0)
    package static let cardName = CardProperty(0xF1)
    /// RC-S300: the bit rate, 1 for 106, 2 for 212, 3 for 424, 4 for 848 kbit/s.
    package static let bitRate = CardProperty(0xF2)
    /// RC-S300: the card type as a number.
    package static let cardType = CardProperty(0xF3)
    /// RC-S300: the card type as a name.
    package static let cardTypeName = CardProperty(0xF4)
}

extension CommandAPDU {
    /// The address in P1 and P2.
    package var address: UInt16 { UInt16(p1) << 8 | UInt16(p2) }
}

/// Services and a block list as storage-card readers expect them in the data of read and update binary.
///
/// ```
/// m | service code (LE) × m | n | block list element × n
/// ```
/// The same bytes follow the IDm in Read Without Encryption. Source: Microsoft, "NFC smart card reader PC/SC and PC/SC
/// pass-through", FeliCa commands.
package struct FeliCaBlockSelection: Hashable, Sendable {
    /// The service codes; block list elements refer to them by index.
    package var services: [NodeCode]
    package var blocks: [BlockListElement]

    package init(services: [NodeCode], blocks: [BlockListElement]) {
        self.services = services
        self.blocks = blocks
    }

    /// Reads a selection and returns it with the bytes that follow, the blocks to write.
    package static func parse(
        _ bytes: [UInt8]
    ) throws(WireError) -> (selection: FeliCaBlockSelection, rest: [UInt8]) {
        let slice = bytes[...]
        var reader = ByteReader(slice.span)
        let services = try reader.bytes(2 * Int(try reader.byte("number of services")), "service code list")
        let count = Int(try reader.byte("number of blocks"))
        var offset = reader.offset
        var blocks: [BlockListElement] = []
        for _ in 0..<count {
            guard let element = BlockListElement(slice.span, at: offset) else {
                throw WireError(.truncated, at: bytes.count, in: "block list", "\(count) elements announced")
            }
            blocks.append(element)
            offset += element.byteCount
        }
        let codes = stride(from: 0, to: services.count, by: 2).map { index in
            NodeCode(UInt16(services[index]) | UInt16(services[index + 1]) << 8)
        }
        return (FeliCaBlockSelection(services: codes, blocks: blocks), Array(bytes[offset...]))
    }

    /// The selection as sent; counts are truncated to their low byte.
    package var bytes: [UInt8] {
        let codes = services.flatMap { [UInt8(truncatingIfNeeded: $0.rawValue), UInt8($0.rawValue >> 8)] }
        return [UInt8(truncatingIfNeeded: services.count)] + codes
            + [UInt8(truncatingIfNeeded: blocks.count)] + blocks.flatMap(\.bytes)
    }
}

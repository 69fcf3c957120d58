/// A property of a reader.
///
/// ```
/// tag | length | value, low byte first
/// ```
/// Source: PC/SC part 10, "GET_TLV_PROPERTIES".
public enum ReaderProperty: Hashable, Sendable {
    /// The vendor, as USB numbers them.
    case vendor(UInt16)
    /// The product, as the vendor numbers them.
    case product(UInt16)
    /// Most data of one APDU in bytes; 0 for short APDUs only.
    case maximumData(UInt32)
    /// Any other.
    case other(tag: UInt8, [UInt8])

    /// The tag and the value.
    private var parts: (tag: UInt8, value: [UInt8]) {
        switch self {
        case .maximumData(let count): (0x0A, count.bigEndianBytes.reversed())
        case .vendor(let number): (0x0B, number.bigEndianBytes.reversed())
        case .product(let number): (0x0C, number.bigEndianBytes.reversed())
        case .other(let tag, let value): (tag, value)
        }
    }

    /// Takes a tag and a value.
    private init(tag: UInt8, value: [UInt8]) {
        let number = value.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        switch (tag, value.count) {
        case (0x0A, 4): self = .maximumData(number)
        case (0x0B, 2): self = .vendor(UInt16(truncatingIfNeeded: number))
        case (0x0C, 2): self = .product(UInt16(truncatingIfNeeded: number))
        default: self = .other(tag: tag, value)
        }
    }

    /// The property as it is sent.
    public var bytes: [UInt8] {
        let (tag, value) = parts
        return [tag, UInt8(truncatingIfNeeded: value.count)] + value
    }

    /// Reads a list of properties; what follows the last whole one is left out.
    public static func list(_ bytes: [UInt8]) -> [ReaderProperty] {
        var properties: [ReaderProperty] = []
        var rest = bytes[...]
        while let tag = rest.popFirst(), let count = rest.popFirst(), rest.count >= Int(count) {
            properties.append(ReaderProperty(tag: tag, value: Array(rest.prefix(Int(count)))))
            rest = rest.dropFirst(Int(count))
        }
        return properties
    }
}

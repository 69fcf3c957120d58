/// The code of a command for the reader itself, an argument of `SCardControl`.
///
/// Sources: pcsc-lite, `reader.h`: SCARD_CTL_CODE(n) is 42000000h + n; the Linux CCID driver for the numbers.
package struct ControlCode: OpenCode, CustomStringConvertible {
    private static let base: UInt32 = 0x4200_0000

    /// The number that the service receives.
    package let rawValue: UInt32

    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package init(function: UInt32) {
        self.init(Self.base &+ function)
    }

    /// An escape command in the form of the CCID driver.
    package static let vendorExchange = ControlCode(function: 1)
    /// A query for the features of the reader; the answer is a list of ``ReaderFeature``.
    package static let features = ControlCode(function: 3400)
    /// An escape command in the form of Windows drivers.
    package static let escape = ControlCode(function: 3500)
    /// A query for the properties of the reader; the answer is a list of ``ReaderProperty``.
    package static let properties = ControlCode(function: 0x33_0012)

    /// A Boolean value that indicates a code for escape commands.
    package var isEscape: Bool { self == .vendorExchange || self == .escape }
}

/// A feature of a reader and its control code.
///
/// ```
/// tag | 04 | control code (4, BE)
/// ```
/// Source: PC/SC part 10, "GET_FEATURE_REQUEST".
package struct ReaderFeature: WireValue {
    package static let length = 6

    package struct Tag: Hashable, Sendable {
        package let rawValue: UInt8

        package init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The properties as a list of ``ReaderProperty``.
        package static let properties = Tag(0x12)
        package static let escape = Tag(0x13)
    }

    package var tag: Tag
    package var code: ControlCode

    package init(_ tag: Tag, _ code: ControlCode) {
        self.tag = tag
        self.code = code
    }

    package init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Self.length, of: "feature")
        guard bytes[1] == 4 else {
            throw WireError(.wrongLength, at: 1, in: "feature", "a control code has four bytes")
        }
        let code = (2..<Self.length).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[$1]) }
        self.init(Tag(bytes[0]), ControlCode(code))
    }

    package var bytes: [UInt8] { [tag.rawValue, 4] + code.rawValue.bigEndianBytes }

    /// Reads a list of entries; an incomplete entry at the end is ignored.
    package static func list(_ bytes: [UInt8]) -> [ReaderFeature] {
        stride(from: 0, through: bytes.count - length, by: length).compactMap { start in
            try? ReaderFeature(parsing: Array(bytes[start..<start + length]))
        }
    }
}

/// A property of a reader.
///
/// ```
/// tag | length | value, low byte first
/// ```
/// Source: PC/SC part 10, "GET_TLV_PROPERTIES".
package enum ReaderProperty: Hashable, Sendable {
    /// The USB vendor number.
    case vendor(UInt16)
    /// The vendor's product number.
    case product(UInt16)
    /// The maximum number of data bytes in one APDU; 0 if only short APDUs are supported.
    case maximumData(UInt32)
    case other(tag: UInt8, [UInt8])

    private var parts: (tag: UInt8, value: [UInt8]) {
        switch self {
        case .maximumData(let count): (0x0A, count.littleEndianBytes)
        case .vendor(let number): (0x0B, number.littleEndianBytes)
        case .product(let number): (0x0C, number.littleEndianBytes)
        case .other(let tag, let value): (tag, value)
        }
    }

    private init(tag: UInt8, value: [UInt8]) {
        let number = value.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        switch (tag, value.count) {
        case (0x0A, 4): self = .maximumData(number)
        case (0x0B, 2): self = .vendor(UInt16(truncatingIfNeeded: number))
        case (0x0C, 2): self = .product(UInt16(truncatingIfNeeded: number))
        default: self = .other(tag: tag, value)
        }
    }

    package var bytes: [UInt8] {
        let (tag, value) = parts
        return [tag, UInt8(truncatingIfNeeded: value.count)] + value
    }

    /// Reads a list of properties; an incomplete property at the end is ignored.
    package static func list(_ bytes: [UInt8]) -> [ReaderProperty] {
        var properties: [ReaderProperty] = []
        var rest = bytes[...]
        while let tag = rest.popFirst(), let count = rest.popFirst(), rest.count >= Int(count) {
            properties.append(ReaderProperty(tag: tag, value: Array(rest.prefix(Int(count)))))
            rest = rest.dropFirst(Int(count))
        }
        return properties
    }
}

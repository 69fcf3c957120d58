/// A data object of a transparent session: a tag and a value.
///
/// ```
/// tag (1 or 2) | length (BER, 1 to 3) | value
/// ```
/// A tag whose low five bits are all set has a second byte. Source: PC/SC part 3, supplement for contactless cards,
/// "transparent session".
public struct SessionObject: Hashable, Sendable, CustomStringConvertible {
    /// What an object is.
    public struct Tag: Hashable, Sendable, CustomStringConvertible {
        /// One byte, or two as a number with the first one high.
        public let rawValue: UInt16

        public init(_ rawValue: UInt16) {
            self.rawValue = rawValue
        }

        fileprivate static func isFirstOfTwo(_ byte: UInt8) -> Bool { byte & 0x1F == 0x1F }

        var bytes: [UInt8] {
            rawValue > 0xFF ? rawValue.bigEndianBytes : [UInt8(truncatingIfNeeded: rawValue)]
        }

        /// Two or four hexadecimal digits.
        public var description: String { Hex.text(bytes) }
    }

    /// Most bytes of a value.
    public static let maximumLength = 65_535

    /// What it is.
    public let tag: Tag
    public let value: [UInt8]

    /// Creates an object; bytes beyond ``maximumLength`` are left out.
    public init(_ tag: Tag, _ value: [UInt8] = []) {
        self.tag = tag
        self.value = Array(value.prefix(Self.maximumLength))
    }

    /// The object in its shortest form.
    public var bytes: [UInt8] {
        let count = UInt16(truncatingIfNeeded: value.count)
        return switch count {
        case ..<0x80: tag.bytes + [UInt8(truncatingIfNeeded: count)] + value
        case ..<0x100: tag.bytes + [0x81, UInt8(truncatingIfNeeded: count)] + value
        default: bytesWithWideLength
        }
    }

    /// The object with a length of three bytes, `82 hi lo`, as the RC-S300 is sent what goes to the card.
    public var bytesWithWideLength: [UInt8] {
        tag.bytes + [0x82] + UInt16(truncatingIfNeeded: value.count).bigEndianBytes + value
    }

    /// Tag and value in hexadecimal.
    public var description: String { value.isEmpty ? "\(tag)" : "\(tag) \(Hex.text(value))" }

    /// Reads objects one after the other.
    ///
    /// - Returns: The objects, and what is left where one is cut off or its length is none; nothing if all are whole.
    public static func list(_ bytes: [UInt8]) -> (objects: [SessionObject], broken: [UInt8]) {
        var objects: [SessionObject] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let (object, end) = first(of: rest) else { break }
            objects.append(object)
            rest = rest[end...]
        }
        return (objects, Array(rest))
    }

    /// The first object and the index behind it.
    private static func first(of bytes: ArraySlice<UInt8>) -> (SessionObject, Int)? {
        var rest = bytes
        guard let first = rest.popFirst() else { return nil }
        var tag = UInt16(first)
        if Tag.isFirstOfTwo(first) {
            guard let second = rest.popFirst() else { return nil }
            tag = tag << 8 | UInt16(second)
        }
        guard let count = length(&rest), count <= rest.count else { return nil }
        let end = rest.startIndex + count
        return (SessionObject(Tag(tag), Array(rest[..<end])), end)
    }

    /// A length in BER: below 80 itself, 81 with one byte, 82 with two.
    private static func length(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let first = rest.popFirst() else { return nil }
        switch first {
        case ..<0x80: return Int(first)
        case 0x81: return rest.popFirst().map { Int($0) }
        case 0x82:
            guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
            return Int(high) << 8 | Int(low)
        default: return nil
        }
    }
}

/// The type byte of a TLV block.
///
/// Source: NFC Forum Type 2 Tag Operation 1.1, "TLV blocks".
public struct TLVType: Hashable, Sendable, CustomStringConvertible {
    /// A byte to be skipped, without length and value.
    public static let null = TLVType(0x00)
    /// Where dynamic lock bits are.
    public static let lockControl = TLVType(0x01)
    /// Where bytes are that are no data.
    public static let memoryControl = TLVType(0x02)
    /// An NDEF message.
    public static let ndefMessage = TLVType(0x03)
    /// Anything; readers skip it.
    public static let proprietary = TLVType(0xFD)
    /// The end of the data, without length and value.
    public static let terminator = TLVType(0xFE)

    public let rawValue: UInt8

    /// Takes any byte; readers skip blocks of unknown types.
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Whether a length and a value follow.
    public var hasValue: Bool { self != .null && self != .terminator }

    /// The type in words.
    public var description: String {
        switch self {
        case .null: "NULL"
        case .lockControl: "Lock Control"
        case .memoryControl: "Memory Control"
        case .ndefMessage: "NDEF Message"
        case .proprietary: "Proprietary"
        case .terminator: "Terminator"
        default: "type \(Hex.digits(rawValue, width: 2))"
        }
    }
}

/// A TLV block: type, length, value.
///
/// ```
/// T | L (00 to FE), or FF and two bytes (BE) | V        NULL and Terminator are T alone
/// ```
/// Source: NFC Forum Type 2 Tag Operation 1.1, "TLV blocks".
public struct TLVBlock: WireValue {
    /// Longest value: FFFF as a length is reserved.
    public static let maximumValueLength = 0xFFFE
    /// Longest value whose length is one byte.
    public static let maximumShortValueLength = 0xFE
    /// The first byte of a length of three bytes.
    static let longLengthMark: UInt8 = 0xFF

    /// A byte to be skipped.
    public static let null = TLVBlock(only: .null)
    /// The end of the data.
    public static let terminator = TLVBlock(only: .terminator)

    /// The type.
    public let type: TLVType
    /// The value, empty where the type has none.
    public let value: [UInt8]
    /// Whether the length has three bytes; values of more than 254 bytes need them.
    public let isLong: Bool

    private init(only type: TLVType) {
        self.type = type
        value = []
        isLong = false
    }

    /// Creates a block; the short length is taken where the value allows it and `isLong` is not set.
    ///
    /// - Throws: ``WireError`` if the value is longer than a length can say, or the type has no value.
    public init(_ type: TLVType, _ value: [UInt8], isLong: Bool = false) throws(WireError) {
        guard type.hasValue || (value.isEmpty && !isLong) else {
            throw WireError(.wrongLength, at: 1, in: "\(type) TLV", "it has no value")
        }
        guard value.count <= Self.maximumValueLength else {
            throw WireError(
                .wrongLength, at: 1, in: "\(type) TLV",
                "\(value.count) bytes, at most \(Self.maximumValueLength) fit")
        }
        self.type = type
        self.value = value
        self.isLong = isLong || value.count > Self.maximumShortValueLength
    }

    public init(_ control: LockControl) {
        type = .lockControl
        value = control.bytes
        isLong = false
    }

    public init(_ control: MemoryControl) {
        type = .memoryControl
        value = control.bytes
        isLong = false
    }

    /// Creates the block of an NDEF message.
    ///
    /// - Throws: ``WireError`` if the message is longer than a length can say.
    public init(_ message: NDEFMessage) throws(WireError) {
        try self.init(.ndefMessage, message.bytes)
    }

    /// Reads a block that lies in one piece.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        var walker = TLVWalker(memory: bytes.array(0..<bytes.count), area: Type2DataArea(0..<bytes.count))
        guard let placed = try walker.next() else { throw WireError(.truncated, at: 0, in: "TLV type") }
        guard placed.end == bytes.count else {
            throw WireError(.trailingBytes, at: placed.end, in: "\(placed.block.type) TLV")
        }
        self = placed.block
    }

    /// The block in one piece.
    public var bytes: [UInt8] { [type.rawValue] + lengthBytes + value }

    /// The length, empty where the type has none.
    var lengthBytes: [UInt8] {
        guard type.hasValue else { return [] }
        let length = UInt16(value.count).bigEndianBytes
        return isLong ? [Self.longLengthMark] + length : length.suffix(1)
    }
}

extension TLVBlock {
    /// The addresses this block takes out of the data area, or nothing if it is no control block of three bytes.
    var reservedAddresses: Range<Int>? {
        switch type {
        case .lockControl: (try? LockControl(parsing: value))?.addresses
        case .memoryControl: (try? MemoryControl(parsing: value))?.addresses
        default: nil
        }
    }
}

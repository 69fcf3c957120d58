/// The unique identifier of a type A card: 4, 7 or 10 bytes.
///
/// Source: ISO/IEC 14443-3, "UID contents and cascade levels".
public struct UID: Hashable, Sendable, CustomStringConvertible {
    /// The cascade tag, first byte of a cascade level that does not end the UID.
    public static let cascadeTag: UInt8 = 0x88
    /// Lengths a UID can have.
    public static let lengths: Set<Int> = [4, 7, 10]

    /// The bytes, UID0 first.
    public let bytes: [UInt8]

    /// Creates a UID, or nothing if the length is not 4, 7 or 10.
    public init?(_ bytes: [UInt8]) {
        guard Self.lengths.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Hexadecimal digits without blanks.
    public var description: String { Hex.text(bytes) }
}

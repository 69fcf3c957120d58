/// A card number of sixteen decimal digits, two a byte.
public struct CardNumber: Hashable, Sendable, CustomStringConvertible {
    /// The eight bytes as one number, byte 0 highest; nibbles above 9 are kept.
    public let rawValue: UInt64

    /// Creates a number from its eight bytes as one number, byte 0 highest.
    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Reads sixteen decimal digits, blanks between them allowed, or nothing if the text is not that.
    public init?(_ text: some StringProtocol) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
        guard digits.count == 16, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rawValue = digits.reduce(0) { $0 << 4 | UInt64($1 - 0x30) }
    }

    /// Whether every nibble is a decimal digit.
    public var isDecimal: Bool {
        description.utf8.allSatisfy { $0 <= UInt8(ascii: "9") }
    }

    /// Sixteen digits; a nibble above 9 prints as a letter.
    public var description: String { Hex.digits(rawValue, width: 16) }
}

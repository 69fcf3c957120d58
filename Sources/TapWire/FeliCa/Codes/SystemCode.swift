/// A FeliCa system code, two bytes, big-endian on the wire.
///
/// Source: FeliCa Card User's Manual, excerpted edition, Polling.
public struct SystemCode: Hashable, Sendable, CustomStringConvertible {
    /// The code as a number; `0x0003` travels as `00 03`.
    public let rawValue: UInt16

    @inlinable
    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Reads a code as Info.plist has it: four hexadecimal digits and nothing else.
    package init?(digits: String) {
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let value = UInt16(digits, radix: 16) else {
            return nil
        }
        self.init(value)
    }

    /// The argument of Polling that every system answers.
    public static let any = SystemCode(0xFFFF)
    /// Transit cards: Suica, PASMO, ICOCA and the cards they work with.
    public static let transit = SystemCode(0x0003)
    /// The common area of FeliCa Networks: Edy, nanaco, WAON and others.
    public static let commonArea = SystemCode(0xFE00)
    /// NFC Forum Type 3 Tag.
    public static let ndef = SystemCode(0x12FC)

    /// Whether a Polling for `self` reaches a system with code `system`; `FF` in a byte of `self` matches any byte.
    @inline(always)
    public func matches(_ system: SystemCode) -> Bool {
        if self == system { return true }
        let high = rawValue >> 8 == 0xFF || rawValue >> 8 == system.rawValue >> 8
        let low = rawValue & 0xFF == 0xFF || rawValue & 0xFF == system.rawValue & 0xFF
        return high && low
    }

    /// Four hexadecimal digits.
    public var description: String { Hex.digits(rawValue, width: 4) }
}

/// The code of a command to the reader itself, as `SCardControl` takes it.
///
/// Sources: pcsc-lite, `reader.h`: SCARD_CTL_CODE(n) is 42000000h and n; the CCID driver of Linux for the numbers.
public struct ControlCode: Hashable, Sendable, CustomStringConvertible {
    private static let base: UInt32 = 0x4200_0000

    /// The number the service sees.
    public let rawValue: UInt32

    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    public init(function: UInt32) {
        self.init(Self.base &+ function)
    }

    /// An escape command, as the CCID driver takes it.
    public static let vendorExchange = ControlCode(function: 1)
    /// Which features the reader has; the answer is a list of ``ReaderFeature``.
    public static let features = ControlCode(function: 3400)
    /// An escape command, as drivers of Windows take it.
    public static let escape = ControlCode(function: 3500)
    /// Properties of the reader; the answer is a list of ``ReaderProperty``.
    public static let properties = ControlCode(function: 0x33_0012)

    /// Whether an escape command goes with it.
    public var isEscape: Bool { self == .vendorExchange || self == .escape }

    /// Eight hexadecimal digits.
    public var description: String { Hex.digits(rawValue, width: 8) }
}

/// A four-bit answer: ACK, or a NAK with its reason; without parity and CRC.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "ACK and NAK".
public struct Acknowledgement: FrameValue, CustomStringConvertible {
    /// Bits of an acknowledgement.
    public static let bitCount = 4

    /// The nibble, 0 to 15.
    public let rawValue: UInt8

    /// Creates an acknowledgement; only the low four bits count.
    @inlinable
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue & 0x0F
    }

    // Computed and inlinable, so that a card in another module appends plain numbers.

    @inlinable
    public static var ack: Acknowledgement { Acknowledgement(0xA) }
    /// Argument out of range, page protected or locked, wrong password, or command not known.
    @inlinable
    public static var invalidArgument: Acknowledgement { Acknowledgement(0x0) }
    /// Parity or CRC of the command is wrong.
    @inlinable
    public static var checkFailed: Acknowledgement { Acknowledgement(0x1) }
    /// Too many wrong passwords.
    @inlinable
    public static var authenticationLimit: Acknowledgement { Acknowledgement(0x4) }
    /// The memory could not be written.
    @inlinable
    public static var writeFailed: Acknowledgement { Acknowledgement(0x5) }

    /// Whether the command was carried out; every other nibble is a NAK.
    @inlinable
    public var isAck: Bool { rawValue == Acknowledgement.ack.rawValue }

    /// What the nibble means, a clause without a full stop.
    public var meaning: String {
        switch self {
        case .ack: "done"
        case .invalidArgument: "invalid argument, protected or locked page, or wrong password"
        case .checkFailed: "parity or CRC error"
        case .authenticationLimit: "too many wrong passwords"
        case .writeFailed: "the memory could not be written"
        default: "a NAK that NTAG21x does not use"
        }
    }

    /// What to do about it, a sentence.
    public var advice: String {
        switch self {
        case .ack: "Nothing is to be done."
        case .invalidArgument:
            "Check the page address and length of the command, give the password if the page is at or above AUTH0, and "
                + "read the lock bytes. Select the tag again before the next command."
        case .checkFailed: "Send the command again after a new selection; CRC_A goes out low byte first."
        case .authenticationLimit:
            "AUTHLIM is reached. While AUTH0 leaves the configuration pages open, writing AUTHLIM 0 and giving the right "
                + "password clears the count; else the protected pages stay closed."
        case .writeFailed: "Select the tag again, read the page and write again; a page that fails again is worn out."
        default: "Other Type 2 tags use it; NTAG213, NTAG215 and NTAG216 do not."
        }
    }

    /// Reads the nibble from one byte whose high half is zero.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: 1, of: "acknowledgement")
        guard bytes[0] < 0x10 else { throw WireError(.wrongValue, at: 0, in: "acknowledgement", "it has four bits") }
        self.init(bytes[0])
    }

    /// Appends the nibble to an empty buffer.
    @inline(always)
    public func write(into buffer: inout FrameBuffer) {
        buffer.append(rawValue)
        buffer.trim(toBits: Self.bitCount)
    }

    /// `ACK` or `NAK` and the nibble.
    public var description: String { (isAck ? "ACK " : "NAK ") + Hex.digits(rawValue, width: 1) }
}

/// How a reader sends and receives frames in a transparent session; two bytes, the high one first.
///
/// Source: PC/SC part 3, supplement for contactless cards, "transmission and reception flag".
public struct TransmissionFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    /// Creates flags from their bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The bytes to send end with their CRC; the reader appends none.
    public static let withoutSentCRC = TransmissionFlags(rawValue: 0x01)
    /// The CRC stays at the end of an answer.
    public static let keepReceivedCRC = TransmissionFlags(rawValue: 0x02)
    /// The reader sends no parity bits.
    public static let withoutSentParity = TransmissionFlags(rawValue: 0x04)
    /// The reader expects no parity bits.
    public static let withoutReceivedParity = TransmissionFlags(rawValue: 0x08)
    /// The reader leaves prologue and epilogue of the protocol to the host.
    public static let withoutPrologue = TransmissionFlags(rawValue: 0x10)

    /// What is right for FeliCa, which knows neither parity bits nor a prologue.
    public static let felica: TransmissionFlags = [.withoutSentParity, .withoutReceivedParity, .withoutPrologue]
}

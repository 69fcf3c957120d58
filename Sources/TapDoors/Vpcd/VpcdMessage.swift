/// What the vpcd driver of pcscd says to a card.
///
/// In both directions a message is its length in two bytes, high byte first, and that many bytes. Of a single byte the
/// four values below are controls; everything else is a command APDU. Source: vsmartcard, virtualsmartcard 0.8,
/// seen on the wire.
public enum VpcdMessage: Hashable, Sendable {
    /// `00`: take power from the card; not answered.
    case powerOff
    /// `01`: give the card power; not answered.
    case powerOn
    /// `02`: reset the card; not answered.
    case reset
    /// `04`: answer with the ATR; also the only way the driver sees whether a card is there.
    case sendATR
    /// A command APDU, answered with a response APDU.
    case command([UInt8])

    /// Length of the field that holds the length.
    public static let headerLength = 2
    /// Longest message, by its length field of 16 bits.
    public static let maximumLength = 0xFFFF

    /// Reads what follows the length.
    public init(payload: ArraySlice<UInt8>) {
        switch payload.count == 1 ? payload.first : nil {
        case 0x00: self = .powerOff
        case 0x01: self = .powerOn
        case 0x02: self = .reset
        case 0x04: self = .sendATR
        default: self = .command(Array(payload))
        }
    }

    /// Puts the length before a payload; nothing if the payload is too long.
    public static func framed(_ payload: [UInt8]) -> [UInt8]? {
        guard payload.count <= maximumLength else { return nil }
        var message: [UInt8] = []
        message.reserveCapacity(headerLength + payload.count)
        message.append(UInt8(payload.count >> 8))
        message.append(UInt8(payload.count & 0xFF))
        message.append(contentsOf: payload)
        return message
    }
}

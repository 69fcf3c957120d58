import TapWire

/// A datagram of nfcpy's UDP driver: `BRTY hex`, or `RFOFF` alone.
///
/// BRTY is a bit rate and technology such as `106A` or `212F`; frames are lower-case hex without CRC. Source: nfcpy
/// 1.0.4, driver `udp`, seen on the wire.
public enum NfcpyDatagram: Hashable, Sendable {
    /// A frame, with the technology written as in the datagram.
    case frame(brty: String, [UInt8])
    /// The reader mutes its field.
    case fieldOff

    /// Longest datagram taken: a BRTY word and the longest frame of a card in hex.
    public static let maximumLength = 8 + 2 * FrameBuffer.capacity

    /// Reads a datagram, or nothing if it is none of nfcpy's.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumLength, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        if words == ["RFOFF"] {
            self = .fieldOff
        } else if words.count == 2, let frame = try? Hex.bytes(words[1]) {
            self = .frame(brty: String(words[0]), frame)
        } else {
            return nil
        }
    }

    /// The datagram as sent.
    public var bytes: [UInt8] {
        switch self {
        case .fieldOff: Array("RFOFF".utf8)
        case .frame(let brty, let frame): Array("\(brty) \(Hex.text(frame).lowercased())".utf8)
        }
    }
}

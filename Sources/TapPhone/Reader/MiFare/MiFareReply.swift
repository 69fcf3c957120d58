import TapClient
import TapWire

/// What comes back from a type A tag.
enum MiFareReply: Hashable, Sendable {
    case silence
    /// Whole bytes.
    case bytes([UInt8])
    /// A four-bit acknowledgement.
    case acknowledgement(Acknowledgement)
    /// A frame with a wrong CRC, a wrong parity or a broken last byte.
    case damaged

    /// What a received frame is.
    init(_ frame: AirFrame?) {
        guard let frame else {
            self = .silence
            return
        }
        if frame.integrity != .good {
            self = .damaged
        } else if let acknowledgement = Acknowledgement(frame) {
            self = .acknowledgement(acknowledgement)
        } else {
            self = frame.bitCount % 8 == 0 ? .bytes(frame.bytes) : .damaged
        }
    }
}

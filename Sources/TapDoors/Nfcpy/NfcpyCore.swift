import TapWire

/// What nfcpy's UDP driver and a card say to each other.
///
/// The driver sends frames as a reader chip would; there is no chip model between. A silent card is no datagram at all:
/// the driver's own time-out tells its program. Technologies other than type A at 106 kbit/s and FeliCa get no answer.
public struct NfcpyCore: DoorCore {
    private var actions: [DoorAction] = []
    private var brty = ""

    /// Creates a core that has heard nothing.
    public init() {}

    /// Takes a datagram; what is none of nfcpy's is ignored.
    public mutating func receive(_ bytes: [UInt8]) {
        switch NfcpyDatagram(bytes) {
        case nil: break
        case .fieldOff: actions.append(.switchField(on: false))
        case .frame(let brty, let frame):
            guard let frame = Self.airFrame(brty: brty, frame) else { return }
            self.brty = brty
            actions.append(.exchange(frame))
        }
    }

    /// What is to be done next.
    public mutating func next() -> DoorAction? {
        actions.isEmpty ? nil : actions.removeFirst()
    }

    /// Answers with a frame; a damaged one is dropped, as the chip's CRC check drops it.
    public mutating func finish(_ answer: AirFrame?) {
        guard let answer, answer.integrity == .good else { return }
        actions.append(.send(NfcpyDatagram.frame(brty: brty, answer.bytes).bytes))
    }

    private static func airFrame(brty: String, _ frame: [UInt8]) -> AirFrame? {
        switch brty {
        case "106A":
            let isShort = frame.count == 1 && (frame[0] == 0x26 || frame[0] == 0x52)
            return AirFrame(.typeA106, frame, bitCount: isShort ? 7 : frame.count * 8)
        case "212F": return AirFrame(.felica212, frame)
        case "424F": return AirFrame(.felica424, frame)
        default: return nil
        }
    }
}

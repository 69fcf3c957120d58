import TapWire

/// What nfcpy's UDP driver and a card say to each other.
///
/// The driver sends frames as a reader chip would; there is no chip model between. A silent card is no datagram at all:
/// the driver's own timeout tells its program. Only a sense that finds no card, for which the driver would wait a whole
/// second, is answered with `RFOFF`, which the driver takes for a target that is gone. So are senses for technologies
/// that no card here speaks: all but type A at 106 kbit/s and FeliCa.
public struct NfcpyCore: DoorCore {
    private var actions: [DoorAction] = []
    private var brty = ""
    private var isSensing = false
    /// Whether a FeliCa card has answered since the field was last off.
    ///
    /// What polls then is the program, not a sense, and a Polling without an answer has to end as any command does.
    private var hasTarget = false

    public init() {}

    /// Takes a datagram; what is none of nfcpy's is ignored.
    public mutating func receive(_ bytes: [UInt8]) {
        switch NfcpyDatagram(bytes) {
        case nil: break
        case .fieldOff:
            hasTarget = false
            actions.append(.switchField(on: false))
        case .frame(let brty, let bytes):
            isSensing = isSense(brty: brty, bytes)
            self.brty = brty
            if let frame = Self.airFrame(brty: brty, bytes) {
                actions.append(.exchange(frame))
            } else if isSensing {
                actions.append(.send(NfcpyDatagram.fieldOff.bytes))
            }
        }
    }

    /// What is to be done next.
    public mutating func next() -> DoorAction? {
        actions.isEmpty ? nil : actions.removeFirst()
    }

    /// Answers with a frame; a damaged one is dropped, as the chip's CRC check drops it.
    public mutating func finish(_ answer: AirFrame?) {
        if let answer, answer.integrity == .good {
            if answer.technology.isFeliCa { hasTarget = true }
            actions.append(.send(NfcpyDatagram.frame(brty: brty, answer.bytes).bytes))
        } else if isSensing {
            actions.append(.send(NfcpyDatagram.fieldOff.bytes))
        }
    }

    /// Whether a frame is the first of a sense: REQA or WUPA, REQB, or a Polling while no target is known.
    private func isSense(brty: String, _ frame: [UInt8]) -> Bool {
        switch brty.last {
        case "A": Self.isCall(frame)
        case "B": frame.count == 3 && frame[0] == Self.typeBCall
        case "F": !hasTarget && (try? Polling.Request(parsing: frame)) != nil
        default: false
        }
    }

    private static func isCall(_ frame: [UInt8]) -> Bool {
        [ShortFrame.reqa.rawValue, ShortFrame.wupa.rawValue].map { [$0] }.contains(frame)
    }

    /// The first byte of REQB and WUPB.
    ///
    /// Source: ISO/IEC 14443-3, type B.
    private static let typeBCall: UInt8 = 0x05

    private static func airFrame(brty: String, _ frame: [UInt8]) -> AirFrame? {
        switch brty {
        case "106A":
            let bitCount = isCall(frame) ? TypeAFraming.shortFrameBits : frame.count * 8
            return AirFrame(.typeA106, frame, bitCount: bitCount)
        case "212F": return AirFrame(.felica212, frame)
        case "424F": return AirFrame(.felica424, frame)
        default: return nil
        }
    }
}

import TapField
import TapWire

/// A link to virtual cards whose answers the choices of an input spoil: what a fuzzed client reads from.
///
/// Each exchange takes one byte; 0, and so every byte that is missing, leaves the answer as the card gave it.
public struct FuzzedLink: TagLink, Sendable {
    private var link: VirtualLink
    private var choices: Choices
    /// The last answer, which may come once more.
    private var previous: AirFrame?
    /// How many answers were spoiled so far.
    public private(set) var faultCount = 0

    /// - Parameters:
    ///   - world: The cards, which lie before the reader already.
    ///   - exchangeLimit: After so many exchanges the link fails, so that a client which never gives up is found.
    public init(_ world: World, _ choices: Choices, exchangeLimit: Int = 1_000) {
        link = VirtualLink(world, exchangeLimit: exchangeLimit)
        self.choices = choices
    }

    public var limits: LinkLimits { link.limits }

    public mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        guard choices.byte() < 0xF0 else {
            faultCount += 1
            return nil
        }
        return try await link.activate(target, timeout: timeout)
    }

    public mutating func transceive(_ frame: AirFrame, timeout: Duration) async throws(LinkError) -> AirFrame? {
        let answer = try await link.transceive(frame, timeout: timeout)
        let spoiled = try spoil(answer)
        if spoiled != answer { faultCount += 1 }
        if let answer { previous = answer }
        return spoiled
    }

    private mutating func spoil(_ answer: AirFrame?) throws(LinkError) -> AirFrame? {
        let kind = choices.byte()
        guard kind != 0, let answer else { return answer }
        var bytes = answer.bytes
        let place = bytes.isEmpty ? 0 : choices.number(below: bytes.count)
        switch kind % 12 {
        case 1: return nil
        case 2: return previous
        case 3: throw LinkError(.closed, "the reader is gone")
        case 4: return AirFrame(answer.technology, bytes, integrity: .badCRC)
        case 5: bytes.removeLast(bytes.count - place)
        case 6: bytes += choices.counted(below: 32)
        case 7: bytes.insert(choices.byte(), at: place)
        case 8: bytes = choices.counted(below: 256)
        case 9 where !bytes.isEmpty: bytes[place] = choices.pick([0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF])
        default: if !bytes.isEmpty { bytes[place] ^= choices.byte() }
        }
        // With a wrong length few clients look any further.
        if answer.technology.isFeliCa, kind >= 0x40, !bytes.isEmpty {
            bytes[0] = UInt8(truncatingIfNeeded: bytes.count)
        }
        return AirFrame(answer.technology, bytes)
    }
}

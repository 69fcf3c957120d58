/// Durations on air, computed from the carrier in whole nanoseconds.
///
/// Sources: JIS X 6319-4 (preamble, sync, bit rates), ISO/IEC 14443-3 type A (etu, start, parity and stop bits).
public enum AirTime {
    /// The time a number of carrier periods takes, 1/fc of 13.56 MHz each, rounded down to a nanosecond.
    @inlinable
    public static func carrierPeriods(_ count: Int) -> Duration {
        .nanoseconds(count * 100_000 / 1_356)
    }

    /// Who sends a frame; type A frames of reader and card differ by one elementary time unit.
    public enum Sender: Hashable, Sendable {
        case reader
        case card
    }

    /// How long a frame takes on air, CRC, preamble, sync, parity and stop bits included.
    ///
    /// Type A: one etu is 128/fc. A reader's frame takes 1 + 9·bytes + 2 etu, a card's 1 + 9·bytes + 1, a frame without
    /// parity (seven bits, four bits) 1 + bits + 1. FeliCa: 6 bytes preamble, 2 bytes sync, packet, 2 bytes CRC, at
    /// 64/fc or 32/fc a bit.
    ///
    /// - Parameters:
    ///   - bitCount: Number of bits without CRC.
    ///   - technology: Technology and bit rate.
    ///   - sender: Who sends the frame.
    ///   - hasCRC: Whether a type A frame of whole bytes ends with a CRC; ``TypeAFraming`` says which do.
    public static func of(
        bitCount: Int, technology: Technology, sender: Sender, hasCRC: @autoclosure () -> Bool = true
    ) -> Duration {
        switch technology {
        case .felica212: carrierPeriods((8 + 2) * 8 * 64 + bitCount * 64)
        case .felica424: carrierPeriods((8 + 2) * 8 * 32 + bitCount * 32)
        case .typeA106: carrierPeriods(typeAUnits(bitCount: bitCount, sender: sender, hasCRC: hasCRC()) * 128)
        }
    }

    private static func typeAUnits(bitCount: Int, sender: Sender, hasCRC: Bool) -> Int {
        if bitCount < 8 { return 1 + bitCount + 1 }
        let crcBytes = hasCRC && bitCount % 8 == 0 ? CRCA.byteCount : 0
        let data = bitCount + bitCount / 8 + 9 * crcBytes
        return 1 + data + (sender == .reader ? 2 : 1)
    }
}

extension AirFrame {
    /// How long the frame takes on air as a reader's command, CRC, preamble, sync, parity and stop bits included.
    public var commandAirTime: Duration {
        AirTime.of(bitCount: bitCount, technology: technology, sender: .reader, hasCRC: TypeAFraming.hasCRC(self))
    }

    /// How long the frame takes on air as a card's answer to `command`, CRC, preamble, sync, parity and stop bits
    /// included.
    public func airTime(answering command: AirFrame) -> Duration {
        AirTime.of(bitCount: bitCount, technology: technology, sender: .card, hasCRC: TypeAFraming.hasCRC(command))
    }
}

extension Duration {
    /// The duration in whole nanoseconds, as traces and scenario files have it; the rest is cut off.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}

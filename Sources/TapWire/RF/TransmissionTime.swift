/// Transmission times, computed from the carrier in whole nanoseconds.
///
/// Sources: JIS X 6319-4 (preamble, sync, bit rates), ISO/IEC 14443-3 type A (etu, start, parity and stop bits).
public enum TransmissionTime {
    /// The duration of a number of carrier periods (1/fc, 13.56 MHz), rounded down to a nanosecond.
    @inlinable
    public static func carrierPeriods(_ count: Int) -> Duration {
        .nanoseconds(count * 100_000 / 1_356)
    }

    /// The sender of a frame; the type A frames of readers and cards differ by one elementary time unit.
    public enum Sender: Hashable, Sendable {
        case reader
        case card
    }

    /// The transmission time of a frame, including CRC, preamble, sync, parity and stop bits.
    ///
    /// Type A: one etu is 128/fc. A reader's frame takes 1 + 9·bytes + 2 etu, a card's frame 1 + 9·bytes + 1, and a frame
    /// without parity (seven bits, four bits) 1 + bits + 1. FeliCa: 6 bytes preamble, 2 bytes sync, packet, 2 bytes CRC, at
    /// 64/fc or 32/fc per bit.
    ///
    /// - Parameters:
    ///   - bitCount: Number of bits without CRC.
    ///   - technology: Technology and bit rate.
    ///   - sender: The sender of the frame.
    ///   - hasCRC: Indicates whether a type A frame of whole bytes ends with a CRC; see ``TypeAFraming``.
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

extension RFFrame {
    /// The transmission time of the frame as a reader's command, including CRC, preamble, sync, parity and stop bits.
    public var commandTransmissionTime: Duration {
        TransmissionTime.of(
            bitCount: bitCount, technology: technology, sender: .reader, hasCRC: TypeAFraming.hasCRC(self))
    }

    /// The transmission time of the frame as a card's answer to `command`, including CRC, preamble, sync, parity and stop
    /// bits.
    public func transmissionTime(answering command: RFFrame) -> Duration {
        TransmissionTime.of(
            bitCount: bitCount, technology: technology, sender: .card, hasCRC: TypeAFraming.hasCRC(command))
    }
}

extension Duration {
    /// The duration in whole nanoseconds, as used by traces and scenario files; fractions are dropped.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}

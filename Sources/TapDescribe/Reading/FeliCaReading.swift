import TapWire

extension FrameReading {
    /// The preamble ends with these two bytes.
    private static let sync: [UInt8] = [0xB2, 0x4D]

    /// Bytes as FeliCa packets: as they are, with a checksum, without LEN.
    static func feliCa(_ bytes: [UInt8]) -> [FrameReading] {
        if let packet = behindSync(bytes) {
            return withLength(packet, ["begins with the sync code B2 4D"], weight: Weight.sync)
        }
        return withLength(bytes, [], weight: 0) + withoutLength(bytes)
    }

    /// What follows preamble and sync code, or nothing where there is none.
    private static func behindSync(_ bytes: [UInt8]) -> [UInt8]? {
        let rest = bytes.drop { $0 == 0 }
        return rest.starts(with: sync) ? Array(rest.dropFirst(sync.count)) : nil
    }

    private static func withLength(_ bytes: [UInt8], _ reasons: [String], weight: Int) -> [FrameReading] {
        guard let length = bytes.first.map(Int.init) else { return [] }
        if length == bytes.count {
            let reason = "the first byte is the length"
            return readings(of: bytes, .good, reasons + [reason], weight: weight + Weight.rightLength)
        }
        if length + CRC16FeliCa.byteCount == bytes.count {
            let (packet, integrity) = CRC16FeliCa.checking(bytes)
            let isRight = integrity == .good
            return readings(
                of: packet, integrity,
                reasons + [
                    "the first byte is the length",
                    "the two bytes behind it are \(isRight ? "the right" : "a wrong") CRC",
                ],
                weight: weight + Weight.rightLength + (isRight ? Weight.rightCRC : 0))
        }
        return readings(of: bytes, .good, reasons, weight: weight)
    }

    private static func withoutLength(_ bytes: [UInt8]) -> [FrameReading] {
        guard bytes.count < FeliCaPacket.maximumLength else { return [] }
        let packet = [UInt8(bytes.count + 1)] + bytes
        let slice = packet[...]
        // A code whose packets nobody knows fits whatever follows it and so proves nothing.
        guard CommandCode(of: slice.span).flatMap(PacketLayout.of) != nil else { return [] }
        return readings(of: packet, .good, ["LEN is missing and was added"], weight: 0)
    }

    /// The packet from whichever side its code says, if the code is known or its length is right.
    private static func readings(
        of packet: [UInt8], _ integrity: FrameIntegrity, _ reasons: [String], weight: Int
    ) -> [FrameReading] {
        let slice = packet[...]
        let isKnown = CommandCode(of: slice.span)?.entry != nil
        guard isKnown || weight > 0 else { return [] }
        let frame = AirFrame(.felica212, packet, integrity: integrity)
        return FrameGuess.all(for: frame).map {
            FrameReading($0, of: frame, reasons, weight: weight + (isKnown ? Weight.knownCode : 0))
        }
    }
}

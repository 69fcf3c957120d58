import TapField
import TapWire

/// How a chip sends and receives frames for a host that builds them itself.
///
/// The bytes of the host are taken as they would go on air, so that a CRC too much or too little is one for the card,
/// too.
struct RawChannel: Sendable {
    /// Technology and bit rate.
    var technology = Technology.typeA106
    /// Whether the chip appends a CRC.
    var appendsCRC = true
    /// Whether the chip checks and removes the CRC of answers.
    var checksCRC = true
    /// Whether parity bits are sent and checked, where the technology has them.
    var hasParity = true
    /// How many bits of the last byte are sent; 0 for all.
    var lastBits: UInt8 = 0

    /// What a chip has received.
    struct Reception: Hashable, Sendable {
        /// The bytes as the host gets them.
        var bytes: [UInt8]
        /// How many bits of the last byte count; 0 for all.
        var lastBits: UInt8
        /// What the check of CRC and parity gave.
        var integrity: FrameIntegrity
    }

    /// Sends bytes and waits for an answer.
    func exchange(_ bytes: [UInt8], in world: inout World, waiting: Duration?) -> Reception? {
        guard !bytes.isEmpty, bytes.count <= CardLine.maximumLength else { return nil }
        let command = technology.isFeliCa ? feliCaCommand(bytes) : typeACommand(bytes)
        guard let answer = world.exchangeWithOneCard(command, waiting: waiting) else { return nil }
        return technology.isFeliCa ? feliCaReception(answer) : typeAReception(answer, to: command)
    }

    private func feliCaCommand(_ bytes: [UInt8]) -> AirFrame {
        guard !appendsCRC else { return AirFrame(technology, bytes) }
        let (packet, integrity) = CRC16FeliCa.checking(bytes)
        return AirFrame(technology, packet, integrity: integrity)
    }

    private func feliCaReception(_ answer: AirFrame) -> Reception {
        guard !checksCRC else { return Reception(bytes: answer.bytes, lastBits: 0, integrity: answer.integrity) }
        var bytes = CRC16FeliCa.appending(to: answer.bytes)
        if answer.integrity == .badCRC { bytes[bytes.count - 1] ^= 0xFF }
        return Reception(bytes: bytes, lastBits: 0, integrity: .good)
    }

    private func typeACommand(_ bytes: [UInt8]) -> AirFrame {
        let unused = lastBits == 0 ? 0 : 8 - Int(lastBits & 7)
        let crc = appendsCRC ? CRCA.wireBytes(of: CRCA.checksum(of: bytes)) : []
        var frame = TypeAFraming.command(onAir: bytes + crc, bitCount: (bytes.count + crc.count) * 8 - unused)
        if !hasParity { frame.integrity = .badParity }
        return frame
    }

    private func typeAReception(_ answer: AirFrame, to command: AirFrame) -> Reception {
        let lastBits = UInt8(answer.bitCount % 8)
        let onAir = TypeAFraming.onAir(answer: answer, to: command)
        guard checksCRC else {
            let integrity = answer.integrity == .badParity && hasParity ? FrameIntegrity.badParity : .good
            return Reception(bytes: onAir, lastBits: lastBits, integrity: integrity)
        }
        // What came without a CRC fails the check.
        let hasCRC = onAir.count > answer.bytes.count
        let integrity = answer.integrity == .good && !hasCRC ? FrameIntegrity.badCRC : answer.integrity
        return Reception(bytes: answer.bytes, lastBits: lastBits, integrity: integrity)
    }
}

import TapWire

/// A frame of a card embedded in other data, with or without LEN and CRC.
struct CarriedFrame {
    /// The frame without LEN and CRC.
    let frame: [UInt8]
    let isFeliCa: Bool
    private let hasLength: Bool
    private let hasCRC: Bool

    /// Creates a frame from bytes; unless the kind is known, LEN distinguishes FeliCa frames.
    init(_ bytes: [UInt8], isFeliCa known: Bool? = nil) {
        let packet = CRC16FeliCa.checking(bytes)
        let count = bytes.first.map(Int.init)
        let endsWithCRC = count == bytes.count - CRC16FeliCa.byteCount && packet.1 == .good
        let hasLength = count == bytes.count || endsWithCRC
        isFeliCa = known ?? hasLength
        self.hasLength = isFeliCa && hasLength
        hasCRC = isFeliCa ? self.hasLength && endsWithCRC : Self.endsWithCRCA(bytes)
        frame = Array(bytes.dropFirst(self.hasLength ? 1 : 0).dropLast(hasCRC ? CRC16FeliCa.byteCount : 0))
    }

    private static func endsWithCRCA(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 2 else { return false }
        return CRCA.wireBytes(of: CRCA.checksum(of: Array(bytes.dropLast(2)))).elementsEqual(bytes.suffix(2))
    }

    /// The same envelope with another frame of the same length.
    func carrying(_ frame: [UInt8]) -> [UInt8] {
        let packet = hasLength ? SessionWalk.packet(frame) : frame
        guard hasCRC else { return packet }
        return isFeliCa ? CRC16FeliCa.appending(to: packet) : packet + CRCA.wireBytes(of: CRCA.checksum(of: packet))
    }
}

extension SessionWalk {
    /// An embedded frame and its answer, with placeholders.
    mutating func carried(_ command: [UInt8], _ answer: [UInt8]?, isFeliCa: Bool? = nil) -> CardExchange {
        let sent = CarriedFrame(command, isFeliCa: isFeliCa)
        let received = answer.map { CarriedFrame($0, isFeliCa: sent.isFeliCa) }
        let found = CardExchange(command: sent.frame, answer: received?.frame)
        let new = sent.isFeliCa ? feliCa(found) : typeA(found)
        return CardExchange(
            command: sent.carrying(new.command), answer: zip(received, new.answer).map { $0.carrying($1) })
    }
}

private func zip<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
    guard let first, let second else { return nil }
    return (first, second)
}

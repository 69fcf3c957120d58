import TapWire

/// A FeliCa answer as faults take it apart: whatever it is, sound or not.
struct FeliCaAnswer {
    /// The packet, LEN first.
    var bytes: [UInt8]

    /// LEN.
    var length: UInt8 {
        get { bytes[0] }
        set { bytes[0] = newValue }
    }

    /// The response code.
    var code: UInt8? {
        get { bytes.count > 1 ? bytes[1] : nil }
        set { if let newValue, bytes.count > 1 { bytes[1] = newValue } }
    }

    /// The IDm of an answer that carries one.
    var idm: IDm? {
        get {
            guard bytes.count >= FeliCaPacket.idmLength else { return nil }
            return IDm(UInt64(octets: bytes[FeliCaPacket.idmOffset..<FeliCaPacket.idmLength]))
        }
        set {
            guard let newValue, bytes.count >= FeliCaPacket.idmLength else { return }
            bytes.replaceSubrange(FeliCaPacket.idmOffset..<FeliCaPacket.idmLength, with: newValue.rawValue.octets)
        }
    }

    /// The status flags of an answer that has them.
    var status: StatusFlags? {
        get {
            guard bytes.count >= FeliCaPacket.statusLength else { return nil }
            return StatusFlags(bytes[FeliCaPacket.idmLength], bytes[FeliCaPacket.idmLength + 1])
        }
        set {
            guard let newValue, bytes.count >= FeliCaPacket.statusLength else { return }
            bytes[FeliCaPacket.idmLength] = newValue.flag1
            bytes[FeliCaPacket.idmLength + 1] = newValue.flag2
        }
    }

    /// The number of blocks of an answer to a read.
    var blockCount: UInt8? {
        get { bytes.count > FeliCaPacket.statusLength ? bytes[FeliCaPacket.statusLength] : nil }
        set { if let newValue, blockCount != nil { bytes[FeliCaPacket.statusLength] = newValue } }
    }

    /// Leaves the first bytes and lets LEN and all counts say what they said.
    mutating func keep(_ count: Int) {
        bytes = Array(bytes.prefix(max(1, count)))
    }

    /// Length of an answer to a read with so many blocks.
    static func length(blocks: Int) -> Int { FeliCaPacket.statusLength + 1 + BlockData.byteCount * blocks }
}

extension AnswerOnAir {
    /// Changes the bytes of a FeliCa answer; silence stays silence, and what a longest packet cannot hold is cut off.
    mutating func rewriteFeliCa(_ change: (inout FeliCaAnswer) -> Void) {
        guard let frame, frame.technology.isFeliCa, !frame.bytes.isEmpty else { return }
        var answer = FeliCaAnswer(bytes: frame.bytes)
        change(&answer)
        let bytes = Array(answer.bytes.prefix(FeliCaPacket.maximumLength))
        self.frame = AirFrame(frame.technology, bytes, integrity: frame.integrity)
    }

    /// Changes a sound answer of a kind; any other stays as it is.
    mutating func rewrite<Response: FrameValue>(_: Response.Type, _ change: (inout Response) -> Void) {
        guard let frame, var response = try? Response(parsing: frame.bytes) else { return }
        change(&response)
        self.frame = AirFrame(frame.technology, response.bytes, integrity: frame.integrity)
    }

    /// Changes the blocks of a successful answer to Read Without Encryption.
    mutating func rewriteBlocks(_ change: (inout [BlockData]) -> Void) {
        rewrite(ReadWithoutEncryption.Response.self) { response in
            guard response.status.isSuccess else { return }
            change(&response.blocks)
            response.blocks = Array(response.blocks.prefix(ReadWithoutEncryption.maximumBlocks))
        }
    }
}

import TapWire

/// Damage to frames over the air, as a receiver's checks detect it.
extension RFFrame {
    /// Damages an answer through its CRC, or through parity and framing if it has none.
    mutating func damage(answering command: RFFrame) {
        integrity = hasCRC(answering: command) ? .badCRC : .badParity
    }

    /// Inverts a bit; a position beyond the end means the last bit.
    mutating func flip(_ bit: Int) {
        guard bitCount > 0 else { return }
        let bit = max(0, min(bit, bitCount - 1))
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }

    /// Cuts an answer to the bits received before its sender stops.
    mutating func cut(toBits bits: Int, answering command: RFFrame) {
        guard bits < bitCount else { return }
        self = RFFrame(technology, bytes, bitCount: bits, integrity: integrity)
        damage(answering: command)
    }

    /// Returns whether an answer ends with a CRC: FeliCa frames do, type A frames of whole bytes if their command does.
    func hasCRC(answering command: RFFrame) -> Bool {
        let slice = command.bytes[...]
        return technology.isFeliCa
            || bitCount % 8 == 0 && TypeAFraming.hasCRC(slice.span, bitCount: command.bitCount)
    }
}

/// The parts of a FeliCa answer that faults change; the answer need not be valid.
struct FeliCaAnswer {
    /// The packet, LEN first.
    var bytes: [UInt8]

    var length: UInt8 {
        get { bytes[0] }
        set { bytes[0] = newValue }
    }

    var code: UInt8? {
        get { bytes.count > 1 ? bytes[1] : nil }
        set { if let newValue, bytes.count > 1 { bytes[1] = newValue } }
    }

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

    /// Keeps the first bytes; LEN and all counts are unchanged.
    mutating func keep(_ count: Int) {
        bytes = Array(bytes.prefix(max(1, count)))
    }

    static func length(blocks: Int) -> Int { FeliCaPacket.statusLength + 1 + BlockData.byteCount * blocks }
}

extension RFAnswer {
    /// Changes a FeliCa answer; silence is unchanged, and bytes beyond the longest packet are dropped.
    mutating func rewriteFeliCa(_ change: (inout FeliCaAnswer) -> Void) {
        guard let frame, frame.technology.isFeliCa, !frame.bytes.isEmpty else { return }
        var answer = FeliCaAnswer(bytes: frame.bytes)
        change(&answer)
        let bytes = Array(answer.bytes.prefix(FeliCaPacket.maximumLength))
        self.frame = RFFrame(frame.technology, bytes, integrity: frame.integrity)
    }

    /// Changes a valid answer of one kind; other answers are unchanged.
    mutating func rewrite<Response: FrameValue>(_: Response.Type, _ change: (inout Response) -> Void) {
        guard let frame, var response = try? Response(parsing: frame.bytes) else { return }
        change(&response)
        self.frame = RFFrame(frame.technology, response.bytes, integrity: frame.integrity)
    }

    mutating func rewriteBlocks(_ change: (inout [BlockData]) -> Void) {
        rewrite(ReadWithoutEncryption.Response.self) { response in
            guard response.status.isSuccess else { return }
            change(&response.blocks)
            response.blocks = Array(response.blocks.prefix(ReadWithoutEncryption.maximumBlocks))
        }
    }
}

extension RFAnswer {
    /// Replaces the answer, or silence, with an acknowledgement.
    mutating func put(_ acknowledgement: Acknowledgement, after delay: Duration = FrameDelay.afterOne) {
        if frame == nil { after = delay }
        frame = RFFrame(.typeA106, acknowledgement.bytes, bitCount: Acknowledgement.bitCount)
    }

    /// Changes the data of an answer; acknowledgements and silence are unchanged.
    mutating func rewriteData(_ change: (inout [UInt8]) -> Void) {
        guard let frame, frame.bitCount == frame.bytes.count * 8 else { return }
        var bytes = frame.bytes
        change(&bytes)
        self.frame = RFFrame(frame.technology, bytes, integrity: frame.integrity)
    }

    /// Changes the pages of an answer to READ or FAST_READ, each with its address.
    mutating func rewritePages(_ change: (_ address: Int, _ pages: inout [PageData], _ index: Int) -> Void) {
        let first =
            if let read = try? ReadPages.Request(parsing: command.bytes) {
                read.page
            } else {
                (try? FastRead.Request(parsing: command.bytes))?.first
            }
        guard let first else { return }
        rewrite(FastRead.Response.self) { response in
            for index in response.pages.indices { change(Int(first) + index, &response.pages, index) }
        }
    }
}

extension Fault.Fix {
    /// Returns whether it can fix an answer to a command after a kind of fault has changed the answer.
    ///
    /// The card fixes the MAC: of a Read or Write in a session, and of a FeliCa Lite read that ends with MAC or MAC_A.
    public func fits(_ command: CommandName, _ kind: FaultKind) -> Bool {
        switch self {
        case .len: command.layer == .felica
        case .count: command.feliCa?.answerList != nil
        case .crc: true
        case .mac: kind.effect.changesContent && (command.feliCa?.carriesMAC ?? false)
        }
    }
}

extension RFAnswer {
    /// Makes an integrity field of the answer consistent with the rest, if the answer has one.
    mutating func repair(_ fix: Fault.Fix) {
        switch fix {
        case .len:
            rewriteFeliCa { $0.length = UInt8(clamping: $0.bytes.count) }
        case .count:
            guard let list = CommandName(of: command)?.feliCa?.answerList else { return }
            rewriteFeliCa { list.repair(&$0.bytes) }
        case .crc: frame?.integrity = .good
        // Already done by the card, because only the card has the key.
        case .mac: break
        }
    }
}

extension CommandDescription.CountedList {
    /// Sets the count to the number of complete entries.
    fileprivate func repair(_ packet: inout [UInt8]) {
        guard packet.count > countOffset else { return }
        packet[countOffset] = UInt8(clamping: (packet.count - countOffset - 1) / entryLength)
    }
}

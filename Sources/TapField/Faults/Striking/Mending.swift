import TapWire

extension Fault.Fix {
    /// Whether it can mend an answer to a command.
    ///
    /// The cards here answer only commands without a session and compute no MAC, so there is none to mend.
    public func fits(_ command: CommandName) -> Bool {
        switch self {
        case .len: command.layer == .felica
        case .count: CountedList.of(command) != nil
        case .crc: true
        case .mac: false
        }
    }
}

extension AnswerOnAir {
    /// Makes an integrity field of the answer agree with the rest of it; nothing where the answer has no such field.
    mutating func mend(_ fix: Fault.Fix) {
        switch fix {
        case .len:
            rewriteFeliCa { $0.length = UInt8(clamping: $0.bytes.count) }
        case .count:
            guard let list = CommandName(of: command).flatMap(CountedList.of) else { return }
            rewriteFeliCa { list.mend(&$0.bytes) }
        case .crc: frame?.integrity = .good
        case .mac: break
        }
    }
}

/// A list in an answer, behind the number of its entries.
private struct CountedList {
    /// Offset of the number.
    let countOffset: Int
    /// Bytes of an entry.
    let entryLength: Int

    /// The list in the answers to a command, or nothing if they have none or entries of more than one length.
    static func of(_ command: CommandName) -> CountedList? {
        switch command.feliCaCode {
        case .readWithoutEncryption?:
            CountedList(countOffset: FeliCaPacket.statusLength, entryLength: BlockData.byteCount)
        case .requestService?, .requestBlockInformation?, .requestSystemCode?:
            CountedList(countOffset: FeliCaPacket.idmLength, entryLength: 2)
        case .requestBlockInformationEx?: CountedList(countOffset: FeliCaPacket.statusLength, entryLength: 4)
        case .requestServiceV2?: CountedList(countOffset: FeliCaPacket.statusLength + 1, entryLength: 2)
        default: nil
        }
    }

    /// Counts the entries that are there, the last one whole.
    func mend(_ packet: inout [UInt8]) {
        guard packet.count > countOffset else { return }
        packet[countOffset] = UInt8(clamping: (packet.count - countOffset - 1) / entryLength)
    }
}

import TapCards
import TapWire

/// The possible kinds of pasted bytes; if several match equally many lines, the first is used and the others are noted.
enum HexKind: CaseIterable {
    /// LEN, then a command code, with optional CRC and sync code.
    case feliCa
    /// A command of a Type 2 Tag or of selection, with or without CRC.
    case typeA
    /// CLA to Le, and an answer that ends with a status word.
    case apdu
    /// A command code and an answer with the next higher code, both without LEN.
    case feliCaWithoutLength

    var title: String {
        switch self {
        case .feliCa: "FeliCa frames"
        case .typeA: "frames of a Type 2 Tag"
        case .apdu: "APDUs"
        case .feliCaWithoutLength: "FeliCa frames without LEN"
        }
    }

    /// A command and its answer without CRC; FeliCa frames have LEN.
    struct Parts {
        let command: RFFrame
        let answer: RFFrame?
    }

    /// The parts of a pair of this kind, or `nil` if it is of another kind.
    func parts(of pair: HexPair) -> Parts? {
        switch self {
        case .feliCa:
            guard let command = Self.packet(pair.command), !Self.code(command).isResponse else { return nil }
            return Self.parts(command, pair.answer, Self.packet)
        case .feliCaWithoutLength: return Self.bare(pair)
        case .typeA: return Self.typeA(pair)
        case .apdu:
            guard pair.command.count >= 4, (try? CommandAPDU(parsing: pair.command.span)) != nil else { return nil }
            if let answer = pair.answer {
                guard answer.count >= 2,
                    [0x61...0x6F, 0x90...0x9F].contains(where: { $0 ~= answer[answer.count - 2] })
                else { return nil }
            } else if pair.command[0] != CommandAPDU.reader {
                return nil
            }
            return Parts(
                command: RFFrame(.typeA106, pair.command), answer: pair.answer.map { RFFrame(.typeA106, $0) })
        }
    }

    private static func parts(_ command: [UInt8], _ answer: [UInt8]?, _ packet: ([UInt8]) -> [UInt8]?) -> Parts? {
        guard let answer else { return Parts(command: RFFrame(.felica212, command), answer: nil) }
        guard let answer = packet(answer), answer[1] == code(command).response.first else { return nil }
        return Parts(command: RFFrame(.felica212, command), answer: RFFrame(.felica212, answer))
    }

    private static let sync: [UInt8] = [0xB2, 0x4D]

    /// The packet in some bytes, with an optional preceding sync code and trailing CRC.
    private static func packet(_ bytes: [UInt8]) -> [UInt8]? {
        let bytes = bytes.starts(with: sync) ? Array(bytes.dropFirst(sync.count)) : bytes
        if FeliCaPacket.isWhole(bytes.span) { return bytes }
        let (packet, integrity) = CRC16FeliCa.checking(bytes)
        return integrity == .good && FeliCaPacket.isWhole(packet.span) ? packet : nil
    }

    private static func bare(_ pair: HexPair) -> Parts? {
        let command = withLength(pair.command)
        guard command.count >= FeliCaPacket.minimumLength, !code(command).isResponse,
            let description = CommandDescription.of(code(command))
        else { return nil }
        let isPolling = description.code == .polling
        guard
            isPolling
                ? command.count == Polling.Request.length
                : description.namesSystem && command.count >= FeliCaPacket.idmLength
        else { return nil }
        guard let found = parts(command, pair.answer, { withLength($0) }) else { return nil }
        let (sent, received) = (found.command.bytes, found.answer?.bytes)
        if let received, !isPolling,
            received.prefix(FeliCaPacket.idmLength).dropFirst(FeliCaPacket.idmOffset)
                != sent.prefix(FeliCaPacket.idmLength).dropFirst(FeliCaPacket.idmOffset)
        {
            return nil
        }
        return found
    }

    /// The code of a packet that has one.
    private static func code(_ packet: [UInt8]) -> CommandCode { CommandCode(of: packet.span) ?? CommandCode(0xFF) }

    /// Returns whether some bytes have the length of the command that their first byte denotes.
    private static func isType2(_ bytes: [UInt8]) -> Bool {
        guard let explanation = bytes.first.flatMap({ Type2Opcode($0).explanation }) else { return false }
        guard let layout = explanation.layout else { return bytes.count <= 2 }
        return bytes.count
            == layout.command.reduce(1) { length, part in
                switch part {
                case .field(let field): length + (field.byteCount ?? 0)
                case .writtenPage: length + PageData.byteCount
                default: length
                }
            }
    }

    private static func withLength(_ payload: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: payload.count + 1)] + payload
    }

    private static func typeA(_ pair: HexPair) -> Parts? {
        let isShort = pair.command.count == 1 && [ShortFrame.reqa, .wupa].contains(ShortFrame(pair.command[0]))
        var command = RFFrame(
            .typeA106, pair.command, bitCount: isShort ? TypeAFraming.shortFrameBits : pair.command.count * 8)
        let frame = TypeAFraming.command(rfBytes: pair.command)
        if !isShort, frame.integrity == .good, !frame.bytes.isEmpty { command = frame }
        guard let name = CommandName(of: command), name.layer == .selection || Self.isType2(command.bytes) else {
            return nil
        }
        let answer = pair.answer.map { bytes -> RFFrame in
            let isNibble = bytes.count == 1 && command.bitCount > TypeAFraming.shortFrameBits
            if isNibble, name.layer != .selection {
                return RFFrame(.typeA106, bytes, bitCount: Acknowledgement.bitCount)
            }
            let checked = TypeAFraming.answer(rfBytes: bytes, to: command)
            return checked.integrity == .good ? checked : RFFrame(.typeA106, bytes)
        }
        return Parts(command: command, answer: answer)
    }

    func read(_ pairs: [HexPair], atr: [UInt8]?, unusedLines: SessionCollector) -> SessionCollector {
        var sessions = SessionCollector(self == .apdu ? .apdu : .frame)
        sessions.list(unplacedOf: unusedLines)
        if self == .apdu, let atr { sessions.find(atr: atr, in: nil) }
        var conversation = RFConversation()
        conversation.sessions = sessions
        for pair in pairs {
            guard let parts = parts(of: pair) else {
                conversation.sessions.list(pair.line, "it differs from the other lines, which are \(title)")
                continue
            }
            if self == .apdu {
                let (command, answer) = (parts.command.bytes, parts.answer?.bytes)
                conversation.sessions.add(.init(command, answer.map { .init($0) }), at: pair.line)
            } else {
                conversation.send(parts.command, at: pair.line)
                conversation.answer(parts.answer, at: pair.line)
            }
        }
        conversation.finish(at: nil)
        return conversation.sessions
    }
}

import TapWire

/// A conversation between a host and a PN532, PN533 or RC-S956, from which exchanges with cards are extracted.
///
/// Both directions are byte streams with PN532 frames or, for an ACR122U, CCID messages or APDUs with packets. The log does
/// not show what the chip does by itself (selection, CRC, the halves of a COMPATIBILITY_WRITE). The exchanges have frames as
/// the card received them.
///
/// Source: NXP, PN532 user manual UM0701-02, "commands".
struct PN53xConversation {
    private var conversation = RFConversation()
    private var fromHost = PN532FrameReader()
    private var fromChip = PN532FrameReader()
    private var pending: (command: PN532Packet.Command, line: LogLine, time: Duration?)?
    /// A Boolean value that indicates whether more than an acknowledgement has arrived for the pending command.
    private var hasAnswerBegun = false
    /// Boolean values that indicate whether the chip appends CRCs to commands and removes them from answers.
    private var (appendsCRC, removesCRC) = (true, true)
    /// The number of bits sent of the last byte; 0 for all.
    private var lastBits: UInt8 = 0
    private var technology: Technology?
    /// A Boolean value that indicates whether frames use the framing of a technology that no card here has.
    private var isForeign = false
    private var targets: [UInt8: RecordedSession.Identity] = [:]

    var sessions: SessionCollector {
        get { conversation.sessions }
        set { conversation.sessions = newValue }
    }

    /// Adds bytes from the host to the chip.
    mutating func send(_ bytes: [UInt8], at line: LogLine, _ time: Duration? = nil) {
        for packet in Self.packets(in: bytes, from: &fromHost) {
            guard let command = try? PN532Packet.Command(parsing: packet.span) else { continue }
            giveUp()
            (fromChip, hasAnswerBegun) = (PN532FrameReader(), false)
            pending = (command, line, time)
        }
    }

    /// Adds bytes from the chip to the host.
    mutating func receive(_ bytes: [UInt8], at line: LogLine, _ time: Duration? = nil) {
        hasAnswerBegun = hasAnswerBegun || bytes.contains(PN532Packet.toHost)
        for packet in Self.packets(in: bytes, from: &fromChip) {
            guard let answer = try? PN532Packet.Answer(parsing: packet.span), let (command, place, sent) = pending
            else {
                sessions.list(line, "there is no command for this answer")
                continue
            }
            pending = nil
            guard case .data(command.code, let data) = answer else { continue }
            var times = ExchangeTime(time: sent)
            if let sent, let time, time > sent { times.took = time - sent }
            take(command, data, place, times)
        }
    }

    mutating func finish() {
        giveUp()
        sessions.finish()
    }

    /// Returns whether the bytes contain a command in a complete frame.
    static func hasCommand(_ bytes: [UInt8]) -> Bool {
        var reader = PN532FrameReader()
        reader.append(bytes[...])
        while let frame = reader.next() {
            if case .information(let packet) = frame, packet.first == PN532Packet.toChip { return true }
        }
        return false
    }

    /// Ends the wait for an answer: no card has answered.
    private mutating func giveUp() {
        guard let (command, line, time) = pending else { return }
        pending = nil
        if hasAnswerBegun { sessions.list(line, "the answer is incomplete or damaged; it is recorded as silence") }
        if [.inDataExchange, .inCommunicateThru, .communicateThruEx].contains(command.code) {
            take(command, [PN532Status.timeout.rawValue], line, ExchangeTime(time: time))
        }
    }

    private static func packets(in bytes: [UInt8], from reader: inout PN532FrameReader) -> [[UInt8]] {
        if let packet = packetOfACR122U(bytes) { return [packet] }
        reader.append(bytes[...])
        var packets: [[UInt8]] = []
        while let frame = reader.next() {
            if case .information(let packet) = frame { packets.append(packet) }
        }
        return packets
    }

    /// The packet in a direct transmit of an ACR122U or in its answer, alone or in a CCID message.
    ///
    /// Source: ACS, "ACR122U application programming interface" 2.04, "direct transmit".
    private static func packetOfACR122U(_ bytes: [UInt8]) -> [UInt8]? {
        let inner = CCIDCommand(bytes)?.data ?? bytes
        if let apdu = try? CommandAPDU(parsing: inner.span), apdu.cla == CommandAPDU.reader, apdu.ins == .acs,
            apdu.p1 == 0
        {
            return apdu.data
        }
        guard inner.first == PN532Packet.toHost, inner.suffix(2) == [0x90, 0x00] else { return nil }
        return Array(inner.dropLast(2))
    }

    private mutating func take(
        _ command: PN532Packet.Command, _ answer: [UInt8], _ line: LogLine, _ times: ExchangeTime
    ) {
        switch command.code {
        case .inListPassiveTarget: list(command.data, answer, line)
        case .inAutoPoll: poll(answer, line)
        case .writeRegister:
            for entry in (try? WriteRegister.Request(data: command.data))?.entries ?? [] { write(entry) }
        case .inDataExchange: exchange(command.data, answer, line, times)
        case .inCommunicateThru: communicate(command.data, answer, line, times)
        // A timeout comes first.
        case .communicateThruEx: communicate(Array(command.data.dropFirst(2)), answer, line, times)
        case .inATR, .inJumpForDEP, .inJumpForPSL, .tgInitAsTarget:
            sessions.list(line, "the command is for a peer, not for a card")
        default: break
        }
    }

    private mutating func write(_ entry: WriteRegister.Entry) {
        switch entry.register {
        case .txMode:
            appendsCRC = entry.value & 0x80 != 0
            isForeign = ![0x00, 0x02].contains(entry.value & 0x03)
        case .rxMode: removesCRC = entry.value & 0x80 != 0
        case .bitFraming: lastBits = entry.value & 0x07
        default: break
        }
    }
}

extension PN53xConversation {
    private mutating func list(_ data: [UInt8], _ answer: [UInt8], _ line: LogLine) {
        guard let request = try? InListPassiveTarget.Request(data: data),
            let response = try? InListPassiveTarget.Response(data: answer)
        else { return sessions.list(line, "the search or its answer is cut off") }
        guard response.count > 0 else {
            let isForAny = request.polling.map { $0.systemCode == .any } ?? request.initiatorData.isEmpty
            if isForAny, technology == request.modulation.technology, technology != nil { leave() }
            return
        }
        guard let found = request.modulation.technology, let cards = try? response.targets(request.modulation) else {
            return sessions.list(line, "cards of this type cannot be replayed")
        }
        forget(found)
        for card in cards { find(card, by: request.polling, line) }
    }

    private mutating func leave() {
        sessions.leave()
        (targets, technology) = ([:], nil)
    }

    /// Resets the framing, which a search sets for its technology.
    private mutating func forget(_ found: Technology) {
        (targets, technology) = ([:], found)
        (appendsCRC, removesCRC, lastBits, isForeign) = (true, true, 0, false)
    }

    private mutating func find(_ target: PN532Target, by polling: Polling.Request?, _ line: LogLine) {
        let card = RecordedSession.Identity(target.card, asked: polling)
        targets[target.number] = card
        guard case .felica(let answer, _) = target.card, let polling else { return sessions.find(card) }
        if !sessions.found(answer.bytes, by: polling) { sessions.addFeliCa(polling.bytes, answer.bytes, at: line) }
    }

    /// Adds the cards found by InAutoPoll, each with type, length and target.
    private mutating func poll(_ answer: [UInt8], _ line: LogLine) {
        var rest = answer.dropFirst()
        while let type = rest.popFirst(), let length = rest.popFirst() {
            let entry = [1] + rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            let modulation: PN532Modulation
            switch InAutoPoll.TargetType(type) {
            case .anyTypeA, .mifare: modulation = .typeA
            case .any212, .felica212: modulation = .felica212
            case .any424, .felica424: modulation = .felica424
            default:
                sessions.list(line, "cards of this type cannot be replayed")
                continue
            }
            guard let found = modulation.technology,
                let card = (try? InListPassiveTarget.Response(data: entry))
                    .flatMap({ try? $0.targets(modulation) })?.first
            else {
                sessions.list(line, "the target is cut off")
                continue
            }
            forget(found)
            find(card, by: found.isFeliCa ? Polling.Request(systemCode: .any, requestCode: .systemCode) : nil, line)
        }
    }
}

extension PN53xConversation {
    private mutating func exchange(_ data: [UInt8], _ answer: [UInt8], _ line: LogLine, _ times: ExchangeTime) {
        guard let request = try? InDataExchange.Request(data: data), !request.payload.isEmpty,
            let response = try? InDataExchange.Response(data: answer)
        else { return sessions.list(line, "the exchange is cut off") }
        if let card = targets[request.target & 0x3F] { sessions.find(card) }
        if technology?.isFeliCa == true {
            sessions.addFeliCa(request.payload, heard(response.status, response.answer, line), at: line, times)
        } else {
            typeAExchange(request.payload, response, line, times)
        }
    }

    /// Adds a command to a type A card: for an ACK, the chip reports an answer without data, and for a NAK, a format error.
    private mutating func typeAExchange(
        _ command: [UInt8], _ response: InDataExchange.Response, _ line: LogLine, _ times: ExchangeTime
    ) {
        var command = command
        var answer: RFFrame?
        switch response.status {
        case .ok where response.answer.isEmpty: answer = Self.acknowledgement(.ack)
        case .wrongFormat: answer = Self.acknowledgement(.invalidArgument)
        case .authentication where [0x60, 0x61].contains(command[0]):
            // The chip mistakes GET_VERSION for a MIFARE Classic authentication and sends its first two bytes.
            command = Array(command.prefix(2))
            answer = Self.acknowledgement(.invalidArgument)
        case let status: answer = heard(status, response.answer, line).map { RFFrame(.typeA106, $0) }
        }
        let header = CompatibilityWrite.Request.length
        if command[0] == Type2Opcode.compatibilityWrite.rawValue,
            command.count == header + CompatibilityWrite.Data.length,
            response.status.isOK
        {
            let first = RFFrame(.typeA106, Array(command.prefix(header)))
            conversation.addTypeA(first, Self.acknowledgement(.ack), line, times)
            command = Array(command.dropFirst(header))
        }
        conversation.addTypeA(RFFrame(.typeA106, command), answer, line, times)
    }

    private static func acknowledgement(_ value: Acknowledgement) -> RFFrame {
        RFFrame(.typeA106, [value.rawValue], bitCount: Acknowledgement.bitCount)
    }

    private mutating func communicate(_ bytes: [UInt8], _ answer: [UInt8], _ line: LogLine, _ times: ExchangeTime) {
        guard !bytes.isEmpty, let response = try? InCommunicateThru.Response(data: answer) else {
            return sessions.list(line, "the exchange is cut off")
        }
        guard !isForeign else {
            // libnfc searches for cards of other kinds by itself.
            if !response.answer.isEmpty { sessions.list(line, "cards of this type cannot be replayed") }
            return
        }
        let answer = heard(response.status, response.answer, line)
        if technology?.isFeliCa == true {
            let packets = (appendsCRC ? bytes : CRC16FeliCa.checking(bytes).packet)
            let heard = answer.map { removesCRC ? $0 : CRC16FeliCa.checking($0).packet }
            return sessions.addFeliCa(packets, heard, at: line, times)
        }
        let unused = lastBits == 0 ? 0 : 8 - Int(lastBits)
        let command =
            appendsCRC
            ? RFFrame(.typeA106, bytes, bitCount: bytes.count * 8 - unused)
            : TypeAFraming.command(rfBytes: bytes, bitCount: bytes.count * 8 - unused)
        let heard = answer.map { bytes in
            // The chip does not report the number of bits here; an answer of one byte is not a standard frame.
            let bitCount =
                bytes.count == 1 && TypeAFraming.hasCRC(command.bytes.span, bitCount: command.bitCount)
                ? Acknowledgement.bitCount : bytes.count * 8
            return removesCRC
                ? RFFrame(.typeA106, bytes) : TypeAFraming.answer(rfBytes: bytes, bitCount: bitCount, to: command)
        }
        guard command.integrity == .good, heard?.integrity ?? .good == .good else {
            return sessions.list(line, "the CRC of the frame or of its answer is wrong")
        }
        conversation.addTypeA(command, heard, line, times)
    }

    /// The answer of the card, or `nil` for silence and for answers that the chip withheld.
    private mutating func heard(_ status: PN532Status, _ answer: [UInt8], _ line: LogLine) -> [UInt8]? {
        if status.isOK, !answer.isEmpty { return answer }
        if status != .timeout {
            sessions.list(line, "the chip reports error \(status) instead of an answer; it is recorded as silence")
        }
        return nil
    }
}

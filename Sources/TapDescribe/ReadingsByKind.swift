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

extension FrameReading {
    /// Bits as type A frames: as they are, and with a checksum at the end.
    static func typeA(_ bytes: [UInt8], bitCount: Int) -> [FrameReading] {
        guard bitCount == bytes.count * 8 else {
            let frame = AirFrame(.typeA106, bytes, bitCount: bitCount)
            return readings(of: frame, ["it ends inside a byte"], weight: Weight.rightLength)
        }
        return shortFrame(bytes) + withCRC(bytes) + readings(of: AirFrame(.typeA106, bytes), [], weight: 0)
    }

    /// A lone byte that is REQA or WUPA, written without its number of bits.
    private static func shortFrame(_ bytes: [UInt8]) -> [FrameReading] {
        guard bytes.count == 1, [ShortFrame.reqa, .wupa].contains(where: { $0.rawValue == bytes[0] }) else { return [] }
        let frame = AirFrame(.typeA106, bytes, bitCount: TypeAFraming.shortFrameBits)
        let reason = "it has seven bits on air, written \(Hex.text(bytes)):7"
        return readings(of: frame, [reason], weight: Weight.knownCommand)
    }

    private static func withCRC(_ bytes: [UInt8]) -> [FrameReading] {
        guard bytes.count > CRCA.byteCount else { return [] }
        let data = Array(bytes.dropLast(CRCA.byteCount))
        if CRCA.checksum(of: bytes) == 0 {
            let frame = AirFrame(.typeA106, data)
            return readings(of: frame, ["the last two bytes are the right CRC"], weight: Weight.rightCRC)
        }
        // A wrong checksum is only likely where a command has its right length without it.
        guard let opcode = data.first, FrameDescription(command: AirFrame(.typeA106, data)).remark == nil,
            Type2Layout.of(Type2Opcode(opcode)) != nil || CascadeLevel(sel: opcode) != nil
        else { return [] }
        let frame = AirFrame(.typeA106, data, integrity: .badCRC)
        return readings(of: frame, ["the last two bytes are a wrong CRC"], weight: Weight.fittingLength)
    }

    private static func readings(of frame: AirFrame, _ reasons: [String], weight: Int) -> [FrameReading] {
        FrameGuess.all(for: frame).map { guess in
            let opcode = frame.bytes.first.map(Type2Opcode.init)
            let isKnown =
                opcode.flatMap(Type2Layout.of) != nil || guess.description.command?.layer == .selection
            let proof = guess.isProven.map { $0 ? Weight.rightContent : -Weight.fittingLength } ?? 0
            let own = guess.isCommand ? (isKnown ? Weight.knownCommand : 0) : Weight.fittingLength + proof
            return FrameReading(guess, of: frame, reasons, weight: weight + own)
        }
    }
}

extension FrameReading {
    /// Bytes that cross no air: between host and reader, or copied out of a FeliCa card.
    static func offAir(_ bytes: [UInt8]) -> [FrameReading] {
        [atr, command, response, returnCode, pn532].compactMap { $0(bytes) } + knownBlocks(bytes)
    }

    private init(
        _ kind: Kind, _ bytes: [UInt8], isCommand: Bool = false, _ reason: String, _ description: FrameDescription,
        weight: Int
    ) {
        self.init(
            kind, AirFrame(.typeA106, bytes), isCommand: isCommand, [reason], description,
            weight: weight + (description.remark == nil ? Weight.nothingWrong : 0))
    }

    private static func atr(_ bytes: [UInt8]) -> FrameReading? {
        guard let atr = ATRDescription(bytes) else { return nil }
        let reason = "3B or 3F, and as many bytes as it announces" + (atr.hasRightCheck ? ", with the right TCK" : "")
        let isChecked = atr.description.remark == nil
        return FrameReading(
            .reader, bytes, reason, atr.description,
            weight: atr.hasRightCheck
                ? Weight.rightCRC : isChecked ? Weight.fittingLength : Weight.knownCommand + Weight.fittingLength)
    }

    private static func command(_ bytes: [UInt8]) -> FrameReading? {
        guard HostCommand.of(bytes) != nil else { return nil }
        let isReaders = bytes[0] == CommandAPDU.reader
        let apdu = try? CommandAPDU(parsing: bytes)
        let hasData = apdu?.data.isEmpty == false
        guard isReaders || apdu != nil else { return nil }
        let description = FrameDescription.apdu(bytes)
        return FrameReading(
            .reader, bytes, isCommand: true,
            isReaders ? "class FF and a known instruction address the reader" : "class 00 and a known instruction",
            description, weight: Weight.knownCommand + (isReaders || hasData ? Weight.rightLength : 0))
    }

    private static func response(_ bytes: [UInt8]) -> FrameReading? {
        guard bytes.count >= StatusWord.length else { return nil }
        let status = StatusWord(bytes[bytes.count - 2], bytes[bytes.count - 1])
        guard bytes.count > StatusWord.length else {
            guard let entry = status.entry else { return nil }
            let own =
                status.isSuccess
                ? Weight.rightLength + Weight.knownCode : entry.isExact ? Weight.knownCode : Weight.fittingLength
            return FrameReading(.reader, bytes, "two bytes that end responses to APDUs", .response(bytes), weight: own)
        }
        guard status.isSuccess else { return nil }
        return FrameReading(
            .reader, bytes, "9000 ends responses to APDUs", .response(bytes), weight: Weight.rightLength)
    }

    private static func returnCode(_ bytes: [UInt8]) -> FrameReading? {
        guard bytes.count == 4 else { return nil }
        let code = PCSCReturnCode(bytes.reduce(0) { $0 << 8 | UInt32($1) })
        guard code != .success, let entry = code.entry else { return nil }
        return FrameReading(
            .reader, bytes, "the number of a known return code", .returnCode(bytes, entry), weight: Weight.knownCode)
    }

    private static func pn532(_ bytes: [UInt8]) -> FrameReading? {
        let slice = bytes[...]
        if bytes.starts(with: [0x00, 0x00, 0xFF]),
            case .frame(let frame, let end) = PN532Frame.find(in: slice.span, from: 0),
            bytes.dropFirst(end).allSatisfy({ $0 == 0 }), bytes.count - end <= 1
        {
            var packet: [UInt8] = []
            if case .information(let content) = frame { packet = content }
            let start = packet.isEmpty ? 0 : end - 1 - packet.count
            return FrameReading(
                .pn532, bytes, "start code, length and checksum are right",
                .pn532(bytes, packet: packet, at: start), weight: Weight.rightCRC)
        }
        guard bytes.count >= 2 else { return nil }
        let isCommand = bytes[0] == PN532Packet.toChip
        guard isCommand || bytes[0] == PN532Packet.toHost, PN532Code(isCommand ? bytes[1] : bytes[1] &- 1).name != nil
        else { return nil }
        return FrameReading(
            .pn532, bytes, isCommand: isCommand, "\(isCommand ? "D4 and a command" : "D5 and an answer") of the PN532",
            .pn532(bytes, packet: bytes, at: 0), weight: Weight.knownCommand)
    }
}

/// A block copied out of a FeliCa card, without the packet around it.
extension FrameReading {
    private static func knownBlocks(_ bytes: [UInt8]) -> [FrameReading] {
        guard bytes.count == BlockData.byteCount else { return [] }
        let data = BlockData(bytes)
        return services(of: data).map { service, reason, weight in
            let place = BlockPlace(BlockListElement(blockNumber: 0), service: service)
            return FrameReading(.block, bytes, reason, .block(data, at: place), weight: weight)
        }
    }

    /// A block of which nothing else is known; what pages of a tag may be is likelier.
    static func anyBlock(_ bytes: [UInt8]) -> [FrameReading] {
        guard bytes.count == BlockData.byteCount, knownBlocks(bytes).isEmpty else { return [] }
        let description = FrameDescription.block(BlockData(bytes), at: nil)
        return [
            FrameReading(
                .block, bytes, "16 bytes are a block of a FeliCa card", description, weight: Weight.fittingLength)
        ]
    }

    /// The services whose records the block may be.
    private static func services(of data: BlockData) -> [(service: NodeCode, reason: String, weight: Int)] {
        let attributes = AttributeInformationBlock(data)
        if attributes.hasValidChecksum, data != .zero {
            return [(Type3Services.read, "its checksum is that of an attribute information block", Weight.sync)]
        }
        let transit = TransitHistoryRecord(data)
        let edy = EdyHistoryRecord(data)
        let nanaco = NanacoHistoryRecord(data)
        var found: [(service: NodeCode, reason: String, weight: Int)] = []
        let reason = "16 bytes with a known code and a date where such a record has them"
        if transit.terminal.name != nil, transit.process.name != nil, transit.date.date != nil {
            found.append((TransitServices.history.code, reason, Weight.fittingLength))
        }
        if edy.type.name != nil, edy.time.date != nil, edy.time.time != nil, edy.time.rawValue != 0 {
            found.append((EdyServices.history.code, reason, Weight.fittingLength))
        }
        if nanaco.type.name != nil, nanaco.time.date != nil, nanaco.time.time != nil {
            found.append((NanacoServices.history.code, reason, Weight.fittingLength))
        }
        return found
    }
}

extension FrameDescription {
    /// Describes a block of a FeliCa card by what its service holds, if that is known.
    fileprivate static func block(_ data: BlockData, at place: BlockPlace?) -> FrameDescription {
        var walk = FrameWalk(host: data.bytes)
        let meaning = place.flatMap { BlockMeaning.of(data, at: $0, after: nil) }
        let name = meaning?.name ?? "block"
        walk.append(name, bitCount: data.bytes.count * 8, details: meaning?.details ?? [])
        let service = place?.service.map { ", service \($0)" } ?? ""
        return FrameDescription("\(name) of a FeliCa card\(service)", nil, walk, line: "")
    }
}

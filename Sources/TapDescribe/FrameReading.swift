import TapWire

/// Hexadecimal text parsed as a frame, or as bytes around a reader, with the evidence for this interpretation.
///
/// Text rarely reveals its origin: a FeliCa packet is written with or without LEN, or with preamble and CRC as a sniffer
/// prints it; a type A frame with or without CRC. An APDU, an ATR or the block of a card looks no different.
public struct FrameReading: Hashable, Sendable {
    /// The place where such bytes occur.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Over the air, at 212 or 424 kbit/s.
        case feliCa = "FeliCa"
        /// Over the air, at 106 kbit/s.
        case typeA = "NFC Type A"
        /// Between a program and a reader, through PC/SC.
        case reader = "PC/SC"
        /// Between a program and the chip of a reader.
        case pn532 = "PN532"
        case port100 = "Port-100"
        case block = "FeliCa block"
        case ndef = "NDEF"
    }

    public let kind: Kind
    /// The bytes; for a frame, without preamble and CRC; for a FeliCa frame, with LEN.
    public let frame: RFFrame
    /// A Boolean value that indicates whether a reader, rather than a card, sends such a frame.
    public let isCommand: Bool
    /// The evidence for this interpretation, and the parts that were added or removed; clauses.
    public let reasons: [String]
    public let description: FrameDescription
    /// A Boolean value that indicates whether other interpretations are very unlikely.
    public private(set) var isCertain = false
    let weight: Int

    init(_ guess: FrameGuess, of frame: RFFrame, _ reasons: [String], weight: Int) {
        self.init(
            frame.technology.isFeliCa ? .feliCa : .typeA, frame, isCommand: guess.isCommand, reasons + [guess.reason],
            guess.description, weight: weight + (guess.description.remark == nil ? Weight.nothingWrong : 0))
    }

    init(
        _ kind: Kind, _ frame: RFFrame, isCommand: Bool, _ reasons: [String], _ description: FrameDescription,
        weight: Int
    ) {
        self.kind = kind
        self.frame = frame
        self.isCommand = isCommand
        self.reasons = reasons
        self.description = description
        self.weight = weight
    }

    /// The weight of a piece of evidence; a correct checksum is hardly ever chance.
    enum Weight {
        static let rightCRC = 8
        static let answer = 16
        static let sync = 6
        static let rightLength = 4
        static let knownCode = 3
        static let knownCommand = 3
        static let nothingWrong = 3
        static let fittingLength = 2
        /// A check byte, or a byte that is always the same.
        static let rightContent = 1
        /// The minimum weight, unless there is no other interpretation.
        static let plausible = 5
        /// The minimum weight of an interpretation that counts as certain.
        static let certain = 6
    }

    /// Returns all plausible interpretations of a text, the likeliest first.
    ///
    /// - Parameters:
    ///   - text: Digits with spaces, colons, commas or `0x` between bytes, or with a number of bits after one colon, such as
    ///     `26:7`.
    ///   - command: The preceding frame, if it was interpreted as a command: answers to it come first.
    /// - Returns: At least one interpretation.
    /// - Throws: ``FrameText/Problem`` if the text is not a frame.
    public static func all(
        of text: some StringProtocol, answering command: FrameReading? = nil
    ) throws(FrameText.Problem) -> [FrameReading] {
        let (bytes, bitCount) = try digits(text)
        guard bitCount > 0 else { throw FrameText.Problem(description: "expected hexadecimal digits, such as `3004`") }
        let isWhole = bitCount % 8 == 0
        let alone =
            (isWhole ? feliCa(bytes) + withoutRF(bytes) : []) + typeA(bytes, bitCount: bitCount)
            + (isWhole ? anyBlock(bytes) : [])
        let found = command.map { answers(to: $0, among: alone) + alone } ?? alone
        // The offset makes the sort stable.
        let ranked = found.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element)
        let plausible = ranked.filter { $0.weight >= Weight.plausible }
        var told = plausible.isEmpty ? Array(ranked.prefix(1)) : plausible
        told[0].isCertain =
            told[0].weight >= Weight.certain && told.dropFirst().allSatisfy { $0.weight < told[0].weight }
        return told
    }

    /// Returns the frames of interpretations as answers to a command, if they are valid answers.
    private static func answers(to command: FrameReading, among readings: [FrameReading]) -> [FrameReading] {
        guard command.isCommand, command.kind == .feliCa || command.kind == .typeA else { return [] }
        var frames: [RFFrame] = []
        for reading in readings where reading.kind == command.kind && !frames.contains(reading.frame) {
            frames.append(reading.frame)
        }
        return frames.compactMap { frame in
            let guess = FrameGuess(frame, answering: command.frame, "it answers the frame before it")
            return guess.description.remark == nil ? FrameReading(guess, of: frame, [], weight: Weight.answer) : nil
        }
    }

    /// Returns the bytes of a text as people paste it.
    private static func digits(
        _ text: some StringProtocol
    ) throws(FrameText.Problem) -> (bytes: [UInt8], bitCount: Int) {
        var cleaned = ""
        let colons = text.filter { $0 == ":" }.count
        for character in text {
            switch character {
            case ",", ";", "[", "]", "{", "}", "-", "\n", "\r", "\r\n": cleaned += " "
            case ":" where colons > 1: cleaned += " "
            case "x", "X":
                guard cleaned.last == "0" else { fallthrough }
                cleaned.removeLast()
            default: cleaned.append(character)
            }
        }
        let digits = cleaned.filter { $0 != " " && $0 != "\t" }
        if digits.count == 1, digits.allSatisfy({ $0.isHexDigit }) { cleaned = "\(digits):4" }
        return try FrameText.parse(cleaned)
    }
}

/// A frame interpreted as coming from one side, with the reason.
struct FrameGuess {
    let isCommand: Bool
    let reason: String
    let description: FrameDescription
    /// The verdict of a checksum or fixed bytes inside the frame; `nil` if there are none.
    private(set) var isProven: Bool?

    private init(command frame: RFFrame, _ reason: String) {
        self.init(isCommand: true, reason: reason, description: FrameDescription(command: frame))
    }

    init(_ frame: RFFrame, answering command: RFFrame, _ reason: String) {
        self.init(isCommand: false, reason: reason, description: FrameDescription(answer: frame, to: command))
    }

    private init(isCommand: Bool, reason: String, description: FrameDescription) {
        self.isCommand = isCommand
        self.reason = reason
        self.description = description
    }

    private static func answer(
        _ description: FrameDescription, _ reason: String, isProven: Bool? = nil
    ) -> FrameGuess {
        var guess = FrameGuess(isCommand: false, reason: reason, description: description)
        guess.isProven = isProven
        return guess
    }

    /// Returns all possible interpretations of a frame, the likeliest first; at least one.
    static func all(for frame: RFFrame) -> [FrameGuess] {
        frame.technology.isFeliCa ? feliCa(frame) : typeA(frame)
    }

    private static func feliCa(_ frame: RFFrame) -> [FrameGuess] {
        let slice = frame.bytes[...]
        let code = CommandCode(of: slice.span)
        if code?.isResponse == true {
            let reason = "an odd code is a response code"
            guard let service = FrameReading.service(ofBlocksIn: frame) else {
                return [answer(.feliCa(answer: frame, to: nil), reason)]
            }
            let description = FrameDescription.feliCa(answer: frame, to: nil, guessing: service)
            return [answer(description, "\(reason), and its blocks look like those of service \(service)")]
        }
        return [FrameGuess(command: frame, code == .echo ? "either side sends Echo" : "an even code is a command")]
    }

    private static func typeA(_ frame: RFFrame) -> [FrameGuess] {
        let slice = frame.bytes[...]
        if frame.bitCount == TypeAFraming.shortFrameBits {
            return [FrameGuess(command: frame, "seven bits are a short frame")]
        }
        if frame.bitCount == Acknowledgement.bitCount {
            return [answer(.acknowledgement(frame, nil), "four bits are an acknowledgement")]
        }
        if TypeAFraming.isAnticollision(slice.span, bitCount: frame.bitCount) {
            return [FrameGuess(command: frame, "SEL and an NVB that counts its bits begin an anticollision frame")]
        }
        let answers = typeAAnswers(frame)
        let command = FrameGuess(command: frame, "the first byte is an opcode")
        // Data may begin like any command; a known command with the right length is the likeliest of all.
        let isKnown = command.description.remark == nil && command.description.title != "COMP_WRITE data"
        return isKnown || answers.isEmpty ? [command] + answers : answers + [command]
    }

    /// Returns the answers that have as many bits as the frame.
    private static func typeAAnswers(_ frame: RFFrame) -> [FrameGuess] {
        let reason = "its length matches this answer"
        guard frame.bitCount % 8 == 0 else {
            return (1...CascadePart.bitCount).contains(frame.bitCount)
                ? [answer(rest(frame), "it ends inside a byte, as answers to an anticollision frame may")] : []
        }
        switch frame.bytes.count {
        case 1: return [answer(.sak(frame, nil), reason)]
        case 2: return [answer(.atqa(frame, nil), reason), answer(reading(frame, .passwordAuthentication), reason)]
        case 3: return [answer(reading(frame, .readCounter), reason)]
        case CascadePart.byteCount:
            return [answer(rest(frame), reason, isProven: frame.bytes.reduce(0, ^) == 0)]
        case GetVersion.Response.length where frame.bytes[0] == 0:
            // Vendor and product type follow: NXP, NTAG.
            let isProven = frame.bytes[1...2] == [0x04, 0x04] ? true : nil
            return [
                answer(reading(frame, .getVersion), reason, isProven: isProven),
                answer(reading(frame, .fastRead), reason),
            ]
        case ReadPages.Response.length:
            return [answer(reading(frame, .read), reason, isProven: isWholeMemory(frame) ? true : nil)]
        case OriginalitySignature.byteCount:
            return [answer(reading(frame, .readSignature), reason), answer(reading(frame, .fastRead), reason)]
        case let count where count > 0 && count % PageData.byteCount == 0:
            return [answer(reading(frame, .fastRead), reason, isProven: isWholeMemory(frame) ? true : nil)]
        default: return []
        }
    }

    /// Returns the frame as an answer to a command with unknown arguments.
    private static func reading(_ frame: RFFrame, _ opcode: Type2Opcode) -> FrameDescription {
        let layout = opcode.explanation?.layout?.answer ?? []
        let name = CommandName.all.first { $0.opcode == opcode }
        return .type2(answer: frame, layout, of: opcode, firstPage: isWholeMemory(frame) ? 0 : nil, name)
    }

    /// Returns the frame as the end of the UID part of a cascade level.
    private static func rest(_ frame: RFFrame) -> FrameDescription {
        let request = Anticollision.Request(.first, knownBitCount: CascadePart.bitCount - frame.bitCount)
        let command = RFFrame(.typeA106, request.bytes, bitCount: request.bitCount)
        return .anticollision(answer: frame, to: command)
    }

    /// Returns whether pages begin with a UID and its check bytes, as page 00 does.
    private static func isWholeMemory(_ frame: RFFrame) -> Bool {
        let bytes = frame.bytes
        guard bytes.count >= 12 else { return false }
        return bytes[3] == UID.cascadeTag ^ bytes[0] ^ bytes[1] ^ bytes[2]
            && bytes[8] == bytes[4] ^ bytes[5] ^ bytes[6] ^ bytes[7]
    }
}

extension FrameReading {
    /// The last two bytes of the preamble.
    private static let sync: [UInt8] = [0xB2, 0x4D]

    /// Interprets bytes as FeliCa packets: as they are, with a checksum, without LEN.
    static func feliCa(_ bytes: [UInt8]) -> [FrameReading] {
        if let packet = afterSync(bytes) {
            return withLength(packet, ["begins with the sync code B2 4D"], weight: Weight.sync)
        }
        return withLength(bytes, [], weight: 0) + withoutLength(bytes)
    }

    /// Returns the bytes after preamble and sync code; `nil` if there is no sync code.
    private static func afterSync(_ bytes: [UInt8]) -> [UInt8]? {
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
                    "the two bytes after it are \(isRight ? "the right" : "a wrong") CRC",
                ],
                weight: weight + Weight.rightLength + (isRight ? Weight.rightCRC : 0))
        }
        return readings(of: bytes, .good, reasons, weight: weight)
    }

    private static func withoutLength(_ bytes: [UInt8]) -> [FrameReading] {
        guard bytes.count < FeliCaPacket.maximumLength else { return [] }
        let packet = [UInt8(bytes.count + 1)] + bytes
        let slice = packet[...]
        // A code whose packets are unknown or encrypted accepts any bytes after it and so proves nothing.
        guard let command = CommandCode(of: slice.span).flatMap(CommandDescription.of), command.layout != nil,
            !command.isSecureFrame
        else { return [] }
        return readings(of: packet, .good, ["LEN is missing and was added"], weight: 0)
    }

    /// Returns interpretations of the packet from the side that its code indicates, if the code is known or the length is
    /// right.
    private static func readings(
        of packet: [UInt8], _ integrity: FrameIntegrity, _ reasons: [String], weight: Int
    ) -> [FrameReading] {
        let slice = packet[...]
        let isKnown = CommandCode(of: slice.span).flatMap(CommandDescription.of) != nil
        guard isKnown || weight > 0 else { return [] }
        let frame = RFFrame(.felica212, packet, integrity: integrity)
        return FrameGuess.all(for: frame).map {
            FrameReading($0, of: frame, reasons, weight: weight + (isKnown ? Weight.knownCode : 0))
        }
    }

    /// Interprets bits as type A frames: as they are, and with a checksum at the end.
    static func typeA(_ bytes: [UInt8], bitCount: Int) -> [FrameReading] {
        guard bitCount == bytes.count * 8 else {
            let frame = RFFrame(.typeA106, bytes, bitCount: bitCount)
            return readings(of: frame, ["it ends inside a byte"], weight: Weight.rightLength)
        }
        return shortFrame(bytes) + withCRC(bytes) + readings(of: RFFrame(.typeA106, bytes), [], weight: 0)
    }

    /// Interprets a single byte as REQA or WUPA, written without its number of bits.
    private static func shortFrame(_ bytes: [UInt8]) -> [FrameReading] {
        guard bytes.count == 1, [ShortFrame.reqa, .wupa].contains(where: { $0.rawValue == bytes[0] }) else { return [] }
        let frame = RFFrame(.typeA106, bytes, bitCount: TypeAFraming.shortFrameBits)
        let reason = "it has seven bits over the air, written \(Hex.text(bytes)):7"
        return readings(of: frame, [reason], weight: Weight.knownCommand)
    }

    private static func withCRC(_ bytes: [UInt8]) -> [FrameReading] {
        guard bytes.count > CRCA.byteCount else { return [] }
        let data = Array(bytes.dropLast(CRCA.byteCount))
        if CRCA.checksum(of: bytes) == 0 {
            let frame = RFFrame(.typeA106, data)
            return readings(of: frame, ["the last two bytes are the right CRC"], weight: Weight.rightCRC)
        }
        // A wrong checksum is only likely if a command has its right length without it.
        guard let opcode = data.first, FrameDescription(command: RFFrame(.typeA106, data)).remark == nil,
            Type2Opcode(opcode).explanation?.layout != nil || CascadeLevel(sel: opcode) != nil
        else { return [] }
        let frame = RFFrame(.typeA106, data, integrity: .badCRC)
        return readings(of: frame, ["the last two bytes are a wrong CRC"], weight: Weight.fittingLength)
    }

    private static func readings(of frame: RFFrame, _ reasons: [String], weight: Int) -> [FrameReading] {
        FrameGuess.all(for: frame).map { guess in
            let opcode = frame.bytes.first.map(Type2Opcode.init)
            let isKnown =
                opcode?.explanation?.layout != nil || guess.description.command?.layer == .selection
            let proof = guess.isProven.map { $0 ? Weight.rightContent : -Weight.fittingLength } ?? 0
            let own = guess.isCommand ? (isKnown ? Weight.knownCommand : 0) : Weight.fittingLength + proof
            return FrameReading(guess, of: frame, reasons, weight: weight + own)
        }
    }

    /// Interprets bytes that are not sent over the air: between host and reader, or copied from a FeliCa card.
    static func withoutRF(_ bytes: [UInt8]) -> [FrameReading] {
        [atr, command, response, returnCode, pn532, port100].compactMap { $0(bytes) } + knownBlocks(bytes) + ndef(bytes)
    }

    init(
        _ kind: Kind, _ bytes: [UInt8], isCommand: Bool = false, _ reason: String, _ description: FrameDescription,
        weight: Int
    ) {
        self.init(
            kind, RFFrame(.typeA106, bytes), isCommand: isCommand, [reason], description,
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

/// Blocks copied from a FeliCa card, without the surrounding packet.
extension FrameReading {
    private static func knownBlocks(_ bytes: [UInt8]) -> [FrameReading] {
        guard bytes.count == BlockData.byteCount else { return [] }
        let data = BlockData(bytes)
        return services(of: data).map { service, reason, weight in
            let place = NamedBlock(BlockListElement(blockNumber: 0), service: service)
            return FrameReading(.block, bytes, reason, .block(data, at: place), weight: weight)
        }
    }

    /// Interprets bytes as an unknown block; pages of a tag are likelier.
    static func anyBlock(_ bytes: [UInt8]) -> [FrameReading] {
        guard bytes.count == BlockData.byteCount, knownBlocks(bytes).isEmpty else { return [] }
        let description = FrameDescription.block(BlockData(bytes), at: nil)
        return [
            FrameReading(
                .block, bytes, "16 bytes may be a block of a FeliCa card", description, weight: Weight.fittingLength)
        ]
    }

    /// Returns the only service whose records all blocks of an answer to Read may be; `nil` if there is none or more than one.
    fileprivate static func service(ofBlocksIn frame: RFFrame) -> NodeCode? {
        guard let response = try? ReadWithoutEncryption.Response(parsing: frame.bytes) else { return nil }
        let blocks = response.blocks
        let isPairs = stride(from: 1, to: blocks.count, by: 2).allSatisfy { place in
            isWAONHistory(BlockPair(blocks[place - 1], blocks[place]))
        }
        let candidates = blocks.filter { $0 != .zero }.map { services(of: $0).map(\.service) }
        let common = (candidates.first ?? []).filter { service in candidates.allSatisfy { $0.contains(service) } }
        let found = common + (blocks.count > 1 && isPairs ? [WAONServices.history.code] : [])
        return found.count == 1 ? found[0] : nil
    }

    private static func isWAONHistory(_ pair: BlockPair) -> Bool {
        let record = WAONHistoryRecord(pair)
        return record.isUnused || record.type.name != nil && record.time.date != nil && record.time.time != nil
    }

    /// Returns the services whose records the block may be.
    private static func services(of data: BlockData) -> [(service: NodeCode, reason: String, weight: Int)] {
        let attributes = AttributeInformationBlock(data)
        if attributes.hasValidChecksum, data != .zero {
            return [(Type3Services.read, "its checksum matches an attribute information block", Weight.sync)]
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
    /// Describes a block of a FeliCa card by the contents of its service, if that is known.
    fileprivate static func block(_ data: BlockData, at place: NamedBlock?) -> FrameDescription {
        var walk = FrameWalk(host: data.bytes)
        let meaning = place.flatMap { BlockMeaning.of(data, at: $0, after: nil) }
        let name = meaning?.name ?? "block"
        walk.append(name, bitCount: data.bytes.count * 8, details: meaning?.details ?? [])
        let service = place?.service.map { ", service \($0)" } ?? ""
        return FrameDescription("\(name) of a FeliCa card\(service)", nil, walk, line: "")
    }
}

import TapWire

/// Hexadecimal text read as a frame, or as bytes around a reader, with what speaks for that reading.
///
/// Text rarely says where it comes from: a FeliCa packet is written with or without LEN, with preamble and CRC as a
/// sniffer gives it, a type A frame with or without CRC; an APDU, an ATR or the block of a card looks no different.
public struct FrameReading: Hashable, Sendable {
    /// Where such bytes are met.
    public enum Kind: String, Hashable, Sendable {
        /// On air, at 212 or 424 kbit/s.
        case feliCa = "FeliCa"
        /// On air, at 106 kbit/s.
        case typeA = "NFC Type A"
        /// Between a program and a reader, by PC/SC.
        case reader = "PC/SC"
        /// Between a program and the chip of a reader.
        case pn532 = "PN532"
        /// In the memory of a FeliCa card.
        case block = "FeliCa block"
    }

    /// Where such bytes are met.
    public let kind: Kind
    /// The bytes; of a frame without preamble and CRC, of a FeliCa frame with LEN.
    public let frame: AirFrame
    /// Whether a reader sends such a frame; else a card does.
    public let isCommand: Bool
    /// What speaks for this reading, and what was added or taken away; half sentences.
    public let reasons: [String]
    /// The frame in words.
    public let description: FrameDescription
    /// Whether hardly anything else can be meant; else the bytes could be this, and other things, too.
    public private(set) var isCertain = false
    /// How much speaks for the reading.
    let weight: Int

    init(_ guess: FrameGuess, of frame: AirFrame, _ reasons: [String], weight: Int) {
        self.init(
            frame.technology.isFeliCa ? .feliCa : .typeA, frame, isCommand: guess.isCommand, reasons + [guess.reason],
            guess.description, weight: weight + (guess.description.remark == nil ? Weight.nothingWrong : 0))
    }

    init(
        _ kind: Kind, _ frame: AirFrame, isCommand: Bool, _ reasons: [String], _ description: FrameDescription,
        weight: Int
    ) {
        self.kind = kind
        self.frame = frame
        self.isCommand = isCommand
        self.reasons = reasons
        self.description = description
        self.weight = weight
    }

    /// What a reason counts; a right checksum is hardly ever chance.
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
        /// A reading with less is told only if there is no other.
        static let plausible = 5
        /// A reading with less is one of several that the bytes could be.
        static let certain = 6
    }

    /// All plausible readings of a text, the likeliest first.
    ///
    /// - Parameters:
    ///   - text: Digits with blanks, colons, commas or `0x` between bytes, or with a number of bits behind one colon,
    ///     such as `26:7`.
    ///   - command: The frame before it, where that was read as a command: what answers it comes first.
    /// - Returns: At least one reading.
    /// - Throws: ``FrameText/Problem`` where the text is no frame.
    public static func all(
        of text: some StringProtocol, answering command: FrameReading? = nil
    ) throws(FrameText.Problem) -> [FrameReading] {
        let (bytes, bitCount) = try digits(text)
        guard bitCount > 0 else { throw FrameText.Problem(description: "there are no digits; write a frame as `3004`") }
        let isWhole = bitCount % 8 == 0
        let alone =
            (isWhole ? feliCa(bytes) + offAir(bytes) : []) + typeA(bytes, bitCount: bitCount)
            + (isWhole ? anyBlock(bytes) : [])
        let found = command.map { answers(to: $0, among: alone) + alone } ?? alone
        // Sorting alone would leave the order of equal weights open.
        let ranked = found.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element)
        let plausible = ranked.filter { $0.weight >= Weight.plausible }
        var told = plausible.isEmpty ? Array(ranked.prefix(1)) : plausible
        told[0].isCertain =
            told[0].weight >= Weight.certain && told.dropFirst().allSatisfy { $0.weight < told[0].weight }
        return told
    }

    /// The frames of readings as answers to a command, if nothing is wrong with them as such.
    private static func answers(to command: FrameReading, among readings: [FrameReading]) -> [FrameReading] {
        guard command.isCommand, command.kind == .feliCa || command.kind == .typeA else { return [] }
        var frames: [AirFrame] = []
        for reading in readings where reading.kind == command.kind && !frames.contains(reading.frame) {
            frames.append(reading.frame)
        }
        return frames.compactMap { frame in
            let guess = FrameGuess(frame, answering: command.frame, "it answers the frame before it")
            return guess.description.remark == nil ? FrameReading(guess, of: frame, [], weight: Weight.answer) : nil
        }
    }

    /// The bytes of a text as people paste it.
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

/// A frame read as coming from one side, with the reason for it.
struct FrameGuess {
    /// Whether a reader sent it.
    let isCommand: Bool
    /// Why it may be that, a half sentence.
    let reason: String
    /// The frame in words.
    let description: FrameDescription
    /// What a checksum or fixed bytes inside the frame say: whether they speak for it, or nil where there are none.
    private(set) var isProven: Bool?

    private init(command frame: AirFrame, _ reason: String) {
        self.init(isCommand: true, reason: reason, description: FrameDescription(command: frame))
    }

    /// A frame as the answer to a command.
    init(_ frame: AirFrame, answering command: AirFrame, _ reason: String) {
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

    /// All that a frame may be, the likeliest first; at least one.
    static func all(for frame: AirFrame) -> [FrameGuess] {
        frame.technology.isFeliCa ? feliCa(frame) : typeA(frame)
    }

    private static func feliCa(_ frame: AirFrame) -> [FrameGuess] {
        let slice = frame.bytes[...]
        let code = CommandCode(of: slice.span)
        if code?.isResponse == true {
            return [answer(.feliCa(answer: frame, to: nil), "an odd code is that of a response")]
        }
        return [FrameGuess(command: frame, code == .echo ? "either side sends Echo" : "an even code is a command")]
    }

    private static func typeA(_ frame: AirFrame) -> [FrameGuess] {
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
        // Data may begin like any command; a known command that has its right length is the likeliest of all.
        let isKnown = command.description.remark == nil && command.description.title != "COMP_WRITE data"
        return isKnown || answers.isEmpty ? [command] + answers : answers + [command]
    }

    /// The answers that have as many bits as the frame.
    private static func typeAAnswers(_ frame: AirFrame) -> [FrameGuess] {
        let reason = "its length is that of this answer"
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
            // Vendor and type of product follow: NXP, NTAG.
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

    /// The frame as an answer to a command whose arguments are not known.
    private static func reading(_ frame: AirFrame, _ opcode: Type2Opcode) -> FrameDescription {
        let layout = Type2Layout.of(opcode)?.answer ?? []
        let name = CommandName.all.first { $0.opcode == opcode }
        return .type2(answer: frame, layout, of: opcode, firstPage: isWholeMemory(frame) ? 0 : nil, name)
    }

    /// The frame as the end of the UID part of a cascade level.
    private static func rest(_ frame: AirFrame) -> FrameDescription {
        let request = Anticollision.Request(.first, knownBitCount: CascadePart.bitCount - frame.bitCount)
        let command = AirFrame(.typeA106, request.bytes, bitCount: request.bitCount)
        return .anticollision(answer: frame, to: command)
    }

    /// Whether pages begin with a UID and its check bytes, as page 00 does.
    private static func isWholeMemory(_ frame: AirFrame) -> Bool {
        let bytes = frame.bytes
        guard bytes.count >= 12 else { return false }
        return bytes[3] == UID.cascadeTag ^ bytes[0] ^ bytes[1] ^ bytes[2]
            && bytes[8] == bytes[4] ^ bytes[5] ^ bytes[6] ^ bytes[7]
    }
}

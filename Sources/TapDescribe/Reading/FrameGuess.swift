import TapWire

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

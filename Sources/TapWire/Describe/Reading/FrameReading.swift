/// Hexadecimal text read as a frame, with what speaks for that reading.
///
/// Text rarely says where it comes from: a FeliCa packet is written with or without LEN, with preamble and CRC as a
/// sniffer gives it, a type A frame with or without CRC.
public struct FrameReading: Hashable, Sendable {
    /// The frame, without preamble and CRC, a FeliCa frame with LEN.
    public let frame: AirFrame
    /// Whether a reader sends such a frame; else a card does.
    public let isCommand: Bool
    /// What speaks for this reading, and what was added or taken away; half sentences.
    public let reasons: [String]
    /// The frame in words.
    public let description: FrameDescription
    /// How much speaks for the reading.
    let weight: Int

    init(_ guess: FrameGuess, of frame: AirFrame, _ reasons: [String], weight: Int) {
        self.frame = frame
        isCommand = guess.isCommand
        self.reasons = reasons + [guess.reason]
        description = guess.description
        self.weight = weight + (guess.description.remark == nil ? Weight.nothingWrong : 0)
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
        /// A reading with less is told only if there is no other.
        static let plausible = 5
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
        let alone = (bitCount % 8 == 0 ? feliCa(bytes) : []) + typeA(bytes, bitCount: bitCount)
        let found = command.map { answers(to: $0, among: alone) + alone } ?? alone
        // Sorting alone would leave the order of equal weights open.
        let ranked = found.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element)
        let plausible = ranked.filter { $0.weight >= Weight.plausible }
        return plausible.isEmpty ? Array(ranked.prefix(1)) : plausible
    }

    /// The frames of readings as answers to a command, if nothing is wrong with them as such.
    private static func answers(to command: FrameReading, among readings: [FrameReading]) -> [FrameReading] {
        guard command.isCommand else { return [] }
        var frames: [AirFrame] = []
        for frame in readings.map(\.frame) where frame.technology.isFeliCa == command.frame.technology.isFeliCa {
            if !frames.contains(frame) { frames.append(frame) }
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

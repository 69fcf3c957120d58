import TapDocument

/// The output streams on which a client prints the card's contents, as its baseline runs show.
public enum ResultStream: String, CaseIterable, Hashable, Sendable {
    case output = "stdout"
    case error = "stderr"
    case both
    case neither

    /// Text such as `on standard error`; `nil` if neither stream mentions the card.
    public var place: String? {
        switch self {
        case .output: "on standard output"
        case .error: "on standard error"
        case .both: "on both output streams"
        case .neither: nil
        }
    }
}

/// The contents of a card as a client may print them.
struct CardMentions: Sendable {
    /// The minimum length of a text; shorter texts match by chance.
    private static let leastLength = 3

    private let facts: [String]
    /// The IDm and the UID in lower case; a client may group their digits.
    private let identifiers: [String]
    /// The lengths of lists, which are weak evidence.
    private let counts: [String]

    /// - Parameter reference: The results of known-good readers.
    init(_ reference: Node) {
        let texts = PlacedTexts(reference)
        let long = texts.byPlace.mapValues { $0.filter { $0.utf8.count >= Self.leastLength } }
        facts = Set(long.filter { FactKind(place: $0.key)?.isRecognizable ?? false }.flatMap(\.value)).sorted()
        identifiers = texts.identifiers.filter { $0.utf8.count >= Self.leastLength }
        counts = Set(texts.lengths.values.filter { $0 > 9 }).sorted().map(String.init)
    }

    var isEmpty: Bool { facts.isEmpty && identifiers.isEmpty }

    func facts(in printed: Node) -> Set<String> {
        let text = PrintedText(printed)
        return Set(facts.filter(text.contains))
    }

    func hasIdentifier(in printed: Node) -> Bool {
        let digits = PlacedTexts(printed).all.joined(separator: "\n").lowercased().filter { !" :-".contains($0) }
        return identifiers.contains { digits.contains($0) }
    }

    func hasCount(in printed: Node) -> Bool {
        let text = PrintedText(printed)
        return counts.contains(where: text.contains)
    }
}

/// The lines of standard error that belong to a client's result because they mention the card's contents.
///
/// Other lines are a log: a client may print warnings or retries there and still be right. Lines are recognised by their
/// shape, so that a wrong number is found and a leading timestamp does not count.
struct ErrorLines: Hashable, Sendable {
    /// The maximum number of lines that are searched for the result.
    private static let mostLines = 2_000

    static let none = ErrorLines(shapes: [], clean: [], isAlone: false)

    private let shapes: Set<String>
    private let clean: [String]
    /// A Boolean value that indicates whether standard output contains nothing of the result.
    private let isAlone: Bool

    private init(shapes: Set<String>, clean: [String], isAlone: Bool) {
        (self.shapes, self.clean, self.isAlone) = (shapes, clean, isAlone)
    }

    /// - Parameters:
    ///   - texts: The standard error of the baseline runs; lines that differ are ignored.
    ///   - isDistinctive: Whether a line mentions the card's contents.
    init(_ texts: [String], isAlone: Bool, where isDistinctive: (String) -> Bool) {
        let runs = texts.map(Self.all)
        let distinctive = Set((runs.first ?? []).prefix(Self.mostLines).filter(isDistinctive).map(Self.shape))
        let shapes = distinctive.filter { shape in Set(runs.map { $0.filter { Self.shape($0) == shape } }).count == 1 }
        let clean = (runs.first ?? []).filter { shapes.contains(Self.shape($0)) }
        self.init(shapes: shapes, clean: clean, isAlone: isAlone)
    }

    var isEmpty: Bool { shapes.isEmpty }

    func lines(of text: String) -> [String] {
        guard !isEmpty else { return [] }
        let found = Self.all(text).filter { shapes.contains(Self.shape($0)) }
        // A log that accompanies the result may repeat lines.
        return !isAlone && Self.contains(found, clean) ? clean : found
    }

    /// Returns the lines of a text without leading timestamps.
    static func all(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { String(withoutTimestamp($0)) }
    }

    private static func contains(_ lines: [String], _ wanted: [String]) -> Bool {
        var rest = wanted[...]
        for line in lines where line == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }

    static func shape(_ line: String) -> String {
        var shape = ""
        var wasDigit = false
        for character in line {
            let isDigit = character.isASCII && character.isNumber
            if !isDigit { shape.append(character) } else if !wasDigit { shape.append("#") }
            wasDigit = isDigit
        }
        return shape
    }

    /// Returns the rest of a line after a leading time of day and whatever precedes it: `2026/11/29 09:02:11 `,
    /// `[09:02:11.350] `, `Nov 29 09:02:11 `.
    private static func withoutTimestamp(_ line: Substring) -> Substring {
        let bytes = Array(line.utf8.prefix(mostTimestamp))
        let isDigit = { (index: Int) in index < bytes.count && (0x30...0x39).contains(bytes[index]) }
        let isColon = { (index: Int) in index < bytes.count && bytes[index] == UInt8(ascii: ":") }
        let isTime = { (start: Int) in
            [0, 1, 3, 4, 6, 7].allSatisfy { isDigit(start + $0) } && isColon(start + 2) && isColon(start + 5)
        }
        guard let time = bytes.indices.first(where: isTime) else { return line }
        let (letters, marks) = (bytes[..<time].filter(isLetter), Array("-/., :[(".utf8))
        guard letters.count <= mostLetters,
            bytes[..<time].allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || marks.contains($0) })
        else { return line }
        var end = time + "00:00:00".utf8.count
        if end < bytes.count, [UInt8(ascii: "."), UInt8(ascii: ",")].contains(bytes[end]), isDigit(end + 1) {
            end += 1
            while isDigit(end) { end += 1 }
        }
        while end < bytes.count, "Z]): ".utf8.contains(bytes[end]) { end += 1 }
        return line[line.utf8.index(line.startIndex, offsetBy: end)...]
    }

    private static let mostTimestamp = 40
    /// The number of letters in the abbreviations of a day and a month.
    private static let mostLetters = 6

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
}

extension ClientReport {
    /// A Boolean value that indicates whether standard output contains a time of day: `09:02:11`.
    var printsTime: Bool {
        let words = standardOutput.split { !($0.isNumber || $0 == ":") }
        return words.contains { $0.split(separator: ":").map(\.count) == [2, 2, 2] }
    }
}

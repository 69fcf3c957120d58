import TapWire

/// How a scalar is written: its digits, its quotes.
struct WordSpelling {
    private enum Quotes {
        case none
        case single
        case double
    }

    /// The text, codes and bytes in the digits of this style.
    let text: String
    private let quotes: Quotes

    init(_ word: Layout.Word, isBracketed: Bool) {
        text = Self.text(of: word)
        let needsQuotes = Self.needsQuotes(word, text, isBracketed: isBracketed)
        let hasMarks = text.unicodeScalars.contains { $0 == "\"" || $0 == "\\" }
        quotes = !needsQuotes ? .none : hasMarks && text.unicodeScalars.allSatisfy(Self.isPrintable) ? .single : .double
    }

    /// What a scalar says, however it is spelled: equal for `deadbeef` and `DE AD BE EF` where bytes are read.
    static func text(of word: Layout.Word) -> String {
        let scalar = word.scalar
        guard case .rule(let rule) = word.reading, scalar.form != .literal, !scalar.isReference else {
            return scalar.text
        }
        if let hex = rule as? HexRule, let bytes = try? hex.parse(scalar.text) {
            return Hex.text(bytes, separator: " ")
        }
        if let code = (rule as? CodeRule).flatMap({ try? $0.parse(scalar.text) }) {
            return Hex.digits(code, width: 4)
        }
        return scalar.text
    }

    /// The scalar on one line.
    var line: String {
        switch quotes {
        case .none: text
        case .single: "'\(text.replacing("'", with: "''"))'"
        case .double: "\"\(text.unicodeScalars.map(Self.escaped).joined())\""
        }
    }

    /// The scalar on several lines of at most `width` characters, the first of which begins behind `used` others;
    /// one line where the text would not read the same.
    func lines(used: Int, indent: Int, width: Int) -> [String] {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let isSafe = words.allSatisfy { word in
            !word.isEmpty && (quotes != .none || !Self.openers.contains(word.unicodeScalars.first ?? "#"))
        }
        // Behind a backslash a line break means something else.
        guard words.count > 1, isSafe, quotes != .double || !line.contains("\\") else { return [line] }
        var lines: [String] = []
        var current = words[0]
        var taken = used
        for word in words.dropFirst() {
            if taken + DisplayWidth.of(current) + 1 + DisplayWidth.of(word) > width {
                lines.append(current)
                (current, taken) = (word, indent)
            } else {
                current += " \(word)"
            }
        }
        return lines + [current]
    }

    /// The lines of a block of text behind its header, or nothing if it cannot be one.
    static func block(_ scalar: Scalar) -> (header: String, lines: [String])? {
        let text = scalar.text
        guard scalar.form == .literal, text.unicodeScalars.allSatisfy({ $0 == "\n" || $0 == "\t" || isPrintable($0) })
        else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let hasEnd = text.hasSuffix("\n")
        // Blank lines at the end are read as lines between keys as well, so such text is written between quotes.
        let last = hasEnd ? lines.dropLast().last : lines.last
        guard let last, last.contains(where: { $0 != " " && $0 != "\t" }) else { return nil }
        let first = lines.first { !$0.isEmpty } ?? ""
        let begins = first.hasPrefix(" ") || first.hasPrefix("\t") || lines[0].isEmpty
        return ("|\(begins ? "2" : "")\(hasEnd ? "" : "-")", hasEnd ? lines.dropLast() : lines)
    }

    // MARK: Quotes

    private static func needsQuotes(_ word: Layout.Word, _ text: String, isBracketed: Bool) -> Bool {
        let scalar = word.scalar
        // What a program built was never between quotes, so those it needs are all it gets.
        let isBuilt = scalar.range == nil
        switch word.reading {
        case .key:
            return !isPlain(text, isBracketed: isBracketed)
        case .ownKey:
            return scalar.form != .plain && !isBuilt || !isPlain(text, isBracketed: isBracketed)
        case .free:
            return needsQuotes(free: scalar, isBuilt: isBuilt, isBracketed: isBracketed)
        case .rule(let rule):
            if rule is ValueRule { return needsQuotes(free: scalar, isBuilt: isBuilt, isBracketed: isBracketed) }
            if scalar.isNothing { return false }
            if scalar.isReference || rule is HexRule || rule is CodeRule { return true }
            guard isPlain(text, isBracketed: isBracketed) else { return true }
            let reading = ForeignReading(of: text)
            if rule.needsQuotes, reading.noun != nil { return true }
            return scalar.form != .plain && !isBuilt && !mayLoseQuotes(rule, reading)
        }
    }

    /// Whether a value needs quotes where they tell text from numbers, true, false and null.
    private static func needsQuotes(free scalar: Scalar, isBuilt: Bool, isBracketed: Bool) -> Bool {
        guard scalar.form == .plain || isBuilt else { return true }
        let isText = ForeignReading(of: scalar.text) == .text
        guard isText else { return scalar.form == .quoted || scalar.form == .literal }
        return !isPlain(scalar.text, isBracketed: isBracketed)
    }

    /// Whether quotes around what a rule reads say nothing to anybody.
    private static func mayLoseQuotes(_ rule: any ScalarRule, _ reading: ForeignReading) -> Bool {
        switch rule {
        case is DateRule: reading == .date
        case is BooleanRule: reading == .boolean
        case is IntegerRule, is RangeRule, is DurationRule, is TimeAmountRule, is WordRule:
            reading == .text || reading == .sameNumber
        default: false
        }
    }

    /// Characters that cannot begin a text without quotes.
    private static let openers: Set<Unicode.Scalar> = [
        "-", "?", ":", ",", "[", "]", "{", "}", "#", "&", "*", "!", "|", ">", "'", "\"", "%", "@", "`",
    ]
    private static let brackets: Set<Unicode.Scalar> = [",", "[", "]", "{", "}", ":"]

    /// Whether a text without quotes is read as it stands.
    private static func isPlain(_ text: String, isBracketed: Bool) -> Bool {
        let scalars = Array(text.unicodeScalars)
        guard let first = scalars.first, let last = scalars.last, first != " ", last != " ", last != ":" else {
            return false
        }
        let isNumber = first == "-" && scalars.count > 1 && scalars[1].properties.numericType != nil
        guard isNumber || !openers.contains(first), text != "<<", !text.hasPrefix("...") else { return false }
        for (index, scalar) in scalars.enumerated() {
            guard isPrintable(scalar), !isBracketed || !brackets.contains(scalar) else { return false }
            if scalar == "#", index > 0, scalars[index - 1] == " " { return false }
            if scalar == ":", scalars[index + 1] == " " { return false }
        }
        return true
    }

    /// Whether a character can stand for itself; line breaks of any kind and what nobody sees cannot.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: true
        case 0xA0...0x2027, 0x202A...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: !PrintableText.isHarmful(scalar)
        default: false
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where isPrintable(scalar): String(Character(scalar))
        case _ where scalar.value <= 0xFF: "\\x\(Hex.digits(UInt8(scalar.value), width: 2))"
        case _ where scalar.value <= 0xFFFF: "\\u\(Hex.digits(scalar.value, width: 4))"
        default: "\\U\(Hex.digits(scalar.value, width: 8))"
        }
    }
}

extension Scalar {
    /// Whether it stands for a parameter.
    fileprivate var isReference: Bool { ParameterReference(text) != nil }
}

import TapWire

/// A printer for layouts in the style of scenario files.
///
/// Each level is indented by two blanks, and items are indented further than their key. Brackets stay if they fit on the
/// line; otherwise each entry gets its own line, and single values are wrapped. Comments after values keep their columns.
package struct LayoutPrinter {
    /// The maximum line width, in columns.
    static let width = 120
    private static let step = 2

    private(set) var lines: [String] = []

    package static func lines(of layout: Layout) -> [String] {
        var printer = LayoutPrinter()
        switch layout.root {
        case .group(let group) where !group.entries.isEmpty:
            printer.print(group, indent: 0, lead: nil)
        case .group(let group):
            printer.print(group.below, indent: 0)
            printer.lines.append(group.isMap ? "{}" : "[]")
        case .word(let word):
            printer.lines.append(WordSpelling(word, isBracketed: false).line)
        }
        while printer.lines.last?.isEmpty == true { printer.lines.removeLast() }
        return printer.lines
    }

    /// - Parameter lead: The text before the first entry, if the entry shares its line with its item.
    private mutating func print(_ group: Layout.Group, indent: Int, lead: String?) {
        let margin = String(repeating: " ", count: indent)
        for (index, entry) in group.entries.enumerated() {
            let isFirst = index == 0
            print(entry.above, indent: indent, isFirst: isFirst)
            let start = isFirst ? lead ?? margin : margin
            print(entry, start + (group.isMap ? "" : "- "), indent: indent)
        }
        print(group.below, indent: indent)
    }

    private mutating func print(_ above: [Layout.Line], indent: Int, isFirst: Bool = false) {
        var mayBeBlank = !isFirst && lines.last?.isEmpty == false
        for line in above {
            switch line {
            case .blank where mayBeBlank:
                lines.append("")
                mayBeBlank = false
            case .blank: break
            case .comment(let text):
                lines.append(String(repeating: " ", count: indent) + text)
                mayBeBlank = true
            }
        }
    }

    private mutating func print(_ entry: Layout.Entry, _ start: String, indent: Int) {
        switch entry.value {
        case .word(let word): print(word, of: entry, start, indent: indent)
        case .group(let group): print(group, of: entry, start, indent: indent)
        }
    }

    /// A key with its colon and a blank, or an empty string for items.
    private static func head(_ entry: Layout.Entry) -> String {
        entry.key.map { WordSpelling($0, isBracketed: false).line + ": " } ?? ""
    }

    private mutating func print(_ word: Layout.Word, of entry: Layout.Entry, _ start: String, indent: Int) {
        let head = start + Self.head(entry)
        let inner = indent + Self.step
        if let block = WordSpelling.block(word.scalar) {
            finish(head + block.header, entry.afterKey ?? entry.trailing)
            let margin = String(repeating: " ", count: inner)
            lines += block.lines.map { $0.isEmpty ? "" : margin + $0 }
            return
        }
        let spelling = WordSpelling(word, isBracketed: false)
        let used = DisplayWidth.of(head)
        let fits = used + DisplayWidth.of(spelling.line) <= Self.width
        let written = fits ? [spelling.line] : spelling.lines(used: used, indent: inner, width: Self.width)
        // Both remarks can exist if the value began on a new line.
        if entry.trailing != nil, let remark = entry.afterKey {
            lines.append(String(repeating: " ", count: indent) + remark.text)
        }
        let margin = String(repeating: " ", count: inner)
        let all = [head + written[0]] + written.dropFirst().map { margin + $0 }
        lines += all.dropLast()
        finish(all[all.count - 1], entry.trailing ?? entry.afterKey)
    }

    private mutating func print(_ group: Layout.Group, of entry: Layout.Entry, _ start: String, indent: Int) {
        let head = start + Self.head(entry)
        if let line = Self.line(group), entry.trailing == nil || entry.afterKey == nil {
            if group.entries.isEmpty || DisplayWidth.of(head) + DisplayWidth.of(line) <= Self.width {
                return finish(head + line, entry.trailing ?? entry.afterKey)
            }
        }
        guard !group.entries.isEmpty else {
            print(group.below, indent: indent)
            if let remark = entry.afterKey { print([.comment(remark.text)], indent: indent) }
            return finish(head + (group.isMap ? "{}" : "[]"), entry.trailing)
        }
        if let words = Self.words(group) { return fill(words, head, entry, indent: indent) }
        var group = group
        let isTrailing = group.isBracketed && entry.afterKey == nil
        if group.isBracketed, !isTrailing, let remark = entry.trailing { group.below.append(.comment(remark.text)) }
        guard entry.key != nil else {
            if isTrailing, let remark = entry.trailing { print([.comment(remark.text)], indent: indent) }
            return print(group, indent: indent + Self.step, lead: start)
        }
        finish(head, isTrailing ? entry.trailing : entry.afterKey)
        print(group, indent: indent + Self.step, lead: nil)
    }

    /// Appends a line with its trailing comment, in the original column if there is room.
    private mutating func finish(_ line: String, _ remark: Layout.Remark?) {
        var line = line
        while line.last == " " { line.removeLast() }
        if let remark {
            let length = line.unicodeScalars.count
            line += String(repeating: " ", count: max(Self.step, remark.column - 1 - length)) + remark.text
        }
        lines.append(line)
    }

    // MARK: Brackets

    /// A bracketed group on one line, or `nil` if it was not bracketed or contains comments or blank lines.
    private static func line(_ group: Layout.Group) -> String? {
        guard group.isBracketed, !group.hasLines else { return nil }
        var parts: [String] = []
        for entry in group.entries {
            let key = entry.key.map { WordSpelling($0, isBracketed: true).line + ": " } ?? ""
            switch entry.value {
            case .word(let word):
                parts.append(key + WordSpelling(word, isBracketed: true).line)
            case .group(let inner):
                guard let text = line(inner) else { return nil }
                parts.append(key + text)
            }
        }
        let text = parts.joined(separator: ", ")
        return group.isMap ? "{\(text)}" : "[\(text)]"
    }

    /// The items of a bracketed list, or `nil` unless all are single values.
    private static func words(_ group: Layout.Group) -> [String]? {
        guard !group.isMap, group.isBracketed, !group.hasLines else { return nil }
        let words = group.entries.compactMap { entry in
            if case .word(let word) = entry.value { WordSpelling(word, isBracketed: true).line } else { nil }
        }
        return words.count == group.entries.count ? words : nil
    }

    /// Wraps single values between brackets.
    private mutating func fill(_ words: [String], _ head: String, _ entry: Layout.Entry, indent: Int) {
        let margin = String(repeating: " ", count: indent + Self.step)
        finish(head + "[", entry.afterKey)
        var line = margin
        for (index, word) in words.enumerated() {
            let item = index + 1 < words.count ? "\(word)," : word
            if line.count > margin.count, DisplayWidth.of(line) + 1 + DisplayWidth.of(item) > Self.width {
                lines.append(line)
                line = margin
            }
            line += line.count > margin.count ? " \(item)" : item
        }
        lines.append(line)
        finish(String(repeating: " ", count: indent) + "]", entry.trailing)
    }
}

/// The spelling of a scalar: its digits and its quotes.
struct WordSpelling {
    private enum Quotes {
        case none
        case single
        case double
    }

    /// The text, with codes and bytes in the digits of this style.
    let text: String
    private let quotes: Quotes

    init(_ word: Layout.Word, isBracketed: Bool) {
        text = Self.text(of: word)
        let needsQuotes = Self.needsQuotes(word, text, isBracketed: isBracketed)
        let hasMarks = text.unicodeScalars.contains { $0 == "\"" || $0 == "\\" }
        quotes = !needsQuotes ? .none : hasMarks && text.unicodeScalars.allSatisfy(Self.isPrintable) ? .single : .double
    }

    /// The normalised text of a scalar: the same for `deadbeef` and `DE AD BE EF` if bytes are expected.
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

    var line: String {
        switch quotes {
        case .none: text
        case .single: "'\(text.replacing("'", with: "''"))'"
        case .double: "\"\(text.unicodeScalars.map(Self.escaped).joined())\""
        }
    }

    /// The scalar on several lines of at most `width` columns, the first of which starts after `used` columns; a single line
    /// if the text would not read the same.
    func lines(used: Int, indent: Int, width: Int) -> [String] {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let isSafe = words.allSatisfy { word in
            !word.isEmpty && (quotes != .none || !Self.openers.contains(word.unicodeScalars.first ?? "#"))
        }
        // A line break after a backslash has another meaning.
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

    /// The header of a block of text and the lines after it, or `nil` if the scalar cannot be a block.
    static func block(_ scalar: Scalar) -> (header: String, lines: [String])? {
        let text = scalar.text
        guard scalar.form == .literal, text.unicodeScalars.allSatisfy({ $0 == "\n" || $0 == "\t" || isPrintable($0) })
        else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let hasEnd = text.hasSuffix("\n")
        // Trailing blank lines would be read as lines between keys, so such text is quoted instead.
        let last = hasEnd ? lines.dropLast().last : lines.last
        guard let last, last.contains(where: { $0 != " " && $0 != "\t" }) else { return nil }
        let first = lines.first { !$0.isEmpty } ?? ""
        let begins = first.hasPrefix(" ") || first.hasPrefix("\t") || lines[0].isEmpty
        return ("|\(begins ? "2" : "")\(hasEnd ? "" : "-")", hasEnd ? lines.dropLast() : lines)
    }

    // MARK: Quotes

    private static func needsQuotes(_ word: Layout.Word, _ text: String, isBracketed: Bool) -> Bool {
        let scalar = word.scalar
        // Text built by a program gets only the quotes it needs.
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
            return scalar.form != .plain && !isBuilt && !rule.plainReadings.contains(reading)
        }
    }

    /// Returns whether a value needs quotes to distinguish text from numbers, true, false and null.
    private static func needsQuotes(free scalar: Scalar, isBuilt: Bool, isBracketed: Bool) -> Bool {
        guard scalar.form == .plain || isBuilt else { return true }
        let isText = ForeignReading(of: scalar.text) == .text
        guard isText else { return scalar.form == .quoted || scalar.form == .literal }
        return !isPlain(scalar.text, isBracketed: isBracketed)
    }

    /// Characters that cannot begin unquoted text.
    private static let openers: Set<Unicode.Scalar> = [
        "-", "?", ":", ",", "[", "]", "{", "}", "#", "&", "*", "!", "|", ">", "'", "\"", "%", "@", "`",
    ]
    private static let brackets: Set<Unicode.Scalar> = [",", "[", "]", "{", "}", ":"]

    /// Returns whether unquoted text reads back unchanged.
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

    /// Returns whether a character may be written as is; line breaks and invisible characters may not.
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
    fileprivate var isReference: Bool { ParameterReference(text) != nil }
}

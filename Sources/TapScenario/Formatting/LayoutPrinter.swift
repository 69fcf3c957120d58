/// Writes a layout in the one style scenario files have.
///
/// Two blanks further in for each level, items further in than their key; braces and brackets stay where they fit on
/// the line, else each entry gets a line of its own and single values fill lines. Comments behind values keep their
/// columns.
struct LayoutPrinter {
    /// Longest line, in columns.
    static let width = 120
    private static let step = 2

    private(set) var lines: [String] = []

    /// The lines of a document.
    static func lines(of layout: Layout) -> [String] {
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

    /// - Parameter lead: What stands before the first entry on its line, if it shares one with its item.
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

    /// A key with its colon and the blank behind it, or nothing for items.
    private static func head(_ entry: Layout.Entry) -> String {
        entry.key.map { WordSpelling($0, isBracketed: false).line + ": " } ?? ""
    }

    private mutating func print(_ word: Layout.Word, of entry: Layout.Entry, _ start: String, indent: Int) {
        let head = start + Self.head(entry)
        let inner = indent + Self.step
        if let block = WordSpelling.block(word.scalar) {
            finish(head + block.header, entry.behindKey ?? entry.behind)
            let margin = String(repeating: " ", count: inner)
            lines += block.lines.map { $0.isEmpty ? "" : margin + $0 }
            return
        }
        let spelling = WordSpelling(word, isBracketed: false)
        let used = DisplayWidth.of(head)
        let fits = used + DisplayWidth.of(spelling.line) <= Self.width
        let written = fits ? [spelling.line] : spelling.lines(used: used, indent: inner, width: Self.width)
        // Both remarks at once are possible where the value began a line of its own.
        if entry.behind != nil, let remark = entry.behindKey {
            lines.append(String(repeating: " ", count: indent) + remark.text)
        }
        let margin = String(repeating: " ", count: inner)
        let all = [head + written[0]] + written.dropFirst().map { margin + $0 }
        lines += all.dropLast()
        finish(all[all.count - 1], entry.behind ?? entry.behindKey)
    }

    private mutating func print(_ group: Layout.Group, of entry: Layout.Entry, _ start: String, indent: Int) {
        let head = start + Self.head(entry)
        if let line = Self.line(group), entry.behind == nil || entry.behindKey == nil {
            if group.entries.isEmpty || DisplayWidth.of(head) + DisplayWidth.of(line) <= Self.width {
                return finish(head + line, entry.behind ?? entry.behindKey)
            }
        }
        guard !group.entries.isEmpty else {
            print(group.below, indent: indent)
            if let remark = entry.behindKey { print([.comment(remark.text)], indent: indent) }
            return finish(head + (group.isMap ? "{}" : "[]"), entry.behind)
        }
        if let words = Self.words(group) { return fill(words, head, entry, indent: indent) }
        var group = group
        let isBehind = group.isBracketed && entry.behindKey == nil
        if group.isBracketed, !isBehind, let remark = entry.behind { group.below.append(.comment(remark.text)) }
        guard entry.key != nil else {
            if isBehind, let remark = entry.behind { print([.comment(remark.text)], indent: indent) }
            return print(group, indent: indent + Self.step, lead: start)
        }
        finish(head, isBehind ? entry.behind : entry.behindKey)
        print(group, indent: indent + Self.step, lead: nil)
    }

    /// Writes a line with the comment behind it, in its old column if there is room.
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

    /// A group in brackets, or nothing if it was written without or has lines of its own inside.
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

    /// The items of a list in brackets if all are single values.
    private static func words(_ group: Layout.Group) -> [String]? {
        guard !group.isMap, group.isBracketed, !group.hasLines else { return nil }
        let words = group.entries.compactMap { entry in
            if case .word(let word) = entry.value { WordSpelling(word, isBracketed: true).line } else { nil }
        }
        return words.count == group.entries.count ? words : nil
    }

    /// Fills lines with single values between brackets.
    private mutating func fill(_ words: [String], _ head: String, _ entry: Layout.Entry, indent: Int) {
        let margin = String(repeating: " ", count: indent + Self.step)
        finish(head + "[", entry.behindKey)
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
        finish(String(repeating: " ", count: indent) + "]", entry.behind)
    }
}

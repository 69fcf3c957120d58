import TapScenario
import TapWire

/// Sections of Markdown about key tables: one for each table, in the order in which they refer to one another.
struct KeyTableSections {
    private var waiting: [KeyTable]
    private var nouns: Set<String>
    private var sections: [String] = []

    /// The sections of a table and all below it.
    ///
    /// - Parameter elsewhere: What is written in place of a table that another page is about; nothing for the others.
    static func of(_ table: KeyTable, elsewhere: (KeyTable) -> String?) -> [String] {
        var sections = KeyTableSections(waiting: [table], nouns: [table.noun])
        while !sections.waiting.isEmpty {
            let next = sections.waiting.removeFirst()
            sections.sections.append(sections.section(next, elsewhere))
        }
        return sections.sections
    }

    private init(waiting: [KeyTable], nouns: Set<String>) {
        self.waiting = waiting
        self.nouns = nouns
    }

    private mutating func section(_ table: KeyTable, _ elsewhere: (KeyTable) -> String?) -> String {
        var rows: [[String]] = []
        for key in table.keys where key.notYet == nil {
            let name = Markdown.code(key.name) + (key.isRequired ? " (required)" : "")
            rows.append([name, value(key.shape, elsewhere), key.standard.map(Markdown.code) ?? "", key.summary])
        }
        let body =
            rows.isEmpty ? "It has no keys." : Markdown.table(["Key", "Value", "Default", "What it is for"], rows)
        return "### \(Self.heading(of: table))\n\n\(body)\(Self.choices(of: table))"
    }

    private static func choices(of table: KeyTable) -> String {
        let rules = [("exactly", table.exactlyOne), ("at most", table.atMostOne)].filter { $0.1.count > 1 }
        return rules.map { words, names in
            "\n\nIt has \(words) one of \(ListText.choice(names.map(Markdown.code)))."
        }.joined()
    }

    private static func heading(of table: KeyTable) -> String {
        table.noun.prefix(1).uppercased() + table.noun.dropFirst()
    }

    /// What a key holds, in words.
    private mutating func value(_ shape: Shape, _ elsewhere: (KeyTable) -> String?) -> String {
        switch shape {
        case .scalar(let rule): return Self.words(rule)
        case .items(let item, let count): return "a list\(Self.words(count)) of: \(value(item, elsewhere))"
        case .named(let names, let values): return "a map of \(Self.words(names)) to \(value(values, elsewhere))"
        case .table(let table): return reference(to: table(), elsewhere)
        case .variants(let shapes):
            var words: [String] = []
            for shape in shapes { words.append(value(shape, elsewhere)) }
            return words.joined(separator: "; or ")
        case .free: return "anything"
        }
    }

    private mutating func reference(to table: KeyTable, _ elsewhere: (KeyTable) -> String?) -> String {
        if let text = elsewhere(table) { return text }
        if nouns.insert(table.noun).inserted { waiting.append(table) }
        return Markdown.link(table.noun, toHeading: Self.heading(of: table))
    }

    private static func words(_ rule: any ScalarRule) -> String {
        guard let range = rule as? RangeRule, range.bounds.upperBound < Int.max else { return rule.noun }
        return "\(rule.noun), from \(range.bounds.lowerBound) to \(range.bounds.upperBound)"
    }

    private static func words(_ count: ClosedRange<Int>) -> String {
        switch (count.lowerBound, count.upperBound) {
        case (0, Int.max): ""
        case (let least, Int.max): ", at least \(least),"
        case (0, let most): ", at most \(most),"
        case (let least, let most) where least == most: ", \(least),"
        case (let least, let most): ", \(least) to \(most),"
        }
    }
}

import TapWire

/// Writes a tree as JSON: the same tree gives the same bytes, keys in the order of the tree.
///
/// Source: RFC 8259.
public enum JSONWriter {
    /// How the text is laid out.
    public enum Layout: Hashable, Sendable {
        /// One line without blanks, for JSON Lines and machines.
        case compact
        /// One value a line, two blanks a level, for people and files under version control.
        case pretty
    }

    /// The tree as JSON, without a line break at the end.
    public static func text(_ node: Node, _ layout: Layout = .compact) -> String {
        var output = Output(layout: layout)
        output.write(node)
        return output.text
    }

    private struct Output {
        let layout: Layout
        var text = ""
        private var level = 0

        init(layout: Layout) {
            self.layout = layout
        }

        mutating func write(_ node: Node) {
            switch node {
            case .scalar(let scalar):
                write(scalar)
            case .list(let list):
                group("[", list.items, "]") { $0.write($1) }
            case .map(let map):
                group("{", map.entries, "}") { output, entry in
                    output.write(string: entry.key.text)
                    output.text += output.layout == .pretty ? ": " : ":"
                    output.write(entry.value)
                }
            }
        }

        private mutating func group<Item>(
            _ open: String, _ items: [Item], _ close: String, _ writeItem: (inout Output, Item) -> Void
        ) {
            text += open
            level += 1
            for (index, item) in items.enumerated() {
                if index > 0 { text += "," }
                breakLine()
                writeItem(&self, item)
            }
            level -= 1
            if !items.isEmpty { breakLine() }
            text += close
        }

        private mutating func breakLine() {
            guard layout == .pretty else { return }
            text += "\n"
            for _ in 0..<level { text += "  " }
        }

        private mutating func write(_ scalar: Scalar) {
            switch scalar.form {
            case .plain, .quoted, .literal: write(string: scalar.text)
            case .number, .boolean: text += scalar.text
            case .null: text += "null"
            }
        }

        private mutating func write(string: String) {
            text += "\""
            for scalar in string.unicodeScalars {
                switch scalar {
                case "\"": text += "\\\""
                case "\\": text += "\\\\"
                case "\n": text += "\\n"
                case "\r": text += "\\r"
                case "\t": text += "\\t"
                case _ where PrintableText.isHarmful(scalar):
                    for unit in scalar.utf16 { text += "\\u" + Hex.digits(unit, width: 4) }
                default: text.unicodeScalars.append(scalar)
                }
            }
            text += "\""
        }
    }
}

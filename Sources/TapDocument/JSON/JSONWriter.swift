import TapWire

/// A writer for JSON: equal trees give equal bytes, with keys in the order of the tree.
///
/// Source: RFC 8259.
public enum JSONWriter {
    public enum Layout: Hashable, Sendable {
        /// One line without blanks, for JSON Lines and programs.
        case compact
        /// One value per line, with two blanks per level, for people and version control.
        case pretty
    }

    /// The tree as JSON, without a trailing line break.
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
                    output.write(key: entry.key.text)
                    output.write(entry.value)
                }
            }
        }

        private mutating func group<Item>(
            _ open: String, _ items: [Item], _ close: String, _ writeItem: (inout Output, Item) -> Void
        ) {
            self.open(open)
            for (index, item) in items.enumerated() {
                beginItem(isFirst: index == 0)
                writeItem(&self, item)
            }
            self.close(close, isEmpty: items.isEmpty)
        }

        mutating func open(_ bracket: String) {
            text += bracket
            level += 1
        }

        mutating func close(_ bracket: String, isEmpty: Bool) {
            level -= 1
            if !isEmpty { breakLine() }
            text += bracket
        }

        mutating func beginItem(isFirst: Bool) {
            if !isFirst { text += "," }
            breakLine()
        }

        mutating func write(key: String) {
            write(string: key)
            text += layout == .pretty ? ": " : ":"
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

extension JSONWriter {
    /// A map that is written while its values arrive, so that a long map is never kept in memory.
    ///
    /// The text is the same as that of the whole tree.
    public struct Stream {
        /// The number of bytes from which text is sent.
        private static let portion = 1 << 16

        /// The open list or map that takes values.
        private struct Level {
            let end: String
            var isEmpty = true
        }

        private var output: Output
        private var levels = [Level(end: "}")]
        private let send: (String) -> Void

        public init(_ layout: Layout, send: @escaping (String) -> Void) {
            output = Output(layout: layout)
            self.send = send
            output.open("{")
        }

        /// Adds a value to the open list or map; a value of a map has a key.
        public mutating func add(_ node: Node, _ key: String? = nil) {
            beginItem(key)
            output.write(node)
            if output.text.utf8.count >= Self.portion { flush() }
        }

        public mutating func beginMap(_ key: String? = nil) {
            begin("{", "}", key)
        }

        public mutating func beginList(_ key: String? = nil) {
            begin("[", "]", key)
        }

        /// Ends the innermost list or map; the last call ends the whole text, which has then been sent.
        public mutating func end() {
            guard let level = levels.popLast() else { return }
            output.close(level.end, isEmpty: level.isEmpty)
            if levels.isEmpty { flush() }
        }

        private mutating func begin(_ start: String, _ end: String, _ key: String?) {
            beginItem(key)
            output.open(start)
            levels.append(Level(end: end))
        }

        private mutating func beginItem(_ key: String?) {
            guard let last = levels.indices.last else { return }
            output.beginItem(isFirst: levels[last].isEmpty)
            levels[last].isEmpty = false
            if let key { output.write(key: key) }
        }

        /// Sends what has been written so far.
        package mutating func flush() {
            send(output.text)
            output.text = ""
        }
    }
}

/// A document ready to be written: the tree with its comments, blank lines and brackets.
package struct Layout: Sendable {
    /// A line that does not belong to a value.
    enum Line: Hashable, Sendable {
        case blank
        case comment(String)
    }

    /// A comment at the end of a line.
    package struct Remark: Hashable, Sendable {
        /// The comment, starting with its `#`.
        let text: String
        /// The original column, counted from 1, which keeps comments aligned.
        let column: Int
    }

    /// A scalar and the way it is parsed.
    package struct Word: Sendable {
        enum Reading: Sendable {
            case key
            case ownKey
            /// Not parsed, or parsed depending on its spelling.
            case free
            case rule(any ScalarRule)
        }

        package let scalar: Scalar
        let reading: Reading
    }

    package indirect enum Value: Sendable {
        case word(Word)
        case group(Group)
    }

    package struct Entry: Sendable {
        var above: [Line] = []
        /// The key, or `nil` for items.
        package let key: Word?
        /// The comment between the key and the value.
        package var afterKey: Remark?
        package var value: Value
        package var trailing: Remark?
    }

    package struct Group: Sendable {
        let isMap: Bool
        /// A Boolean value that indicates whether it was written in brackets or inside brackets.
        package let isBracketed: Bool
        var entries: [Entry]
        /// The lines under the last entry that belong to the group.
        var below: [Line] = []

        /// A Boolean value that indicates whether it contains comments or blank lines and therefore cannot be a single line.
        var hasLines: Bool {
            !below.isEmpty || entries.contains { $0.hasLines }
        }
    }

    var root: Value
}

extension Layout.Entry {
    fileprivate var hasLines: Bool {
        guard above.isEmpty, afterKey == nil, trailing == nil else { return true }
        guard case .group(let group) = value else { return false }
        return group.hasLines
    }
}

extension Layout.Group {
    /// Removes and returns the lines above the first entry, including those of nested groups.
    ///
    /// A list item shares its line with its first entry, so lines above the entry belong above the item.
    mutating func takeFirstLines() -> [Layout.Line] {
        guard !entries.isEmpty else { return [] }
        var lines = entries[0].above
        entries[0].above = []
        if !isMap, case .group(var first) = entries[0].value {
            lines += first.takeFirstLines()
            entries[0].value = .group(first)
        }
        return lines
    }
}

/// Combines a tree with the comments and blank lines of its file, and sorts keys in table order.
struct LayoutBuilder {
    private let file: SourceFile
    private var remarks: SourceRemarks

    init(_ file: SourceFile, root: Node) {
        self.file = file
        remarks = SourceRemarks(of: file, around: root)
    }

    mutating func layout(of root: Node, _ shape: Shape) -> Layout {
        let end = file.scalars.count + 1
        var value = value(of: root, shape, isBracketed: false, end: end)
        // The remaining lines follow the end of the document.
        let rest = remarks.lines(before: end)
        if case .group(var group) = value {
            group.below += rest
            value = .group(group)
        }
        return Layout(root: value)
    }

    /// - Parameters:
    ///   - isBracketed: A Boolean value that indicates whether the node is in brackets.
    ///   - end: The offset of the next value.
    private mutating func value(of node: Node, _ shape: Shape, isBracketed: Bool, end: Int) -> Layout.Value {
        let shape = shape.variant(for: node.kind) ?? .free
        switch node {
        case .scalar(let scalar):
            if case .scalar(let rule) = shape { return .word(.init(scalar: scalar, reading: .rule(rule))) }
            return .word(.init(scalar: scalar, reading: .free))
        case .list(let list):
            return .group(self.list(list, shape, isBracketed: isBracketed, end: end))
        case .map(let map):
            return .group(self.map(map, shape, isBracketed: isBracketed, end: end))
        }
    }

    private mutating func list(_ list: NodeList, _ shape: Shape, isBracketed: Bool, end: Int) -> Layout.Group {
        let isBracketed = isBracketed || self.isBracketed(list.range)
        var group = Layout.Group(isMap: false, isBracketed: isBracketed, entries: [])
        var item = Shape.free
        if case .items(let inner, _) = shape { item = inner }
        for (index, node) in list.items.enumerated() {
            let next = index + 1 < list.items.count ? Self.start(of: list.items[index + 1]) : end
            group.entries.append(entry(nil, node, item, isBracketed: isBracketed, end: next))
        }
        group.below = below(list.range, isBracketed: self.isBracketed(list.range), end: end)
        return group
    }

    private mutating func map(_ map: NodeMap, _ shape: Shape, isBracketed: Bool, end: Int) -> Layout.Group {
        let hasBraces = self.isBracketed(map.range)
        var group = Layout.Group(isMap: true, isBracketed: isBracketed || hasBraces, entries: [])
        var places: [(key: Int, isOwn: Int)] = []
        for (index, entry) in map.entries.enumerated() {
            let next = index + 1 < map.entries.count ? map.entries[index + 1].key.range?.offset ?? end : end
            let (key, value, place) = Self.reading(of: entry.key, shape)
            group.entries.append(
                self.entry(key, entry.value, value, isBracketed: group.isBracketed, end: next))
            // A custom key stays after the key it follows.
            places.append(place.map { ($0, 0) } ?? (places.last?.key ?? 0, 1))
        }
        group.below = below(map.range, isBracketed: hasBraces, end: end)
        let order = places.indices.sorted {
            (places[$0].key, places[$0].isOwn, $0) < (places[$1].key, places[$1].isOwn, $1)
        }
        // Lines above the first entry concern the whole map.
        let first = group.entries.isEmpty ? [] : group.entries[0].above
        if !first.isEmpty { group.entries[0].above = [] }
        group.entries = order.map { group.entries[$0] }
        if !first.isEmpty { group.entries[0].above = first + group.entries[0].above }
        return group
    }

    /// The way a key and its value are parsed, and the position of the key in its table, if it has one.
    private static func reading(of key: Scalar, _ shape: Shape) -> (key: Layout.Word, value: Shape, place: Int?) {
        switch shape {
        case .table(let table):
            let table = table()
            guard let place = table.keys.firstIndex(where: { $0.name == key.text }) else {
                return (Layout.Word(scalar: key, reading: .ownKey), .free, nil)
            }
            return (Layout.Word(scalar: key, reading: .key), table.keys[place].shape, place)
        case .named(let names, let values) where !key.text.hasPrefix(KeyTable.freePrefix):
            return (Layout.Word(scalar: key, reading: .rule(names)), values, 0)
        default:
            return (Layout.Word(scalar: key, reading: .ownKey), .free, 0)
        }
    }

    private mutating func entry(
        _ key: Layout.Word?, _ node: Node, _ shape: Shape, isBracketed: Bool, end: Int
    ) -> Layout.Entry {
        let start = Self.start(of: node)
        var entry = Layout.Entry(
            above: remarks.lines(before: key?.scalar.range?.offset ?? start), key: key, value: .group(Self.nothing))
        if let key = key?.scalar.range {
            entry.afterKey = remarks.remark(onLine: file.line(at: max(0, key.end - 1)), before: Self.inside(node))
        } else if case .scalar(let scalar) = node, scalar.form == .literal {
            entry.afterKey = remarks.remark(onLine: file.line(at: start), before: Self.inside(node))
        }
        entry.value = value(of: node, shape, isBracketed: isBracketed, end: end)
        if let range = node.range { entry.trailing = remarks.remark(after: range.end) }
        if key == nil, case .group(var group) = entry.value {
            entry.above += group.takeFirstLines()
            entry.value = .group(group)
        }
        return entry
    }

    private static let nothing = Layout.Group(isMap: true, isBracketed: true, entries: [])

    /// The lines under the last entry: up to the closing bracket, or as long as they are indented as far as the entries.
    private mutating func below(_ range: SourceRange?, isBracketed: Bool, end: Int) -> [Layout.Line] {
        guard let range else { return [] }
        if isBracketed { return remarks.lines(before: range.end - 1) }
        return remarks.lines(fromColumn: range.column, before: end)
    }

    /// Returns whether a map or list is bracketed; those built by a program are bracketed if they fit on a line.
    private func isBracketed(_ range: SourceRange?) -> Bool {
        guard let range else { return true }
        guard file.scalars.indices.contains(range.offset) else { return false }
        return file.scalars[range.offset] == "{" || file.scalars[range.offset] == "["
    }

    private static func start(of node: Node) -> Int { node.range?.offset ?? 0 }

    /// The offset of the first part inside a value; for a block of text, the end of its header.
    private static func inside(_ node: Node) -> Int {
        switch node {
        case .scalar(let scalar) where scalar.form == .literal: scalar.range?.end ?? 0
        case .scalar: start(of: node)
        case .list(let list): list.items.first.map(start) ?? list.range?.end ?? 0
        case .map(let map): map.entries.first?.key.range?.offset ?? map.range?.end ?? 0
        }
    }
}

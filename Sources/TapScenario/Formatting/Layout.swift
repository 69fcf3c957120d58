/// A document as it is written: the tree with its comments, blank lines and brackets.
struct Layout: Sendable {
    /// A line of its own that belongs to no value.
    enum Line: Hashable, Sendable {
        case blank
        /// A comment from its `#` on.
        case comment(String)
    }

    /// A comment behind something on the same line.
    struct Remark: Hashable, Sendable {
        /// The comment from its `#` on.
        let text: String
        /// The column it stood in, from 1; comments below one another stay so.
        let column: Int
    }

    /// A scalar and how it is read.
    struct Word: Sendable {
        enum Reading: Sendable {
            /// A key of a table.
            case key
            /// A key of somebody's own.
            case ownKey
            /// Nobody reads it, or how it is read depends on how it is written.
            case free
            case rule(any ScalarRule)
        }

        let scalar: Scalar
        let reading: Reading
    }

    indirect enum Value: Sendable {
        case word(Word)
        case group(Group)
    }

    /// An entry of a map, or an item of a list.
    struct Entry: Sendable {
        /// What stands above it.
        var above: [Line] = []
        /// The key; nothing for items.
        let key: Word?
        /// What stands behind the key, before the value begins.
        var behindKey: Remark?
        var value: Value
        /// What stands behind the end of the value.
        var behind: Remark?
    }

    /// A map or a list.
    struct Group: Sendable {
        let isMap: Bool
        /// Whether it was written in brackets, or inside of some.
        let isBracketed: Bool
        var entries: [Entry]
        /// What stands below the last entry and still belongs to the group.
        var below: [Line] = []

        /// Whether comments or blank lines stand inside, so that it cannot be one line.
        var hasLines: Bool {
            !below.isEmpty || entries.contains { $0.hasLines }
        }
    }

    var root: Value
}

extension Layout.Entry {
    fileprivate var hasLines: Bool {
        guard above.isEmpty, behindKey == nil, behind == nil else { return true }
        guard case .group(let group) = value else { return false }
        return group.hasLines
    }
}

extension Layout.Group {
    /// Takes away what stands above the first entry and above the first of that.
    ///
    /// An item shares its line with its first entry, so what stands above that stands above the item.
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

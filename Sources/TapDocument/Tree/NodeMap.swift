/// The named values of a map, in the order of the file.
public struct NodeMap: Sendable {
    public struct Entry: Hashable, Sendable {
        /// The key, with its own location.
        public let key: Scalar
        public let value: Node

        public init(_ key: Scalar, _ value: Node) {
            self.key = key
            self.value = value
        }
    }

    /// The entries, with unique keys.
    public let entries: [Entry]
    /// The range of the map: including its braces, or from its first key to the end of its last value.
    public let range: SourceRange?
    /// The location of the map that this one extends, if it is in another file.
    package let under: SourceRange?
    private let indices: [String: Int]

    /// Creates a map; of entries with the same key, the first counts.
    public init(_ entries: [Entry], range: SourceRange? = nil) {
        self.init(entries, range: range, under: nil)
    }

    package init(_ entries: [Entry], range: SourceRange?, under: SourceRange?) {
        var kept: [Entry] = []
        var indices: [String: Int] = [:]
        for entry in entries where indices[entry.key.text] == nil {
            indices[entry.key.text] = kept.count
            kept.append(entry)
        }
        self.entries = kept
        self.indices = indices
        self.range = range
        self.under = under
    }

    package func removing(_ keys: [String]) -> NodeMap {
        NodeMap(entries.filter { !keys.contains($0.key.text) }, range: range, under: under)
    }

    /// The map with an entry that replaces the one with the same key, or follows all others.
    package func setting(_ entry: Entry) -> NodeMap {
        var entries = entries
        if let index = indices[entry.key.text] { entries[index] = entry } else { entries.append(entry) }
        return NodeMap(entries, range: range, under: under)
    }

    public func entry(_ key: String) -> Entry? {
        indices[key].map { entries[$0] }
    }

    public subscript(key: String) -> Node? {
        entry(key)?.value
    }
}

extension NodeMap: Hashable {
    /// Returns whether both have the same entries in the same order.
    public static func == (left: NodeMap, right: NodeMap) -> Bool {
        left.entries == right.entries
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(entries)
    }
}

public struct NodeList: Sendable {
    public let items: [Node]
    /// The range of the list: including its brackets, or from its first dash to the end of its last item.
    public let range: SourceRange?

    public init(_ items: [Node], range: SourceRange? = nil) {
        self.items = items
        self.range = range
    }
}

extension NodeList: Hashable {
    public static func == (left: NodeList, right: NodeList) -> Bool {
        left.items == right.items
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(items)
    }
}

extension NodeMap {
    /// Collects the entries of a map while it is read, and detects duplicate keys.
    public struct Builder {
        private var entries: [Entry] = []
        private var keys: [String: Scalar] = [:]

        public init() {}

        /// The range of the last value, where a map without a closing bracket ends.
        public var lastRange: SourceRange? { entries.last?.value.range }

        /// Adds an entry, or only its key if the value was rejected.
        ///
        /// - Returns: The error about a duplicate key, whose entry is omitted.
        public mutating func append(_ key: Scalar, _ value: Node?) -> Diagnostic? {
            if let first = keys[key.text] {
                let related = first.range.map { [Diagnostic.Related("the first one is here", at: $0)] } ?? []
                return Diagnostic(
                    .duplicateKey, "duplicate key `\(key.text)`", at: Diagnostic.Place(key.range),
                    hint: "remove one of the two", related: related)
            }
            keys[key.text] = key
            if let value { entries.append(Entry(key, value)) }
            return nil
        }

        public func map(at range: SourceRange) -> NodeMap {
            NodeMap(entries, range: range)
        }
    }
}

extension NodeMap {
    /// Collects the entries of a map while it is read, and finds keys written twice.
    public struct Builder {
        private var entries: [Entry] = []
        private var keys: [String: Scalar] = [:]

        public init() {}

        /// The end of the last value, where a map without a closing bracket ends.
        public var lastRange: SourceRange? { entries.last?.value.range }

        /// Adds an entry, or only remembers its key where the value was refused.
        ///
        /// - Returns: The error about a key that is there already; its entry is left out.
        public mutating func append(_ key: Scalar, _ value: Node?) -> Diagnostic? {
            if let first = keys[key.text] {
                let related = first.range.map { [Diagnostic.Related("first written here", at: $0)] } ?? []
                return Diagnostic(
                    .duplicateKey, "`\(key.text)` is written twice", at: Diagnostic.Place(key.range),
                    hint: "remove one of the two", related: related)
            }
            keys[key.text] = key
            if let value { entries.append(Entry(key, value)) }
            return nil
        }

        /// The map of all entries.
        public func map(at range: SourceRange) -> NodeMap {
            NodeMap(entries, range: range)
        }
    }
}

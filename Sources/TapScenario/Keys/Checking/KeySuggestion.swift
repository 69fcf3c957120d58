/// The key somebody meant by a name that the table does not have.
struct KeySuggestion {
    /// The key of the table, or nothing if none is near or it lies in a map below.
    let key: String?
    /// The suggestion as the end of a sentence; empty if there is none.
    let question: String

    init(for name: String, in table: KeyTable) {
        if let key = table.key(meantBy: name) {
            self.init(key: key.name, "`\(key.name)`")
        } else if let (outer, inner) = Self.below(name, table) {
            self.init(key: nil, "`\(inner)` under `\(outer)`")
        } else if let key = table.key(near: name) {
            self.init(key: key.name, "`\(key.name)`")
        } else {
            self.init(key: nil, nil)
        }
    }

    private init(key: String?, _ meant: String?) {
        self.key = key
        question = Spelling.question(meant)
    }

    /// A key of that name in a map that the table has a key for.
    private static func below(_ name: String, _ table: KeyTable) -> (outer: String, inner: String)? {
        for key in table.keys where key.notYet == nil {
            guard case .table(let below)? = key.shape.variant(for: .map) else { continue }
            if let inner = below().key(name) ?? below().key(meantBy: name) { return (key.name, inner.name) }
        }
        return nil
    }
}

extension KeyTable {
    /// The key that has the name as a synonym.
    fileprivate func key(meantBy name: String) -> Key? {
        keys.first { $0.notYet == nil && $0.synonyms.contains(name) }
    }

    /// The key whose name or synonym is nearest.
    fileprivate func key(near name: String) -> Key? {
        let candidates = keys.filter { $0.notYet == nil }.flatMap { [$0.name] + $0.synonyms }
        return Spelling.closest(to: name, among: candidates).flatMap { key($0) ?? key(meantBy: $0) }
    }
}

/// What `extends` makes of two files: maps are merged, everything else is replaced.
enum Inheritance {
    /// Keys that a file takes from the one it extends; what it expects, its faults and its cases are its own.
    static let keys = ["params", "settings", "cards", "reader", "readers", "client", "taps", "timeline", "phone"]
    /// Keys that say the same in another way, so that one of them replaces the other.
    private static let alternatives = [["reader", "readers"]]

    /// A file over the one it extends.
    static func scenario(_ file: NodeMap, over parent: NodeMap) -> NodeMap {
        let table = ScenarioLanguage.table
        let replaced = alternatives.filter { keys in keys.contains { file[$0] != nil } }.joined()
        var whole = file
        for key in keys {
            guard let inherited = parent.entry(key) else { continue }
            if let own = file.entry(key) {
                let value = merge(own.value, over: inherited.value, table.key(key)?.shape ?? .free)
                whole = whole.setting(NodeMap.Entry(own.key, value))
            } else if !replaced.contains(key) {
                whole = whole.setting(inherited)
            }
        }
        return whole
    }

    /// A value over another at the place of a shape.
    private static func merge(_ own: Node, over inherited: Node, _ shape: Shape) -> Node {
        guard case .map(let map) = own, case .map(let parent) = inherited else { return own }
        switch shape.variant(for: .map) {
        case .table(let table):
            let table = table()
            return isAnotherChoice(map, parent, table)
                ? own : .map(merge(map, over: parent) { table.key($0)?.shape ?? .free })
        case .named(_, let values): return .map(merge(map, over: parent) { _ in values })
        default: return own
        }
    }

    /// The entries of a parent in its order, changed by those of a map, then the others of the map.
    private static func merge(_ map: NodeMap, over parent: NodeMap, _ shape: (String) -> Shape) -> NodeMap {
        var entries = parent.entries.map { inherited -> NodeMap.Entry in
            guard let own = map.entry(inherited.key.text) else { return inherited }
            return NodeMap.Entry(own.key, merge(own.value, over: inherited.value, shape(own.key.text)))
        }
        entries += map.entries.filter { parent[$0.key.text] == nil }
        return NodeMap(entries, range: map.range, under: Node.map(parent).head)
    }

    /// Whether a map makes another of several choices than its parent: another thing, to which nothing of the parent
    /// belongs, as a client that is a program where the parent's is built in.
    private static func isAnotherChoice(_ map: NodeMap, _ parent: NodeMap, _ table: KeyTable) -> Bool {
        let choice = { (map: NodeMap) in map.entries.first { table.exactlyOne.contains($0.key.text) }?.key.text }
        guard let own = choice(map), let inherited = choice(parent) else { return false }
        return own != inherited
    }
}

/// Values of a result that a scenario can expect, by their pointers.
enum ResultDraft {
    /// Items of a list that are stated one by one; its length tells of the others.
    private static let statedItems = 2

    /// The values that several results have in common, in the order of the first.
    ///
    /// - Parameter isBrief: Whether of lists only the length is taken.
    static func entries(of results: [Node], isBrief: Bool) -> [(key: String, value: Node)] {
        guard let first = results.first else { return [] }
        let all = results.map { entries(of: $0, at: "", isBrief: isBrief) }
        return all[0].filter { entry in
            first.kind != .scalar && all.allSatisfy { $0.contains { $0.key == entry.key && $0.value == entry.value } }
        }
    }

    private static func entries(of node: Node, at path: String, isBrief: Bool) -> [(key: String, value: Node)] {
        switch node {
        case .scalar:
            return [(path, node)]
        case .list(let list):
            let items = isBrief ? [] : Array(list.items.prefix(statedItems).enumerated())
            return [("\(path)/length", .number(list.items.count))]
                + items.flatMap { entries(of: $0.element, at: "\(path)/\($0.offset)", isBrief: isBrief) }
        case .map(let map):
            return map.entries.flatMap { entry in
                let name = entry.key.text.replacing("~", with: "~0").replacing("/", with: "~1")
                return entries(of: entry.value, at: "\(path)/\(name)", isBrief: isBrief)
            }
        }
    }
}

/// What a file says about one case: the file with that case alone, its parameters filled in.
struct CaseDocument {
    /// Number of the case, from 1.
    let number: Int
    /// The file; under `cases` it has this case alone, or nothing.
    let root: Node
    /// Where the case stands.
    let range: SourceRange?

    /// One document for each case of a file, or one in all if it has none.
    ///
    /// - Returns: The documents, or nothing if `cases` is not a list of maps, which is reported.
    static func all(of root: NodeMap, into diagnostics: inout Diagnostics) -> [CaseDocument]? {
        var parameters = Parameters()
        if case .map(let map)? = root["params"] { parameters.define(map) }
        guard let cases = root["cases"], case .list(let list) = cases else {
            return [CaseDocument(1, root, nil, parameters, &diagnostics)]
        }
        let shape = Shape.list(of: .free, count: 1...ScenarioLanguage.maximumCases)
        guard shape.read(cases, as: "`cases`", into: &diagnostics) != nil else { return nil }
        var documents: [CaseDocument] = []
        for (index, item) in list.items.enumerated() {
            guard case .map(let map) = item else {
                diagnostics.report(
                    Diagnostic(
                        .wrongKind, "item \(index + 1) of `cases` is \(item.kind.noun)", at: item,
                        hint: "a case (a map) needed; its entries are `key: value`"))
                continue
            }
            var own = parameters
            if case .map(let values)? = map["params"] { own.define(values) }
            documents.append(CaseDocument(index + 1, root, map, own, &diagnostics))
        }
        return documents.count == list.items.count ? documents : nil
    }

    private init(
        _ number: Int, _ root: NodeMap, _ item: NodeMap?, _ parameters: Parameters, _ diagnostics: inout Diagnostics
    ) {
        self.number = number
        range = item?.range
        var entries: [NodeMap.Entry] = []
        for entry in root.entries {
            if entry.key.text == "cases", let item {
                let filled = Node.map(Self.fill(item, parameters, &diagnostics))
                entries.append(NodeMap.Entry(entry.key, .list(NodeList([filled], range: entry.value.range))))
            } else {
                entries.append(Self.fill(entry, parameters, &diagnostics))
            }
        }
        self.root = .map(NodeMap(entries, range: root.range))
    }

    private static func fill(
        _ map: NodeMap, _ parameters: Parameters, _ diagnostics: inout Diagnostics
    ) -> NodeMap {
        NodeMap(map.entries.map { fill($0, parameters, &diagnostics) }, range: map.range)
    }

    /// Parameters have their values where they are defined, so nothing is filled in there.
    private static func fill(
        _ entry: NodeMap.Entry, _ parameters: Parameters, _ diagnostics: inout Diagnostics
    ) -> NodeMap.Entry {
        guard entry.key.text != "params" else { return entry }
        return NodeMap.Entry(entry.key, parameters.fill(entry.value, into: &diagnostics))
    }
}

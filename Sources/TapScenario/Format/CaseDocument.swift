/// What a file says about one case: the file with that case alone, its parameters filled in.
struct CaseDocument {
    /// Number of the case, from 1.
    let number: Int
    /// The file; of a list of `cases` it has this case alone, or nothing.
    let root: Node
    /// Where the case stands.
    let range: SourceRange?

    /// One document for each case of a file, or one in all if it has none that could be told apart.
    ///
    /// Cases that are no maps, too many or none are reported; the rest of the file is checked all the same.
    ///
    /// - Parameter overriding: Values of parameters in place of those of the file and its cases.
    static func all(
        of root: NodeMap, overriding: NodeMap? = nil, into diagnostics: inout Diagnostics
    ) -> [CaseDocument] {
        var parameters = Parameters()
        if case .map(let map)? = root["params"] { parameters.define(map) }
        let shared = ParameterUse.names(in: root.removing(["cases"]))
        var documents: [CaseDocument] = []
        let filled = { (number: Int, item: NodeMap?, values: Parameters, diagnostics: inout Diagnostics) in
            var values = values
            if let overriding { values.define(overriding) }
            let names = shared + (item.map(ParameterUse.names) ?? [])
            guard ParameterUse.fits(names, values, in: root, into: &diagnostics) else { return }
            documents.append(CaseDocument(number, root, item, values, &diagnostics))
        }
        for (index, item) in cases(of: root, into: &diagnostics).enumerated() {
            guard case .map(let map) = item else {
                diagnostics.report(
                    Diagnostic(
                        .wrongKind, "item \(index + 1) of `cases` is \(item.kind.noun)", at: item,
                        hint: "a case (a map) needed; its entries are `key: value`"))
                continue
            }
            var own = parameters
            if case .map(let values)? = map["params"] { own.define(values) }
            filled(index + 1, map, own, &diagnostics)
        }
        if documents.isEmpty { filled(1, nil, parameters, &diagnostics) }
        return documents
    }

    /// The items of `cases`; none if it is no list, which the check of the whole tells.
    private static func cases(of root: NodeMap, into diagnostics: inout Diagnostics) -> [Node] {
        guard let cases = root["cases"], cases.kind == .list else { return [] }
        let shape = Shape.list(of: .free, count: 1...ScenarioLanguage.maximumCases)
        return shape.read(cases, as: "`cases`", into: &diagnostics) == nil ? [] : cases.items
    }

    private init(
        _ number: Int, _ root: NodeMap, _ item: NodeMap?, _ parameters: Parameters, _ diagnostics: inout Diagnostics
    ) {
        self.number = number
        range = item?.range
        var entries: [NodeMap.Entry] = []
        for entry in root.entries {
            if entry.key.text == "cases", entry.value.kind == .list {
                guard let item else { continue }
                let filled = Node.map(Self.fill(item, parameters, &diagnostics))
                entries.append(NodeMap.Entry(entry.key, .list(NodeList([filled], range: entry.value.range))))
            } else {
                entries.append(Self.fill(entry, parameters, &diagnostics))
            }
        }
        self.root = .map(NodeMap(entries, range: root.range, under: root.under))
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
        entry.key.text == "params" ? entry : parameters.fill(entry, into: &diagnostics)
    }
}

/// What `include` makes of two files: the named things of one are added to the other.
enum Inclusion {
    /// Keys whose entries are added, with what one of them is.
    private static let named = [(key: "cards", noun: "card"), (key: "readers", noun: "reader")]

    /// A file with the cards, readers and faults of another behind its own, and its parameters where it has none of
    /// that name.
    ///
    /// - Parameters:
    ///   - file: The file that is included.
    ///   - whole: The file that includes it, with what it has included so far.
    ///   - diagnostics: Told of names that both have.
    static func adding(_ file: NodeMap, to whole: NodeMap, into diagnostics: inout Diagnostics) -> NodeMap {
        var whole = whole
        for (key, noun) in named {
            guard let added = file.entry(key) else { continue }
            let value = adding(added.value, to: whole[key], noun, &diagnostics)
            whole = whole.setting(NodeMap.Entry(whole.entry(key)?.key ?? added.key, value))
        }
        if let added = file.entry("faults") {
            let value = adding(faults: added.value, to: whole["faults"], &diagnostics)
            whole = whole.setting(NodeMap.Entry(whole.entry("faults")?.key ?? added.key, value))
        }
        if let added = file.entry("params") {
            let value = defining(added.value, under: whole["params"], of: whole.range?.file, &diagnostics)
            whole = whole.setting(NodeMap.Entry(whole.entry("params")?.key ?? added.key, value))
        }
        return whole
    }

    private static func adding(
        _ added: Node, to own: Node?, _ noun: String, _ diagnostics: inout Diagnostics
    ) -> Node {
        guard let own else { return added }
        // What is no map is told by the check of the whole.
        guard case .map(let map) = own, case .map(let other) = added else { return own.kind == .map ? added : own }
        var entries = map.entries
        for entry in other.entries where !entry.key.text.hasPrefix(KeyTable.freePrefix) {
            if let first = map.entry(entry.key.text) {
                report("two \(noun)s are called `\(entry.key.text)`", first.key.range, entry.key.range, &diagnostics)
            } else {
                entries.append(entry)
            }
        }
        return .map(NodeMap(entries, range: map.range, under: map.under))
    }

    private static func adding(faults added: Node, to own: Node?, _ diagnostics: inout Diagnostics) -> Node {
        guard let own else { return added }
        guard case .list(let list) = own, case .list(let other) = added else { return own.kind == .list ? added : own }
        for item in other.items {
            guard let id = item["id"], let text = id.text,
                let first = list.items.first(where: { $0["id"]?.text == text })
            else { continue }
            report("two faults are called `\(text)`", first["id"]?.range, id.range, &diagnostics)
        }
        return .list(NodeList(list.items + other.items, range: list.range))
    }

    /// Parameters of an included file are what its values are without others; two that both bring one do not agree.
    private static func defining(
        _ added: Node, under own: Node?, of file: SourceFile?, _ diagnostics: inout Diagnostics
    ) -> Node {
        guard let own else { return added }
        guard case .map(let map) = own, case .map(let other) = added else { return own.kind == .map ? added : own }
        var entries = map.entries
        for entry in other.entries where !entry.key.text.hasPrefix(KeyTable.freePrefix) {
            guard let first = map.entry(entry.key.text) else {
                entries.append(entry)
                continue
            }
            let isOwn = first.key.range?.file == file
            guard !isOwn, first.value != entry.value else { continue }
            report("two files define `\(entry.key.text)`", first.key.range, entry.key.range, &diagnostics)
        }
        return .map(NodeMap(entries, range: map.range, under: map.under))
    }

    private static func report(
        _ message: String, _ first: SourceRange?, _ second: SourceRange?, _ diagnostics: inout Diagnostics
    ) {
        let related = first.map { [Diagnostic.Related("the other one", at: $0)] } ?? []
        diagnostics.report(
            Diagnostic(
                .nameTaken, message, at: Diagnostic.Place(second), hint: "give one of the two another name",
                related: related))
    }
}

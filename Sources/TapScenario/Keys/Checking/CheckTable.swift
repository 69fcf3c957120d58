extension Checker {
    /// Checks the keys of a map and their values.
    mutating func check(_ map: NodeMap, _ table: KeyTable) {
        var present: Set<String> = []
        for entry in map.entries where !entry.key.text.hasPrefix(KeyTable.freePrefix) {
            guard let key = table.key(entry.key.text) else {
                let name = LookAlike.plain(entry.key.text) ?? entry.key.text
                let suggestion = KeySuggestion(for: name, in: table)
                if let meant = suggestion.key { present.insert(meant) }
                report(unknown: entry.key, suggestion, table)
                continue
            }
            present.insert(key.name)
            if let reason = key.notYet {
                report(Diagnostic(.notYet, "`\(key.name)` is not supported yet", at: entry.key, hint: reason))
            } else {
                check(entry.value, key.shape, "`\(key.name)`")
            }
        }
        for key in table.keys where key.isRequired && !present.contains(key.name) {
            report(
                Diagnostic(
                    .missingKey, "`\(key.name)` is missing", at: .map(map),
                    hint: "\(table.noun) needs `\(key.name)`"))
        }
        checkChoice(table.exactlyOne, needsOne: true, map, present, table)
        checkChoice(table.atMostOne, needsOne: false, map, present, table)
    }

    private mutating func report(unknown key: Scalar, _ suggestion: KeySuggestion, _ table: KeyTable) {
        let names = table.keys.filter { $0.notYet == nil }.map(\.name).joined(separator: ", ")
        let advice = LookAlike.advice(on: key.text).map { "\($0); " } ?? ""
        let isOn = key.text == "on" ? "other YAML readers take `on` for true, so no key is called that; " : ""
        report(
            Diagnostic(
                .unknownKey, "unknown key `\(key.text)`", at: key,
                hint: "\(isOn)\(advice)\(table.noun) has \(names)\(suggestion.question)"))
    }

    /// - Parameter present: Names of the keys that are there or that a misspelt key was meant to be.
    private mutating func checkChoice(
        _ names: [String], needsOne: Bool, _ map: NodeMap, _ present: Set<String>, _ table: KeyTable
    ) {
        guard !names.isEmpty else { return }
        let rule = "\(table.noun) has \(needsOne ? "exactly" : "at most") one of \(names.joined(separator: ", "))"
        let keys = map.entries.map(\.key).filter { names.contains($0.text) }
        if needsOne, !names.contains(where: present.contains) {
            report(
                Diagnostic(
                    .oneKeyOf, "a key is missing", at: .map(map), hint: rule))
        }
        guard let first = keys.first else { return }
        for key in keys.dropFirst() {
            let related = first.range.map { [Diagnostic.Related("it is here", at: $0)] } ?? []
            report(
                Diagnostic(
                    .oneKeyOf, "`\(key.text)` cannot stand beside `\(first.text)`", at: Diagnostic.Place(key.range),
                    hint: rule, related: related))
        }
    }
}

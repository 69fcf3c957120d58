import TapWire

extension Shape {
    /// Checks a node and everything under it, and reports every error in the order of the file.
    ///
    /// - Parameter subject: The name of the node in errors.
    /// - Returns: The value, ready for decoding, or `nil` if this check reported an error. Warnings and earlier errors do not
    ///   count.
    public func read(
        _ node: Node, as subject: String = "the document", into diagnostics: inout Diagnostics
    ) -> ValueReader? {
        var checker = Checker(diagnostics)
        checker.check(node, self, subject)
        diagnostics = checker.diagnostics
        return checker.isClean ? ValueReader(node, self) : nil
    }
}

/// A walk through a tree and its shape that reports mismatches.
struct Checker {
    private(set) var diagnostics: Diagnostics
    private(set) var isClean = true

    init(_ diagnostics: Diagnostics) {
        self.diagnostics = diagnostics
    }

    mutating func report(_ diagnostic: Diagnostic) {
        diagnostics.report(diagnostic)
        if diagnostic.severity == .error { isClean = false }
    }

    mutating func check(_ node: Node, _ shape: Shape, _ subject: String) {
        if case .free = shape { return }
        if case .scalar(let scalar) = node {
            if scalar.definition?.isFound == false { return isClean = false }
            if scalar.isNothing { return reportNothing(at: scalar, shape, subject) }
        }
        guard let variant = shape.variant(for: node.kind) else { return reportKind(of: node, shape, subject) }
        switch (variant, node) {
        case (.scalar(let rule), .scalar(let scalar)):
            check(scalar, rule, subject)
        case (.items(let item, let count), .list(let list)):
            check(list, item, count, subject)
        case (.table(let table), .map(let map)):
            check(map, table())
        case (.named(let names, let values), .map(let map)):
            for entry in map.entries where !entry.key.text.hasPrefix(KeyTable.freePrefix) {
                let subject = entry.key.text.isEmpty ? "an empty key" : "`\(entry.key.text)`"
                check(entry.key, names, subject)
                check(entry.value, values, subject)
            }
        default:
            break
        }
    }

    private mutating func check(_ list: NodeList, _ item: Shape, _ count: ClosedRange<Int>, _ subject: String) {
        if !count.contains(list.items.count) {
            let items = CountText.of(list.items.count, "item")
            report(
                Diagnostic(
                    .wrongCount, "\(subject) has \(items)", at: .list(list),
                    hint: "expected \(IntegerRule.need(count))"))
        }
        for (index, node) in list.items.enumerated() { check(node, item, "item \(index + 1) of \(subject)") }
    }

    private mutating func reportNothing(at scalar: Scalar, _ shape: Shape, _ subject: String) {
        let empty: String
        switch shape {
        case .items: empty = ", [] for an empty list"
        case .table, .named: empty = ", {} for an empty map"
        default: empty = ""
        }
        report(
            Diagnostic(
                .nothingWritten, "\(subject) has no value", at: scalar, hint: "expected \(shape.noun)\(empty)"))
    }

    private mutating func reportKind(of node: Node, _ shape: Shape, _ subject: String) {
        if let meant = shape.meant(by: node) {
            return report(
                Diagnostic(.wrongKind, "\(subject) is \(node.kind.noun)", at: node, hint: "write \(meant)"))
        }
        let need: String
        switch shape {
        case .table(let table): need = "\(table().noun): a map of `key: value` entries"
        case .named: need = "\(shape.noun): `name: value` entries"
        case .items: need = "\(shape.noun); start items with `- `, or put them in brackets"
        default: need = shape.noun
        }
        report(Diagnostic(.wrongKind, "\(subject) is \(node.kind.noun)", at: node, hint: "expected \(need)"))
    }
}

extension Shape {
    /// A replacement for a node of the wrong kind, if known.
    fileprivate func meant(by node: Node) -> String? {
        switch self {
        case .table(let table):
            if let meant = table().meant?(node) { return "`\(meant)`" }
            guard case .scalar(let scalar) = node, scalar.form == .plain else { return nil }
            let parts = scalar.text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, table().key(String(parts[0])) != nil else { return nil }
            return "`\(parts[0]): \(parts[1])`, with a space after the colon"
        case .variants(let shapes):
            return shapes.lazy.compactMap { $0.meant(by: node) }.first
        case .named(_, .table(let table)):
            return table().meant?(node).map { "`{tag: \($0)}`" }
        case .items(.scalar(let rule), _) where rule.isVerbatim:
            guard let text = node.text else { return nil }
            return "`\(CommandList.list(text.split(separator: " ").map(String.init)))`"
        case .items(let item, _):
            guard node.kind == .map, item.variant(for: .map) != nil else { return nil }
            return "it as an item of a list, in `[…]` or after `- `"
        default: return nil
        }
    }
}

extension Checker {
    mutating func check(_ map: NodeMap, _ table: KeyTable) {
        var present: Set<String> = []
        for entry in map.entries where !entry.key.text.hasPrefix(KeyTable.freePrefix) {
            guard let key = table.key(entry.key.text) else {
                let name = LookAlike.plain(entry.key.text) ?? entry.key.text
                let isArgument = entry.key.range?.file.name.hasPrefix("--") ?? false
                let suggestion = KeySuggestion(for: name, in: table, isArgument: isArgument)
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
        let names = ListText.fitting(table.keys.filter { $0.notYet == nil }.map(\.name))
        let advice = LookAlike.advice(on: key.text).map { "\($0); " } ?? ""
        let isOn = key.text == "on" ? "other YAML readers read `on` as true, so no key has that name; " : ""
        report(
            Diagnostic(
                .unknownKey, "unknown key `\(key.text)`", at: key,
                hint: "\(isOn)\(advice)\(suggestion.question)\(table.noun) has \(names)"))
    }

    /// - Parameter present: Names of the keys that are present, including those that a misspelt key was meant to be.
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
            let related = first.range.map { [Diagnostic.Related("the other key is here", at: $0)] } ?? []
            report(
                Diagnostic(
                    .oneKeyOf, "`\(key.text)` cannot be combined with `\(first.text)`", at: Diagnostic.Place(key.range),
                    hint: rule, related: related))
        }
    }
}

extension Checker {
    /// Checks a scalar with the rule that decoding will use.
    mutating func check(_ scalar: Scalar, _ rule: any ScalarRule, _ subject: String) {
        guard rule.isVerbatim || checkReferences(in: scalar, subject) else { return }
        do {
            _ = try rule.parse(scalar.text)
        } catch {
            return report(error, in: scalar, subject)
        }
        if let doubt = rule.doubt(about: scalar.text) { report(doubt, in: scalar, subject) }
        if rule.needsQuotes, scalar.form == .plain, let noun = ForeignReading(of: scalar.text).noun {
            report(
                Diagnostic(
                    .readDifferently, "other YAML readers read `\(scalar.text)` as \(noun)", at: scalar,
                    hint: "write \"\(scalar.text)\""))
        }
    }

    private mutating func report(_ problem: ScalarProblem, in scalar: Scalar, _ subject: String) {
        // For unknown words, look-alikes are already compared with the known words.
        let advice = problem.code == .unknownWord ? nil : LookAlike.advice(on: scalar.text)
        report(
            Diagnostic(
                problem.code, "\(subject) \(problem.message)", at: scalar, part: problem.part,
                hint: advice ?? problem.hint))
    }

    /// Returns whether the scalar contains no `${`, and reports one otherwise.
    private mutating func checkReferences(in scalar: Scalar, _ subject: String) -> Bool {
        guard scalar.definition == nil, let part = ParameterReference.firstMark(in: scalar.text) else { return true }
        if ParameterReference(scalar.text) != nil {
            report(
                Diagnostic(
                    .misplacedReference, "\(subject) cannot be a parameter", at: scalar,
                    hint: "write the value itself"))
        } else {
            report(
                Diagnostic(
                    .misplacedReference, "\(subject) contains `${`", at: scalar, part: part,
                    hint: "a parameter must be the whole value: \"${params.name}\""))
        }
        return false
    }
}

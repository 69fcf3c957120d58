import TapWire

extension Shape {
    /// Checks a node and all below it; every error is reported, in the order of the file.
    ///
    /// - Parameter subject: What errors call the node itself.
    /// - Returns: The value, ready to be decoded, or nothing if this check reported an error; warnings and what was
    ///   reported before do not count.
    public func read(
        _ node: Node, as subject: String = "the document", into diagnostics: inout Diagnostics
    ) -> ValueReader? {
        var checker = Checker(diagnostics)
        checker.check(node, self, subject)
        diagnostics = checker.diagnostics
        return checker.isClean ? ValueReader(node, self) : nil
    }
}

/// Walks a tree beside a shape and reports what does not fit.
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
                    hint: "\(IntegerRule.need(count)) needed"))
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
                .nothingWritten, "nothing is written for \(subject)", at: scalar, hint: "\(shape.noun) needed\(empty)"))
    }

    private mutating func reportKind(of node: Node, _ shape: Shape, _ subject: String) {
        if let meant = shape.meant(by: node) {
            return report(
                Diagnostic(.wrongKind, "\(subject) is \(node.kind.noun)", at: node, hint: "write \(meant)"))
        }
        let advice: String
        switch shape.kinds {
        case [.list]: advice = "; begin items with `- `, or put them in brackets"
        case [.map]: advice = "; its entries are `key: value`"
        default: advice = ""
        }
        report(
            Diagnostic(
                .wrongKind, "\(subject) is \(node.kind.noun)", at: node, hint: "\(shape.noun) needed\(advice)"))
    }
}

extension Shape {
    /// What to write in place of a node whose kind does not fit, if that can be told.
    fileprivate func meant(by node: Node) -> String? {
        switch self {
        case .table(let table):
            if let meant = table().meant?(node) { return "`\(meant)`" }
            guard case .scalar(let scalar) = node, scalar.form == .plain else { return nil }
            let parts = scalar.text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, table().key(String(parts[0])) != nil else { return nil }
            return "`\(parts[0]): \(parts[1])`, with a blank behind the colon"
        case .variants(let shapes):
            return shapes.lazy.compactMap { $0.meant(by: node) }.first
        case .items(let item, _):
            guard node.kind == .map, item.variant(for: .map) != nil else { return nil }
            return "it as an item of a list, `[…]`, or behind `- `"
        default: return nil
        }
    }
}

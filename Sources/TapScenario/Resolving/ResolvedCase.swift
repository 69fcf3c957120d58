import TapDocument
import TapField

extension ScenarioCase {
    /// The case as a self-contained scenario, with parameters substituted, settings stated and cards written in full.
    ///
    /// Loading it gives an equal case, even if later versions change the templates.
    public var resolved: Node {
        let isExpecting = !expectations.node.entries.isEmpty
        let reader = readerNode
        return .map([
            "format": 1,
            "scenario": NameRule.name(like: scenarioName).map(Node.text),
            "title": title.map(Node.text),
            "tags": tags.isEmpty ? nil : .list(tags.map(Node.text)),
            "settings": settings.node(seed: seed),
            "cards": .map(cards.map { (key: $0.name, value: $0.definition.node) }),
            "reader": reader?.key == "reader" ? reader?.node : nil,
            "readers": reader?.key == "readers" ? reader?.node : nil,
            "client": client?.node,
            "taps": visits.map(VisitPlan.table.node),
            "timeline": stated?.node.plainCopy,
            "faults": faults.isEmpty ? nil : faults.node,
            "recording": recording?.written.plainCopy,
            "phone": phone?.node,
            "expect": isExpecting ? expectations.node.plainCopy : nil,
            "cases": name.map { name in [.map(["name": .text(name), "skip": isSkipped ? true : nil])] },
        ])
    }
}

extension Node {
    /// The same values as a program would build them, without source locations.
    fileprivate var plainCopy: Node {
        switch self {
        case .scalar(let scalar):
            scalar.plainCopy
        case .list(let list): .list(list.items.map(\.plainCopy))
        case .map(let map):
            .map(map.entries.map { (key: $0.key.text, value: $0.value.plainCopy) })
        }
    }
}

extension Scalar {
    /// An unquoted YAML value: a number if its text has the form of one, otherwise a text.
    fileprivate var plainCopy: Node {
        switch form {
        case .plain:
            if let number = Int(text), "\(number)" == text { .number(number) } else { .text(text) }
        case .quoted, .literal: .text(text)
        case .number, .boolean, .null: .scalar(Scalar(text, form: form))
        }
    }
}

extension ScenarioCase {
    /// The case as a self-contained YAML scenario file, with the origin of each value in a comment.
    ///
    /// Ends with a line break.
    ///
    /// Loading it gives an equal case. A comment names a file and line, preceded by the parameter that supplied the value, or
    /// else a template, the IC, the seed, or `default`. A comment after a key applies to everything under it.
    public var resolvedText: String {
        let title = name.map { ": \(SourceExcerpt.visible($0))" } ?? ""
        let lines = ["# Case \(number) of \(SourceExcerpt.visible(file))\(title)"]
        return (lines + ResolvedText.lines(of: resolved, CaseOrigins(self).origins, ScenarioLoader.table))
            .map { $0 + "\n" }.joined()
    }
}

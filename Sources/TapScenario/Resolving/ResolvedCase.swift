import TapDocument
import TapField

extension ScenarioCase {
    /// The case as a scenario of its own: parameters filled in, settings stated, cards in full.
    ///
    /// Loading it gives an equal case, whatever the templates of a later version hold.
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
    /// The same values as a program would build them, without places.
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
    /// What YAML writes without quotes becomes a number if its digits are those of one, else a text.
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
    /// The case as a scenario file of its own in YAML, behind each value where it comes from; ends with a line break.
    ///
    /// Loading it gives an equal case. A comment names a file and line, before them the parameter that brought the
    /// value, a template, the IC, the seed, or `default`; one behind a key is about all below it.
    public var resolvedText: String {
        let title = name.map { ": \(SourceExcerpt.visible($0))" } ?? ""
        let lines = ["# Case \(number) of \(SourceExcerpt.visible(file))\(title)"]
        return (lines + ResolvedText.lines(of: resolved, CaseOrigins(self).origins, ScenarioLoader.table))
            .map { $0 + "\n" }.joined()
    }
}

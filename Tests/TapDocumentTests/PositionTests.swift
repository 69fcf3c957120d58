import ScenarioSupport
import TapDocument
import TapYAML
import Testing

@Suite struct `Positions of nodes` {
    static let cases = SectionCase.all("positions.txt").filter { YAMLReader.isAvailable || $0.name.hasSuffix(".json") }

    /// Lists every node with line, column and length, keys before their values.
    @Test(arguments: cases)
    func `match the text`(_ vector: SectionCase) {
        let document = SampleDocument(vector.name, vector.input)
        var lines: [String] = []
        if let node = document.node { describe(node, "", &lines) }
        #expect(lines.joined(separator: "\n") == vector.output)
    }

    private func describe(_ node: Node, _ path: String, _ lines: inout [String]) {
        switch node {
        case .scalar(let scalar):
            lines.append("\(path) \(place(node.range)) \(scalar.form) \(scalar.text.debugDescription)")
        case .list(let list):
            lines.append("\(path) \(place(node.range)) list")
            for (index, item) in list.items.enumerated() { describe(item, "\(path)/\(index)", &lines) }
        case .map(let map):
            lines.append("\(path) \(place(node.range)) map")
            for entry in map.entries {
                lines.append("\(path)/\(entry.key.text) \(place(entry.key.range)) key \(entry.key.form)")
                describe(entry.value, "\(path)/\(entry.key.text)", &lines)
            }
        }
    }

    private func place(_ range: SourceRange?) -> String {
        range.map { "\($0.line):\($0.column)+\($0.length)" } ?? "nowhere"
    }
}

import TapField

/// Compares values of a client's result with what was expected.
struct ResultJudge {
    private let client: ClientReport

    init(_ client: ClientReport) {
        self.client = client
    }

    func judge(_ item: Expectation, _ pointer: JSONPointer, _ expected: Node) -> [Failure] {
        guard let result = client.result else {
            let output = client.standardOutput
            let got = output.isEmpty ? "no result" : "output that is not JSON: \(ClientJudge.quote(output))"
            return [item.failure("a result", got: got, path: "expect.result")]
        }
        switch pointer.target(in: result) {
        case .nothing(let reason):
            return [item.failure(Self.text(expected), got: "nothing: \(reason)")]
        case .value(let value):
            guard !Self.matches(value, expected) else { return [] }
            return [item.failure(Self.text(expected), got: Self.text(value))]
        }
    }

    /// Whether a value is what a file expects.
    ///
    /// The value decides how the expectation is read: a number is met by the same number or a range around it, a text
    /// by the same text. A list is met item by item; a map by one whose keys are all met, whatever others the value has.
    static func matches(_ value: Node, _ expected: Node) -> Bool {
        switch (value, expected) {
        case (.scalar(let value), .scalar(let expected)): matches(value, expected)
        case (.list(let value), .list(let expected)):
            value.items.count == expected.items.count && zip(value.items, expected.items).allSatisfy(matches)
        case (.map(let value), .map(let expected)):
            expected.entries.allSatisfy { entry in value[entry.key.text].map { matches($0, entry.value) } ?? false }
        default: false
        }
    }

    private static func matches(_ value: Scalar, _ expected: Scalar) -> Bool {
        switch value.form {
        case .number:
            if value.text == expected.text { return true }
            if let number = Int(value.text), let range = try? RangeRule(Int.min...Int.max).parse(expected.text) {
                return range.contains(number)
            }
            guard let number = Double(value.text), let other = Double(expected.text) else { return false }
            return number == other
        case .null: return expected.isNothing || expected.text == "null"
        case .boolean, .plain, .quoted, .literal: return value.text == expected.text
        }
    }

    /// A value as failures show it: compact JSON, in which a range stands bare.
    static func text(_ node: Node) -> String {
        ClientJudge.shorten(JSONWriter.text(typed(node)))
    }

    /// The value with what YAML writes without quotes as numbers, ranges and words where it looks like them.
    private static func typed(_ node: Node) -> Node {
        switch node {
        case .scalar(let scalar):
            guard scalar.form == .plain else { return node }
            let isRange = (try? RangeRule(Int.min...Int.max).parse(scalar.text)) != nil
            let isBare = isRange || ["true", "false", "null"].contains(scalar.text)
            return .scalar(Scalar(scalar.text, form: isBare ? .number : .quoted))
        case .list(let list):
            return .list(list.items.map(typed))
        case .map(let map):
            return .map(map.entries.map { (key: $0.key.text, value: typed($0.value)) })
        }
    }
}

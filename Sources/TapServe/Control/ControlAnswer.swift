import TapScenario

/// What a steered field says to a request.
public struct ControlAnswer: Sendable {
    /// The answer as a person reads it.
    public let lines: [String]
    /// The answer as a program reads it.
    public let result: Node

    public init(_ lines: [String], _ result: Node) {
        self.lines = lines
        self.result = result
    }

    public init(_ line: String, _ result: Node) {
        self.init([line], result)
    }

    /// The answer as it goes over the control socket.
    var node: Node {
        ["ok": true, "result": result, "text": .list(lines.map(Node.text))]
    }
}

/// Why a request is not carried out; the field is as it was.
public struct ControlRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do instead, a sentence without a full stop.
    public let description: String

    public init(_ description: String) {
        self.description = description
    }

    /// The first error that was found.
    init(_ diagnostics: Diagnostics) {
        let error = diagnostics.sorted.first { $0.severity == .error }
        description = error.map { $0.hint.isEmpty ? $0.message : "\($0.message); \($0.hint)" } ?? "nothing is asked"
    }

    /// The refusal as it goes over the control socket.
    var node: Node { ["ok": false, "error": .text(description)] }
}

import TapField

/// An expectation that was not met.
public struct Failure: Hashable, Sendable {
    /// Which one: its keys, such as `expect.result  /trips/length`, or `client` for how the client ended.
    public let path: String
    /// The line that states it; nothing for what every run is expected to do.
    public let source: SourceReference?
    /// What was expected; reads on after the word `expected`.
    public let expected: String
    /// What there was; reads on after the word `got`.
    public let got: String
    /// Number of the exchange to look at, from 1.
    public let nearest: Int?
    /// What may be behind it, a sentence.
    public let hint: String?

    public init(
        path: String, source: SourceReference? = nil, expected: String, got: String, nearest: Int? = nil,
        hint: String? = nil
    ) {
        self.path = path
        self.source = source
        self.expected = expected
        self.got = got
        self.nearest = nearest
        self.hint = hint
    }

    /// The failure in one line: `expect.result  /trips/length   expected 20, got 0`.
    public var text: String { "\(path)   expected \(expected), got \(got)" }

    /// The failure as a program reads it; keys without a value are left out.
    public var node: Node {
        .map([
            "path": .text(path), "file": source.map { .text($0.file) }, "line": source.map { .number($0.line) },
            "expected": .text(expected), "got": .text(got), "exchange": nearest.map { .number($0) },
            "hint": hint.map(Node.text),
        ])
    }
}

import TapField

/// Whether a run met its case.
public struct Verdict: Hashable, Sendable {
    /// What was not met: first how the client ended, then in the order of the file.
    public let failures: [Failure]
    /// What a person should know although it fails nothing.
    public let warnings: [Warning]

    public init(_ failures: [Failure], warnings: [Warning] = []) {
        self.failures = failures
        self.warnings = warnings
    }

    /// Whether everything was met.
    public var isPassed: Bool { failures.isEmpty }
}

/// What a person should know of a run although it fails nothing.
public struct Warning: Hashable, Sendable {
    /// What it is, in few words that stay the same where they can.
    public let text: String
    /// What may be behind it or what to do next, a sentence.
    public let hint: String?

    public init(_ text: String, hint: String? = nil) {
        self.text = text
        self.hint = hint
    }

    /// The warning as a program reads it; `hint` is left out where there is none.
    public var node: Node { .map(["warning": .text(text), "hint": hint.map(Node.text)]) }
}

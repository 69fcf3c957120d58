/// How the text of a scalar is read: one parse function that checking, decoding and the schema share.
///
/// A rule of one's own needs no more than this; it is used as `.scalar(MyRule())` in a key table and read with
/// `value.read(MyRule.self)`.
public protocol ScalarRule: Sendable {
    /// What the text means.
    associatedtype Value: Sendable

    /// What is needed, with its article: `8 bytes in hexadecimal`.
    var noun: String { get }

    /// Reads the text.
    ///
    /// - Throws: ``ScalarProblem`` with the part of the text that does not fit.
    func parse(_ text: String) throws(ScalarProblem) -> Value

    /// What is doubtful about a text that can be read, a warning.
    func doubt(about text: String) -> ScalarProblem?

    /// Which texts, and which numbers in place of texts, a JSON Schema lets through.
    var schema: ScalarSchema { get }

    /// Whether other YAML readers take some texts for something else, which is worth a warning where no quotes stand.
    var needsQuotes: Bool { get }

    /// Whether `${` inside the text is kept as it is.
    var isVerbatim: Bool { get }
}

extension ScalarRule {
    /// Nothing is doubtful.
    public func doubt(about text: String) -> ScalarProblem? { nil }

    /// No: the value reads the same everywhere.
    public var needsQuotes: Bool { false }

    /// No: `${` is refused.
    public var isVerbatim: Bool { false }
}

/// Why a text is not the value that is needed, and which part of it.
public struct ScalarProblem: Error, Hashable, Sendable {
    /// The kind of trouble.
    public let code: DiagnosticCode
    /// What is wrong; goes on after the name of the key: `has 7 bytes`.
    public let message: String
    /// What is needed, or how to mend it.
    public let hint: String
    /// Offsets into the Unicode scalars of the text, or nothing for all of it.
    public let part: Range<Int>?

    public init(_ code: DiagnosticCode, _ message: String, hint: String, part: Range<Int>? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.part = part
    }
}

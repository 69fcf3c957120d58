/// A single value of a document, kept as the text that was written.
///
/// Nothing is guessed from the text: `0003`, `no` and `1e10` stay what they are until a key says how to read them.
public struct Scalar: Sendable {
    /// How a scalar was written, and how it is written in JSON.
    public enum Form: Hashable, Sendable {
        /// YAML without quotes; a string in JSON.
        case plain
        /// In quotes, in YAML or JSON; a string in JSON.
        case quoted
        /// A YAML block after `|`; a string in JSON.
        case literal
        /// A JSON number; the text follows JSON's grammar.
        case number
        /// `true` or `false` of JSON.
        case boolean
        /// `null` of JSON.
        case null
    }

    /// Where a value came from that stands in place of a `${params.…}`.
    public struct Definition: Hashable, Sendable {
        /// Name of the parameter.
        public let name: String
        /// Where the parameter got its value, or nothing if a program or an option set it.
        public let range: SourceRange?
        /// Whether there is a value; if not, that was reported and the reference is still there.
        public let isFound: Bool
    }

    /// The text, escapes resolved.
    public let text: String
    /// How it was written.
    public let form: Form
    /// Where it stands, quotes included, or nothing if a program built it.
    public let range: SourceRange?
    /// The parameter whose value this is; ``range`` is then where it is used.
    public let definition: Definition?

    public init(_ text: String, form: Form = .quoted, range: SourceRange? = nil) {
        self.init(text, form: form, range: range, definition: nil)
    }

    init(_ text: String, form: Form, range: SourceRange?, definition: Definition?) {
        self.text = text
        self.form = form
        self.range = range
        self.definition = definition
    }

    /// Where the text itself is written: where the parameter is defined if it came in by one.
    var written: SourceRange? {
        definition == nil ? range : definition?.range
    }

    /// Whether nothing was written: null of JSON, or a YAML key with nothing behind its colon.
    public var isNothing: Bool {
        form == .null || form == .plain && text.isEmpty
    }
}

extension Scalar: Hashable {
    /// Whether both are the same text in the same form.
    public static func == (left: Scalar, right: Scalar) -> Bool {
        left.text == right.text && left.form == right.form
    }

    /// Hashes text and form.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(form)
    }
}

import TapField
import TapWire

/// The name of a command, such as `felica.read`.
public struct CommandRule: ScalarRule {
    public init() {}

    public var noun: String { "a command such as `felica.read`" }

    /// Reads a name.
    public func parse(_ text: String) throws(ScalarProblem) -> CommandName {
        if let name = CommandName(text) { return name }
        let names = CommandName.all.map(\.rawValue)
        let guess = names.first { $0.hasSuffix(".\(text)") } ?? Spelling.closest(to: text, among: names)
        let hint = guess.map { "did you mean `\($0)`?" } ?? "names begin with `felica.`, `ntag.` or `a3.`"
        throw ScalarProblem(.unknownWord, "names no command", hint: hint)
    }

    public var schema: ScalarSchema { ScalarSchema(.words(CommandName.all.map(\.rawValue))) }
}

extension Shape {
    /// The name of a command.
    static let command = Shape.scalar(CommandRule())
    /// The name of a card of the scenario.
    static let cardName = Shape.name("the name of a card")
    /// The name of a reader of the scenario.
    static let readerName = Shape.name("the name of a reader")
}

extension ValueReader {
    /// The name of a command.
    var command: CommandName { read(CommandRule.self) }

    /// The line of the file in which the value begins.
    var source: SourceReference? { SourceReference(node.range) }
}

extension SourceReference {
    /// The line in which a piece of a file begins; nothing for text that comes from no file and so has no name.
    init?(_ range: SourceRange?) {
        guard let range, !range.file.name.isEmpty else { return nil }
        self.init(file: range.file.name, line: range.line)
    }
}

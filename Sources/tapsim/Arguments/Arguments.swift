import TapScenario
import TapWire

/// The words after a verb, sorted into options, operands and the client behind `--`.
///
/// Options may stand anywhere before `--`. What is not understood is an error, never ignored: an option that is
/// silently lost makes a test pass for the wrong reason.
struct Arguments: Sendable {
    /// Words that belong to no option.
    private(set) var operands: [String] = []
    /// All words behind `--`, or nothing if there is none.
    private(set) var client: [String]?
    private var given: [(name: String, value: String?)] = []

    /// Sorts words.
    ///
    /// - Throws: ``UsageError`` for an option that is unknown, repeated, or without its value.
    init(_ words: [String], options: [Option]) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                client = Array(rest)
                return
            } else if word.hasPrefix("-"), word != "-" {
                try take(word, from: &rest, options)
            } else {
                operands.append(word)
            }
        }
    }

    private mutating func take(
        _ word: String, from rest: inout ArraySlice<String>, _ options: [Option]
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = options.first(where: { $0.isNamed(parts[0]) }) else {
            throw UsageError("there is no option `\(parts[0])`")
        }
        guard option.isRepeatable || !isGiven(option.name) else {
            throw UsageError("`\(option.name)` is given twice")
        }
        guard let placeholder = option.value else {
            guard parts.count == 1 else { throw UsageError("`\(option.name)` takes no value") }
            return given.append((option.name, nil))
        }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
            throw UsageError("`\(option.name)` needs a value: \(option.name) \(placeholder)")
        }
        given.append((option.name, value))
    }

    /// Whether an option is given.
    func isGiven(_ name: String) -> Bool { given.contains { $0.name == name } }

    /// The value of an option.
    func value(_ name: String) -> String? { values(name).first }

    /// The values of an option that may be repeated.
    func values(_ name: String) -> [String] { given.filter { $0.name == name }.compactMap(\.value) }

    /// The value of an option as a whole number.
    ///
    /// - Throws: ``UsageError`` if it is none.
    func number<Number: FixedWidthInteger>(_ name: String, as _: Number.Type = Number.self) throws(UsageError)
        -> Number?
    {
        guard let text = value(name) else { return nil }
        guard let number = Number(text) else {
            let isNumber = !text.isEmpty && text.allSatisfy(\.isWholeNumber)
            throw UsageError(
                "`\(name)` needs a whole number\(isNumber ? " up to \(Number.max)" : ""), not `\(text)`")
        }
        return number
    }

    /// The value of an option as one of the words of an enumeration.
    ///
    /// - Throws: ``UsageError`` if it is none of them.
    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, as _: Word.Type = Word.self
    ) throws(UsageError) -> Word? {
        guard let text = value(name) else { return nil }
        return try Self.word(text, of: name)
    }

    /// A text given for an option as one of the words of an enumeration.
    ///
    /// - Throws: ``UsageError`` if it is none of them.
    static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ text: String, of name: String
    ) throws(UsageError) -> Word {
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue)
        throw UsageError(
            "`\(name)` needs \(ListText.choice(words)), not `\(text)`\(Spelling.question(for: text, among: words))")
    }
}

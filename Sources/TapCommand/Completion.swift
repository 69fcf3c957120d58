import TapField
import TapReaders
import TapScenario
import TapWire

/// What a shell may put where a word is expected.
///
/// It follows from the description of verbs and options that help is made of: a placeholder says what kind of word stands there.
enum Completion: Sendable, Equatable {
    case nothing
    case files
    case words([String])

    /// The words of placeholders that several verbs have.
    private static let placeholders: [String: Completion] = [
        "FILE": .files,
        "PATH": .files,
        "CARD": .words(CardLanguage.templates.map(\.name)),
        "MODEL": .words(ReaderModel.allCases.map(\.rawValue)),
        "DOOR": .words(ReaderSpec.Door.allCases.map(\.rawValue)),
        "PATTERN": .words(FaultCatalogue.all.map(\.name)),
    ]

    /// The value of an option.
    init(_ option: Option) {
        guard let placeholder = option.value, option.words.isEmpty else {
            self = option.words.isEmpty ? .nothing : .words(option.words)
            return
        }
        self = Self.placeholders[placeholder] ?? .nothing
    }

    /// The first word behind a verb, or `nil` where none is a word of its own.
    static func actions(of verb: Verb) -> [String] {
        let first = verb.usages.map { String($0.prefix { $0 != " " }) }
        return first.filter { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isLowercase } }
    }

    /// Whether files or folders may stand behind a verb.
    static func takesFiles(_ verb: Verb) -> Bool {
        verb.usages.contains { usage in ["FILE", "FOLDER", "RUN"].contains { usage.contains($0) } }
    }
}

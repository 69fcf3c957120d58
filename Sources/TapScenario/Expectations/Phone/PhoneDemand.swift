import TapField
import TapWire

/// What an app that reads with Core NFC has to have shown and heard.
public enum PhoneDemand: Hashable, Sendable {
    /// Texts that the sheets showed, in this order and others between them; none for sheets without a text.
    case alerts([LocatedPattern])
    /// How the last session ended.
    case end(PhoneEnd)
    /// How each session ended, in their order.
    case ends([PhoneEnd])
    /// The text with which the app ended its last session as failed.
    case errorMessage(LinePattern)
    /// How many sessions the app began.
    case sessions(IntegerRange)
    /// How many cards the app was told of.
    case tagCount(IntegerRange)
    /// The cards that the app was told of, in this order.
    case tags([String])

    /// A piece of a text and the line that states it.
    public struct LocatedPattern: Hashable, Sendable {
        /// The piece.
        public let pattern: LinePattern
        public let source: SourceReference?
    }
}

/// How a session of Core NFC is expected to end.
public enum PhoneEnd: Hashable, Sendable, CustomStringConvertible {
    /// By the app itself and without an error message, or after its first read.
    case wellDone
    /// With an error, by its number.
    case error(Int)

    /// The end for a sentence: `no error` or `user_canceled (200)`.
    public var description: String {
        switch self {
        case .wellDone: "no error"
        case .error(let code): Self.text(of: code)
        }
    }

    /// An error for a sentence, by its word where it has one.
    static func text(of code: Int) -> String {
        PhoneErrorCode(rawValue: code).map { "\($0.word) (\(code))" } ?? "error \(code)"
    }

    /// The end as a file writes it.
    var node: Node {
        switch self {
        case .wellDone: .text(PhoneEndRule.wellDone)
        case .error(let code): PhoneErrorCode(rawValue: code).map { .text($0.word) } ?? .number(code)
        }
    }
}

/// An error of Core NFC by its number or its word, or `none`.
struct PhoneEndRule: ScalarRule {
    /// The word for a session that ended without an error.
    static let wellDone = "none"
    /// Numbers that errors have.
    private static let codes = 1...999

    var noun: String { "an error such as `user_canceled` or 200, or `none`" }

    func parse(_ text: String) throws(ScalarProblem) -> PhoneEnd {
        if text == Self.wellDone { return .wellDone }
        if let code = PhoneErrorCode(word: text) { return .error(code.rawValue) }
        if let number = Int(text), "\(number)" == text, Self.codes.contains(number) { return .error(number) }
        let words = PhoneErrorCode.allCases.map(\.word) + [Self.wellDone]
        throw ScalarProblem(
            .unknownWord, "cannot be `\(text)`", hint: "\(noun) needed\(Spelling.question(for: text, among: words))")
    }

    var schema: ScalarSchema {
        let codes = PhoneErrorCode.allCases.flatMap { [$0.word, "\($0.rawValue)"] }
        return ScalarSchema(.words([Self.wellDone] + codes), numbers: .integers(Self.codes))
    }
}

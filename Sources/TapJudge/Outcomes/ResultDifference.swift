import TapDocument
import TapScenario
import TapWire

enum ResultDifference: Hashable, Sendable {
    /// A list has fewer items; `first` is the index of the first missing item.
    case fewer(path: String, count: Int, of: Int, first: Int)
    case more(path: String, count: Int, of: Int)
    /// A key is missing or null.
    case missing(path: String)
    /// A key that the baseline run does not have.
    case unexpected(path: String)
    case changed(path: String, expected: Node, got: Node)

    /// A JSON pointer; empty for the whole result.
    var path: String {
        switch self {
        case .fewer(let path, _, _, _), .more(let path, _, _), .missing(let path), .unexpected(let path),
            .changed(let path, _, _):
            path
        }
    }

    /// A Boolean value that indicates whether something is missing and the rest is right.
    var isLoss: Bool {
        switch self {
        case .fewer, .missing: true
        case .more, .unexpected, .changed: false
        }
    }

    /// The number of a line of text, from 1; `nil` for all lines.
    private var lineNumber: Int? { Int(path.dropFirst()).map { $0 + 1 } }

    /// Returns the first word of a line with several words, as a name for it; `nil` if the word contains digits.
    private static func label(of line: Node) -> String? {
        let words = (line.text ?? "").split(separator: " ")
        guard words.count > 1, let word = words.first, word.allSatisfy({ $0.isLetter || $0.isPunctuation }) else {
            return nil
        }
        return String(word)
    }

    /// Returns ``text(ofLines:)`` without counts, values and item numbers.
    func sign(ofLines isText: Bool) -> String {
        guard isText else { return sign }
        switch self {
        case .fewer, .missing: return "it prints too few lines"
        case .more, .unexpected: return "it prints too many lines"
        case .changed(_, let expected, _):
            return Self.label(of: expected).map { "the line `\($0)` is wrong" } ?? "a line is wrong"
        }
    }

    /// Returns text such as `/trips has 12 of 20 items`.
    ///
    /// - Parameter isText: Whether the result is the client's output, line by line.
    func text(ofLines isText: Bool) -> String {
        guard isText else { return text }
        switch self {
        case .fewer(_, let count, let whole, let first):
            let gap = first < count ? ", and line \(first + 1) is the first missing one" : ""
            return "it prints \(count) of \(CountText.of(whole, "line"))\(gap)"
        case .more(_, let count, let whole): return "it prints \(CountText.of(count, "line")), not \(whole)"
        case .missing, .unexpected: return text
        case .changed(_, let expected, let got):
            let (got, expected) = ResultJudge.texts(got, expected)
            return "\(lineNumber.map { "line \($0) of its output" } ?? "its output") is \(got), not \(expected)"
        }
    }

    private var sign: String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let end = parts.firstIndex { Int($0) != nil }
        let general = end.map { parts[..<$0].joined(separator: "/") + "/*" } ?? path
        let place = general.isEmpty ? "the result" : "`\(general)`"
        return switch self {
        case .fewer: "\(place) has too few items"
        case .more: "\(place) has too many items"
        case .missing: "\(place) is missing"
        case .unexpected: "\(place) is unexpected"
        case .changed: "\(place) is wrong"
        }
    }

    private var text: String {
        let place = path.isEmpty ? "the result" : "`\(path)`"
        switch self {
        case .fewer(_, let count, let whole, let first):
            let gap = first < count ? ", and item \(first) is the first missing one" : ""
            return "\(place) has \(count) of \(CountText.of(whole, "item"))\(gap)"
        case .more(_, let count, let whole): return "\(place) has \(CountText.of(count, "item")), not \(whole)"
        case .missing: return "\(place) is missing"
        case .unexpected: return "\(place) is present, unlike in the baseline run"
        case .changed(_, let expected, let got):
            let (got, expected) = ResultJudge.texts(got, expected)
            return "\(place) is \(got), not \(expected)"
        }
    }
}

extension ResultDifference {
    static func all(between expected: Node, and got: Node, at path: String = "") -> [ResultDifference] {
        switch (expected, got) {
        case (.list(let expected), .list(let got)): lists(expected.items, got.items, path)
        case (.map(let expected), .map(let got)): maps(expected, got, path)
        default:
            if expected == got {
                []
            } else if case .scalar(let scalar) = got, scalar.form == .null {
                [.missing(path: path)]
            } else {
                [.changed(path: path, expected: expected, got: got)]
            }
        }
    }

    private static func lists(_ expected: [Node], _ got: [Node], _ path: String) -> [ResultDifference] {
        if got.count < expected.count, let first = firstSkipped(of: expected, in: got) {
            return [.fewer(path: path, count: got.count, of: expected.count, first: first)]
        }
        let pairs = zip(expected, got).enumerated()
        var differences = pairs.flatMap { all(between: $1.0, and: $1.1, at: "\(path)/\($0)") }
        if got.count < expected.count {
            differences.append(.fewer(path: path, count: got.count, of: expected.count, first: got.count))
        } else if got.count > expected.count {
            differences.append(.more(path: path, count: got.count, of: expected.count))
        }
        return differences
    }

    /// Returns the first missing item of a list that is otherwise the same, in order; `nil` if the list differs in other ways.
    private static func firstSkipped(of expected: [Node], in got: [Node]) -> Int? {
        var first: Int?
        var rest = got[...]
        for (index, item) in expected.enumerated() {
            if rest.first == item { rest.removeFirst() } else { first = first ?? index }
        }
        return rest.isEmpty ? first : nil
    }

    private static func maps(_ expected: NodeMap, _ got: NodeMap, _ path: String) -> [ResultDifference] {
        let known = expected.entries.flatMap { entry -> [ResultDifference] in
            let place = "\(path)/\(JSONPointer.escaped(entry.key.text))"
            guard let value = got[entry.key.text] else { return [.missing(path: place)] }
            return all(between: entry.value, and: value, at: place)
        }
        let extra = got.entries.filter { expected[$0.key.text] == nil }
        return known + extra.map { .unexpected(path: "\(path)/\(JSONPointer.escaped($0.key.text))") }
    }
}

extension [ResultDifference] {
    /// A Boolean value that indicates whether something is missing, and otherwise only numbers that count the rest differ.
    var isSilentLoss: Bool {
        let losses = filter(\.isLoss)
        guard !losses.isEmpty else { return false }
        let gaps = losses.compactMap { loss -> Int? in
            if case .fewer(_, let count, let whole, _) = loss { whole - count } else { nil }
        }
        return allSatisfy { difference in
            guard case .changed(_, let expected, let got) = difference else { return difference.isLoss }
            guard let before = expected.text, let after = got.text else { return false }
            return Self.differ(before, after, byOneOf: gaps)
        }
    }

    /// Returns whether two texts differ only in whole numbers that are smaller by one of some amounts.
    private static func differ(_ before: String, _ after: String, byOneOf gaps: [Int]) -> Bool {
        let (old, new) = (parts(of: before), parts(of: after))
        guard old.count == new.count else { return false }
        return zip(old, new).allSatisfy { old, new in
            if old == new { return true }
            guard let old = Int(old), let new = Int(new) else { return false }
            return gaps.contains(old &- new)
        }
    }

    /// Splits a text into runs of digits and the text between them.
    private static func parts(of text: String) -> [String] {
        var parts: [String] = []
        var wasDigit: Bool?
        for character in text {
            let isDigit = character.isASCII && character.isNumber
            if isDigit == wasDigit { parts[parts.count - 1].append(character) } else { parts.append(String(character)) }
            wasDigit = isDigit
        }
        return parts
    }
}

import TapWire

/// A place where a result differs from that of a clean run.
enum ResultDifference: Hashable, Sendable {
    /// A list has fewer items: it lacks the one at an index and perhaps more.
    case fewer(path: String, count: Int, of: Int, first: Int)
    /// A list has more items.
    case more(path: String, count: Int, of: Int)
    /// A key has no value, or null.
    case missing(path: String)
    /// A key that the clean run does not have.
    case unexpected(path: String)
    /// Another value.
    case changed(path: String, expected: Node, got: Node)

    /// Where it is, as a JSON pointer; empty for the whole result.
    var path: String {
        switch self {
        case .fewer(let path, _, _, _), .more(let path, _, _), .missing(let path), .unexpected(let path),
            .changed(let path, _, _):
            path
        }
    }

    /// Whether something is gone and the rest is right.
    var isLoss: Bool {
        switch self {
        case .fewer, .missing: true
        case .more, .unexpected, .changed: false
        }
    }

    /// The difference in words: `/trips has 12 of 20 items`.
    var text: String {
        let place = path.isEmpty ? "the result" : "`\(path)`"
        switch self {
        case .fewer(_, let count, let whole, let first):
            let gap = first < count ? ", item \(first) is the first that is missing" : ""
            return "\(place) has \(count) of \(CountText.of(whole, "item"))\(gap)"
        case .more(_, let count, let whole): return "\(place) has \(CountText.of(count, "item")), not \(whole)"
        case .missing: return "\(place) is missing"
        case .unexpected: return "\(place) is there, which the clean run does not have"
        case .changed(_, let expected, let got):
            return "\(place) is \(ResultJudge.text(got)), not \(ResultJudge.text(expected))"
        }
    }
}

extension ResultDifference {
    /// Where a result differs from another, in the order of the other.
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

    /// The first item that a list lacks whose items are all there in order; nothing if there are others.
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
            let place = "\(path)/\(escape(entry.key.text))"
            guard let value = got[entry.key.text] else { return [.missing(path: place)] }
            return all(between: entry.value, and: value, at: place)
        }
        let extra = got.entries.filter { expected[$0.key.text] == nil }
        return known + extra.map { .unexpected(path: "\(path)/\(escape($0.key.text))") }
    }

    /// A name as RFC 6901 writes it.
    private static func escape(_ name: String) -> String {
        name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
            .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
    }
}

extension [ResultDifference] {
    /// Whether something is gone, and nothing else differs but numbers that count what is left.
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

    /// Whether two texts are the same but for whole numbers that are smaller by one of some amounts.
    private static func differ(_ before: String, _ after: String, byOneOf gaps: [Int]) -> Bool {
        let (old, new) = (parts(of: before), parts(of: after))
        guard old.count == new.count else { return false }
        return zip(old, new).allSatisfy { old, new in
            if old == new { return true }
            guard let old = Int(old), let new = Int(new) else { return false }
            return gaps.contains(old &- new)
        }
    }

    /// A text cut into runs of digits and what lies between.
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

/// A piece of a line that a program prints; `*` stands for whatever lies between.
///
/// It is found anywhere in a line and never across two: `read * trips` is found in `I read 20 trips.`
public struct LinePattern: Hashable, Sendable, CustomStringConvertible {
    /// Most bytes of a pattern.
    public static let maximumLength = 1_000

    /// The pattern as it is written.
    public let description: String
    private let parts: [[UInt8]]

    /// Reads a pattern, or nothing if it would be found in every line, holds a line break or is too long.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "*")).map(Array.init)
        guard !parts.isEmpty, text.utf8.count <= Self.maximumLength, !text.contains(where: \.isNewline) else {
            return nil
        }
        description = text
        self.parts = parts
    }

    /// Whether the pattern is found in a line, compared byte for byte.
    public func isFound(in line: String) -> Bool {
        var rest = Array(line.utf8)[...]
        for part in parts {
            guard let end = Self.end(of: part, in: rest) else { return false }
            rest = rest[end...]
        }
        return true
    }

    /// The first line of a text in which it is found.
    public func firstLine(in text: String) -> String? {
        text.split(whereSeparator: \.isNewline).lazy.map(String.init).first(where: isFound(in:))
    }

    private static func end(of part: [UInt8], in line: ArraySlice<UInt8>) -> Int? {
        guard line.count >= part.count else { return nil }
        for start in line.startIndex...line.endIndex - part.count
        where line[start] == part[0] && line[start..<start + part.count].elementsEqual(part) {
            return start + part.count
        }
        return nil
    }
}

/// A piece of a line.
struct LinePatternRule: ScalarRule {
    var noun: String { "a piece of a line" }

    func parse(_ text: String) throws(ScalarProblem) -> LinePattern {
        if let pattern = LinePattern(text) { return pattern }
        throw ScalarProblem(
            .notName, "is no piece of a line",
            hint:
                "some text of one line, at most \(LinePattern.maximumLength) bytes; `*` stands for whatever lies between"
        )
    }

    var schema: ScalarSchema {
        ScalarSchema(.pattern("[^\\n]*[^*\\n][^\\n]*"), numbers: .any, admitsBooleans: true, admitsNull: true)
    }

    var needsQuotes: Bool { true }
}

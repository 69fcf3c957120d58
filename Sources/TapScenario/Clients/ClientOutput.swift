import TapDocument
import TapField

/// The location of a program's result, and the parts of it that may differ between runs.
public struct ResultSpec: Hashable, Sendable {
    public enum Place: Hashable, Sendable {
        /// The standard output, parsed as JSON.
        case standardOutputAsJSON
        case standardOutput
        /// A file below the folder of the run: its JSON, or its lines if it is not JSON.
        case file(String)
    }

    public enum Ignored: Hashable, Sendable, CustomStringConvertible {
        /// A value, by its location. A `*` in it stands for every item or key.
        case value(JSONPointer)
        /// Every line that contains the pattern.
        case line(LinePattern)

        public var description: String {
            switch self {
            case .value(let pointer): pointer.description
            case .line(let pattern): pattern.description
            }
        }
    }

    public var place: Place
    public var ignored: [Ignored]

    public static let maximumFileLength = 1 << 20

    public init(_ place: Place = .standardOutputAsJSON, ignoring ignored: [Ignored] = []) {
        self.place = place
        self.ignored = ignored
    }

    /// The default: the standard output, if it is JSON.
    public static let `default` = ResultSpec()

    /// The file with the result, below the folder of the run.
    public internal(set) var file: String? {
        get { if case .file(let path) = place { path } else { nil } }
        set { if let newValue { place = .file(newValue) } }
    }

    /// The stream with the result.
    fileprivate var stream: Place? {
        get { file == nil ? place : nil }
        set { if let newValue { place = newValue } }
    }

    /// The result of a run, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - standardOutput: The output of the program.
    ///   - file: The content of the file, if it exists.
    public func result(standardOutput: [UInt8], file: [UInt8]?) -> Node? {
        switch place {
        case .standardOutputAsJSON: Self.json(standardOutput)
        case .standardOutput: Self.lines(standardOutput)
        case .file: file.map { Self.json($0) ?? Self.lines($0) }
        }
    }

    /// The result without the parts that may differ between runs; without a result, the lines of the standard output.
    public func comparable(_ result: Node?, standardOutput: String) -> Node {
        var node = result ?? Self.lines(Array(standardOutput.utf8))
        for ignored in ignored {
            switch ignored {
            case .value(let pointer): node = node.removing(pointer.names[...])
            case .line(let pattern): node = node.removingLines(pattern)
            }
        }
        return node
    }

    private static func json(_ bytes: [UInt8]) -> Node? {
        var diagnostics = Diagnostics()
        let node = JSONReader().read(SourceFile(name: "result", bytes: bytes), into: &diagnostics)
        return diagnostics.hasErrors ? nil : node
    }

    private static func lines(_ bytes: [UInt8]) -> Node {
        let text = String(decoding: bytes, as: UTF8.self)
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return .list(lines.map { Node.text(String($0)) })
    }
}

extension Node {
    /// The node without the values at a path of names.
    fileprivate func removing(_ path: ArraySlice<String>) -> Node {
        guard let name = path.first else { return .null }
        let rest = path.dropFirst()
        switch self {
        case .scalar: return self
        case .list(let list):
            let items = list.items.enumerated().compactMap { index, item -> Node? in
                guard name == "*" || name == "\(index)" else { return item }
                return rest.isEmpty ? nil : item.removing(rest)
            }
            return .list(NodeList(items, range: list.range))
        case .map(let map):
            let entries = map.entries.compactMap { entry -> NodeMap.Entry? in
                guard name == "*" || name == entry.key.text else { return entry }
                return rest.isEmpty ? nil : NodeMap.Entry(entry.key, entry.value.removing(rest))
            }
            return .map(NodeMap(entries, range: map.range))
        }
    }

    /// A list of lines without the lines that contain a pattern; other nodes stay as they are.
    fileprivate func removingLines(_ pattern: LinePattern) -> Node {
        guard case .list(let list) = self else { return self }
        let items = list.items.filter { item in item.text.map { !pattern.isFound(in: $0) } ?? true }
        return .list(NodeList(items, range: list.range))
    }
}

/// A program's way of reporting failure, which distinguishes the errors it reports from those it hides.
public struct ClearErrorSpec: Hashable, Sendable {
    /// The exit codes that report failure.
    public var exits: [IntegerRange]
    /// Pieces of lines, one of which must appear on the standard error.
    public var standardError: [LinePattern]
    /// Pieces of lines, one of which must appear on the standard output.
    public var standardOutput: [LinePattern]

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - exits: Exit codes. Default: any except 0, or any at all if the program reports failure on its standard output,
    ///   since a program with a screen does not exit to report failure.
    ///   - standardError: Pieces of lines of the standard error. If both lists are empty, the output does not matter.
    ///   - standardOutput: Pieces of lines of the standard output.
    public init(
        exits: [IntegerRange]? = nil, standardError: [LinePattern] = [], standardOutput: [LinePattern] = []
    ) {
        self.exits = exits ?? [IntegerRange(standardOutput.isEmpty ? 1 : 0, through: nil)]
        self.standardError = standardError
        self.standardOutput = standardOutput
    }

    /// Any exit code except 0.
    public static let `default` = ClearErrorSpec()

    /// Returns whether a program that ended like this reported a failure.
    ///
    /// Exit code 0 does not report one unless the output does.
    public func isMet(exit code: Int32, standardError: String, standardOutput: String = "") -> Bool {
        guard exits.contains(where: { $0.contains(Int(code)) }) else { return false }
        guard !self.standardError.isEmpty || !self.standardOutput.isEmpty else { return code != 0 }
        return line(of: standardOutput) != nil || self.standardError.contains { $0.firstLine(in: standardError) != nil }
    }

    /// The first line of the standard output that reports a failure.
    package func line(of standardOutput: String) -> String? {
        self.standardOutput.lazy.compactMap { $0.firstLine(in: standardOutput) }.first
    }
}

/// A piece of a line that a program prints.
///
/// A `*` stands for any text.
///
/// It matches anywhere in a line but never across lines: `read * trips` is found in `I read 20 trips.`
public struct LinePattern: Hashable, Sendable, CustomStringConvertible {
    public static let maximumLength = 1_000

    /// The pattern as written.
    public let description: String
    private let parts: [[UInt8]]

    /// Parses a pattern; returns `nil` if it would match every line, contains a line break or is too long.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "*")).map(Array.init)
        guard !parts.isEmpty, text.utf8.count <= Self.maximumLength, !text.contains(where: \.isNewline) else {
            return nil
        }
        description = text
        self.parts = parts
    }

    /// Returns whether a line contains the pattern, compared byte by byte.
    public func isFound(in line: String) -> Bool {
        var rest = Array(line.utf8)[...]
        for part in parts {
            guard let end = Self.end(of: part, in: rest) else { return false }
            rest = rest[end...]
        }
        return true
    }

    /// The first line of a text that contains the pattern.
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

struct LinePatternRule: ScalarRule {
    var noun: String { "part of a line" }

    func parse(_ text: String) throws(ScalarProblem) -> LinePattern {
        if let pattern = LinePattern(text) { return pattern }
        throw ScalarProblem(
            .notName, "is not part of a line",
            hint:
                "write text of one line, at most \(LinePattern.maximumLength) bytes; `*` stands for any text"
        )
    }

    var schema: ScalarSchema {
        ScalarSchema(.pattern("[^\\n]*[^*\\n][^\\n]*"), numbers: .any, admitsBooleans: true, admitsNull: true)
    }

    var needsQuotes: Bool { true }
}

/// The keys of `client` for what a program prints: when it is ready, where its result is, how it reports errors.
enum ClientOutputLanguage {
    static let result = FieldForm<ResultSpec>(
        .variants([stream.shape, .map(resultTable.keys)]),
        read: { $0.kind == .map ? resultTable.value($0.map) : ResultSpec(stream.read($0)) }, node: resultTable.node)

    private static let stream = FieldForm<ResultSpec.Place>.words([
        "stdout_json": .standardOutputAsJSON, "stdout": .standardOutput,
    ])

    private static let resultTable = FieldTable(
        "a result", ResultSpec.default,
        [
            Field(from, \.stream), Field(file, \.file),
            Field(
                "ignore", \.ignored, .list(of: .rule(IgnoredRule()), count: 0...1_000),
                "Parts that may differ between runs: JSON pointers, or parts of lines.", hasDefault: false,
                synonyms: ["except", "skip"], isWritten: { !$0.ignored.isEmpty }),
        ], atMostOne: [from.name, file.name])
    private static let from = TypedKey(
        "from", stream, "The output stream with the result.", synonyms: ["stream", "source"])
    private static let file = TypedKey(
        "file", .rule(ResultFileRule()), "A file in the folder that `TAPSIM_RUN_DIR` names.", synonyms: ["path"])

    static let clearError = FieldForm<ClearErrorSpec>(
        .variants([exit, .list(of: exit, count: 1...256), .map(clearErrorTable.keys)]),
        read: { value in
            guard value.kind == .map else { return ClearErrorSpec(exits: exits.read(value)) }
            let told = clearErrorTable.value(value.map)
            return ClearErrorSpec(
                exits: told.exits, standardError: told.standardError, standardOutput: told.standardOutput)
        },
        node: { spec in
            clearErrorTable.node(
                ClearErrorKeys(
                    exits: spec.exits, standardError: spec.standardError, standardOutput: spec.standardOutput))
        })

    private static let exit = Shape.range(0...255)
    private static let exits = FieldForm<[IntegerRange]>.oneOrMore(of: .rule(RangeRule(0...255)), count: 1...256)
    private static let patterns = FieldForm<[LinePattern]>.oneOrMore(of: .rule(LinePatternRule()), count: 1...100)

    /// The keys for errors; the default of the exit codes depends on the others.
    private struct ClearErrorKeys: Sendable {
        var exits: [IntegerRange]?
        var standardError: [LinePattern] = []
        var standardOutput: [LinePattern] = []
    }

    private static let clearErrorTable = FieldTable(
        "a clear error", ClearErrorKeys(),
        [
            Field(
                "exit", \.exits, exits, "The exit codes that report failure. Default: `1..`, or `0..` with `stdout`.",
                synonyms: ["code", "status", "exit_code"]),
            Field(
                "stdout", \.standardOutput, patterns,
                "Parts of lines, one of which appears on the standard output on failure, even if the client keeps running. With "
                    + "`stderr`, either is sufficient.",
                hasDefault: false, synonyms: ["output", "out", "screen"], isWritten: { !$0.standardOutput.isEmpty }),
            Field(
                "stderr", \.standardError, patterns,
                "Parts of lines, one of which appears on the standard error on failure.", hasDefault: false,
                synonyms: ["error", "err", "pattern"], isWritten: { !$0.standardError.isEmpty }),
        ])
}

private struct IgnoredRule: ScalarRule {
    var noun: String { "a location such as `/time`, or part of a line" }

    func parse(_ text: String) throws(ScalarProblem) -> ResultSpec.Ignored {
        if text.hasPrefix("/"), let pointer = JSONPointer(text) { return .value(pointer) }
        return .line(try LinePatternRule().parse(text))
    }

    var schema: ScalarSchema { LinePatternRule().schema }

    var needsQuotes: Bool { true }
}

/// A path that stays below the folder it is relative to.
private struct ResultFileRule: ScalarRule {
    var noun: String { "a path below the folder of the run" }

    func parse(_ text: String) throws(ScalarProblem) -> String {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isInside = parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." } && !text.utf8.contains(0)
        guard isInside, text.utf8.count <= 1_000 else {
            throw ScalarProblem(
                .notName, "is not below the folder of the run",
                hint: "the client gets the folder in `TAPSIM_RUN_DIR` and as `{run_dir}` in its arguments; "
                    + "write the path of the file in that folder")
        }
        return text
    }

    var schema: ScalarSchema { ScalarSchema(.any, numbers: .any, admitsBooleans: true, admitsNull: true) }

    var needsQuotes: Bool { true }
}

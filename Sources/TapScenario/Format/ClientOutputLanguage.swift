import TapField

/// The keys of `client` about what a program prints: when it is ready, where its result is, how it tells of errors.
enum ClientOutputLanguage {
    private enum Place: String, CaseIterable {
        case json = "stdout_json"
        case text = "stdout"

        var place: ResultSpec.Place {
            switch self {
            case .json: .standardOutputAsJSON
            case .text: .standardOutput
            }
        }
    }

    static let ready = Shape.scalar(LinePatternRule())
    static let result = Shape.variants([.word(Place.self), .map(resultTable)])
    static let clearError = Shape.variants([exit, .list(of: exit, count: 1...256), .map(clearErrorTable)])

    private static let exit = Shape.range(0...255)
    private static let patterns = Shape.variants([ready, .list(of: ready, count: 1...100)])

    private static let resultTable = KeyTable(
        "a result",
        [
            Key("from", .word(Place.self), "The stream that is the result.", synonyms: ["stream", "source"]),
            Key(
                "file", .scalar(ResultFileRule()), "A file of the folder that `TAPSIM_RUN_DIR` names.",
                synonyms: ["path"]),
            Key(
                "ignore", .list(of: .scalar(IgnoredRule()), count: 0...1_000),
                "What differs from run to run: JSON pointers, pieces of lines.", synonyms: ["except", "skip"]),
        ], atMostOne: ["from", "file"])

    private static let clearErrorTable = KeyTable(
        "a clear error",
        [
            Key(
                "exit", .variants([exit, .list(of: exit, count: 1...256)]),
                "The exit codes; 1.. without it, 0.. where `stdout` tells.", synonyms: ["code", "status", "exit_code"]),
            Key(
                "stdout", patterns,
                "Pieces of lines, one of which its standard output then has; also of a client that stays.",
                synonyms: ["output", "out", "screen"]),
            Key(
                "stderr", patterns, "Pieces of lines, one of which its standard error then has.",
                synonyms: ["error", "err", "pattern"]),
        ])

    static func result(_ value: ValueReader) -> ResultSpec {
        guard value.kind == .map else { return ResultSpec(value.word(as: Place.self).place) }
        let map = value.map
        var spec = ResultSpec(map["from"].map { $0.word(as: Place.self).place } ?? .standardOutputAsJSON)
        if let file = map["file"] { spec.place = .file(file.read(ResultFileRule.self)) }
        spec.ignored = map["ignore"]?.items.map { $0.read(IgnoredRule.self) } ?? []
        return spec
    }

    static func clearError(_ value: ValueReader) -> ClearErrorSpec {
        guard value.kind == .map else { return ClearErrorSpec(exits: each(value).map(\.range)) }
        let patterns = { key in value.map[key].map(each)?.map { $0.read(LinePatternRule.self) } ?? [] }
        return ClearErrorSpec(
            exits: value.map["exit"].map(each)?.map(\.range), standardError: patterns("stderr"),
            standardOutput: patterns("stdout"))
    }

    /// The items of a list, or the one value in its place.
    private static func each(_ value: ValueReader) -> [ValueReader] {
        value.kind == .list ? value.items : [value]
    }
}

/// A JSON pointer, or a piece of a line.
private struct IgnoredRule: ScalarRule {
    var noun: String { "a place such as `/time`, or a piece of a line" }

    func parse(_ text: String) throws(ScalarProblem) -> ResultSpec.Ignored {
        if text.hasPrefix("/"), let pointer = JSONPointer(text) { return .value(pointer) }
        return .line(try LinePatternRule().parse(text))
    }

    var schema: ScalarSchema { LinePatternRule().schema }

    var needsQuotes: Bool { true }
}

/// A path that stays below the folder it is looked up in.
private struct ResultFileRule: ScalarRule {
    var noun: String { "a path below the folder of the run" }

    func parse(_ text: String) throws(ScalarProblem) -> String {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isInside = parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." } && !text.utf8.contains(0)
        guard isInside, text.utf8.count <= 1_000 else {
            throw ScalarProblem(
                .notName, "does not lie below the folder of the run",
                hint: "the client is told the folder by `TAPSIM_RUN_DIR` and by `{run_dir}` in its arguments; "
                    + "name the file as it is called there")
        }
        return text
    }

    var schema: ScalarSchema { ScalarSchema(.any, numbers: .any, admitsBooleans: true, admitsNull: true) }

    var needsQuotes: Bool { true }
}

extension ResultSpec {
    /// The description as a file writes it.
    var node: Node {
        let ignored = ignored.map { ignored -> Node in
            switch ignored {
            case .value(let pointer): .text(pointer.description)
            case .line(let pattern): .text(pattern.description)
            }
        }
        let ignore: Node? = ignored.isEmpty ? nil : .list(ignored)
        return switch place {
        case .standardOutputAsJSON: .map(["from": "stdout_json", "ignore": ignore])
        case .standardOutput: .map(["from": "stdout", "ignore": ignore])
        case .file(let path): .map(["file": .text(path), "ignore": ignore])
        }
    }
}

extension ClearErrorSpec {
    /// The description as a file writes it.
    var node: Node {
        let list = { (patterns: [LinePattern]) -> Node? in
            patterns.isEmpty ? nil : .list(patterns.map { .text($0.description) })
        }
        return .map([
            "exit": .list(exits.map { .text($0.description) }), "stdout": list(standardOutput),
            "stderr": list(standardError),
        ])
    }
}

/// The results of the single tests that the output of a suite names.
///
/// It knows the lines of pytest, unittest, Swift Testing, XCTest, ctest, GoogleTest, Go, Cargo, Gradle, TAP and JavaScript
/// reporters.
public struct TestResults: Hashable, Sendable {
    /// The maximum number of bytes to search, from the end: suites print their summary last.
    private static let mostBytes = 8 << 20

    /// The tests, in the order in which the output first names them.
    public private(set) var names: [String] = []
    public private(set) var failed: Set<String> = []
    private var known: Set<String> = []

    public init() {}

    /// - Parameter output: Everything that the suite printed.
    public init(_ output: String) {
        let text = ErrorReport.plain(String(decoding: output.utf8.suffix(Self.mostBytes), as: UTF8.self))
        let lines = text.split(whereSeparator: \.isNewline).map { ErrorReport.trimmed($0)[...] }
        let mocha = Self.mochaFailures(in: lines)
        for (index, line) in lines.enumerated() {
            if let name = mocha[index] {
                add(name, isPassed: false)
            } else if let found = Self.formats.lazy.compactMap({ $0(line) }).first {
                add(found.name, isPassed: found.isPassed)
            }
        }
    }

    private mutating func add(_ name: String, isPassed: Bool) {
        if known.insert(name).inserted { names.append(name) }
        if !isPassed { failed.insert(name) }
    }
}

// The forms of lines, each from a line without spaces around it.

extension TestResults {
    private typealias Found = (name: String, isPassed: Bool)

    private static let formats: [@Sendable (Substring) -> Found?] = [
        cargo, pytest, unittest, swiftTesting, xctest, ctest, googleTest, go, gradle, tap, marks,
    ]

    /// Returns the name; `nil` if it is empty.
    private static func found(_ name: Substring?, _ isPassed: Bool) -> Found? {
        let name = name.map { ErrorReport.trimmed($0) } ?? ""
        return name.isEmpty ? nil : (name, isPassed)
    }

    /// Returns the rest of a line after the first matching prefix, and whether the prefix reports success.
    private static func rest(_ line: Substring, _ heads: [(String, Bool)]) -> (Substring, Bool)? {
        heads.first { line.hasPrefix($0.0) }.map { (line.dropFirst($0.0.count), $0.1) }
    }

    /// Returns the part of a line before a piece; `nil` without the piece.
    private static func before(_ piece: String, in line: Substring) -> Substring? {
        line.firstRange(of: piece).map { line[..<$0.lowerBound] }
    }

    /// `PASSED tests/test_a.py::test_b`, `FAILED tests/test_a.py::test_b - AssertionError`, or the name first with `-v`.
    private static func pytest(_ line: Substring) -> Found? {
        let words = [("PASSED", true), ("FAILED", false), ("ERROR", false)]
        if let (rest, isPassed) = rest(line, words.map { ("\($0.0) ", $0.1) }), rest.contains("::") {
            return found(before(" - ", in: rest) ?? rest, isPassed)
        }
        guard line.contains("::") else { return nil }
        return words.lazy.compactMap { word, isPassed in
            before(" \(word)", in: line).flatMap { $0.contains("::") ? found($0, isPassed) : nil }
        }.first
    }

    /// `test_b (test_a.A.test_b) ... ok`, or `FAIL: test_b (test_a.A.test_b)`.
    private static func unittest(_ line: Substring) -> Found? {
        if let (rest, _) = rest(line, [("FAIL: ", false), ("ERROR: ", false)]), rest.hasSuffix(")"), rest.contains(" (")
        {
            return found(rest, false)
        }
        return [(") ... ok", true), (") ... FAIL", false), (") ... ERROR", false)].lazy.compactMap { end, isPassed in
            line.hasSuffix(end) ? found(line.dropLast(end.count - 1), isPassed) : nil
        }.first
    }

    /// `✔ Test "reads" passed after 0.1 seconds.`; lines for the whole run and for single arguments are not tests.
    private static func swiftTesting(_ line: Substring) -> Found? {
        guard let range = line.firstRange(of: " Test "), line.distance(from: line.startIndex, to: range.lowerBound) < 3
        else { return nil }
        let rest = line[range.upperBound...]
        guard !rest.hasPrefix("run with "), !rest.hasPrefix("case ") else { return nil }
        if let name = before(" passed after ", in: rest) { return found(name, true) }
        return found(before(" failed after ", in: rest), false)
    }

    /// `Test Case 'A.testB' passed (0.1 seconds)`.
    private static func xctest(_ line: Substring) -> Found? {
        let mark = "'"
        guard let (rest, _) = rest(line, [("Test Case \(mark)", true), ("Test case \(mark)", true)]) else { return nil }
        if let name = before("\(mark) passed", in: rest) { return found(name, true) }
        return found(before("\(mark) failed", in: rest), false)
    }

    /// `1/3 Test #1: reads ........   Passed    0.01 sec`.
    private static func ctest(_ line: Substring) -> Found? {
        guard line.first?.isNumber == true, let range = line.firstRange(of: "Test "), line.hasSuffix(" sec"),
            let name = line[range.upperBound...].split(separator: ": ", maxSplits: 1).dropFirst().first
        else { return nil }
        guard !name.contains("***Skipped "), !name.contains("***Not Run ") else { return nil }
        return found(before(" .", in: name), name.contains(" Passed "))
    }

    /// `[       OK ] A.b (0 ms)`.
    private static func googleTest(_ line: Substring) -> Found? {
        guard let (rest, isPassed) = rest(line, [("[       OK ] ", true), ("[  FAILED  ] ", false)]) else { return nil }
        let name = before(" (", in: rest) ?? before(", where ", in: rest) ?? rest
        return name.contains(" ") ? nil : found(name, isPassed)
    }

    /// `--- PASS: TestA (0.00s)`.
    private static func go(_ line: Substring) -> Found? {
        guard let (rest, isPassed) = rest(line, [("--- PASS: ", true), ("--- FAIL: ", false)]) else { return nil }
        return found(before(" (", in: rest), isPassed)
    }

    /// `test a::b ... ok`.
    private static func cargo(_ line: Substring) -> Found? {
        guard line.hasPrefix("test ") else { return nil }
        let rest = line.dropFirst("test ".count)
        return [(" ... ok", true), (" ... FAILED", false)].lazy.compactMap { end, isPassed in
            rest.hasSuffix(end) ? found(rest.dropLast(end.count), isPassed) : nil
        }.first
    }

    /// `ATest > b() PASSED`.
    private static func gradle(_ line: Substring) -> Found? {
        guard line.contains(" > ") else { return nil }
        return [(" PASSED", true), (" FAILED", false)].lazy.compactMap { end, isPassed in
            line.hasSuffix(end) ? found(line.dropLast(end.count), isPassed) : nil
        }.first
    }

    /// `ok 1 - reads`; skipped tests and expected failures are ignored.
    private static func tap(_ line: Substring) -> Found? {
        guard let (rest, isPassed) = rest(line, [("ok ", true), ("not ok ", false)]),
            let number = rest.split(separator: " ").first, number.allSatisfy(\.isNumber),
            !rest.contains("# SKIP"), !rest.contains("# TODO")
        else { return nil }
        let name = ErrorReport.trimmed(rest.dropFirst(number.count))[...]
        return found(name.hasPrefix("- ") ? name.dropFirst(2) : name, isPassed)
    }

    /// `✓ reads (5 ms)`, or `✓ reads 5ms`; lines of Vitest for files and of Node.js above its failures are not tests.
    private static func marks(_ line: Substring) -> Found? {
        let failure = ["✕ ", "✗ ", "✘ ", "✖ ", "× "].map { ($0, false) }
        guard let (rest, isPassed) = rest(line, [("✓ ", true), ("✔ ", true)] + failure),
            !rest.contains(" passed after "), !rest.contains(" failed after "), !isIssue(rest),
            rest != "failing tests:"
        else { return nil }
        let name = withoutTime(rest)
        return isFile(name) ? nil : found(name, isPassed)
    }

    /// Returns whether a line after its mark is from Swift Testing: `Test reads() recorded an issue at A.swift:3:5: …`.
    private static func isIssue(_ line: Substring) -> Bool {
        (line.hasPrefix("Test ") || line.hasPrefix("Suite "))
            && [" recorded an issue", " recorded a known issue", " recorded a warning"].contains { line.contains($0) }
    }

    /// Returns whether a line of Vitest is for a file: `a.test.ts (2 tests)`.
    private static func isFile(_ line: Substring) -> Bool {
        guard line.hasSuffix(")"), let open = line.lastIndex(of: "(") else { return false }
        let words = line[open...].dropFirst().dropLast().split(separator: " ")
        return words.count > 1 && words[0].allSatisfy(\.isNumber) && ["test", "tests"].contains(words[1])
    }

    /// Returns a line without the time at its end: `(5 ms)`, `(1.2s)`, `5ms`.
    private static func withoutTime(_ line: Substring) -> Substring {
        var line = line
        if line.hasSuffix("s)"), let open = line.lastIndex(of: "("), line[open...].dropFirst().first?.isNumber == true,
            !isFile(line)
        {
            line = ErrorReport.trimmed(line[..<open])[...]
        }
        guard line.hasSuffix("s"), let space = line.lastIndex(of: " ") else { return line }
        let unit = line[space...].dropFirst().drop { $0.isNumber || $0 == "." }
        let hasNumber = line[space...].dropFirst().first?.isNumber == true
        return hasNumber && ["s", "ms"].contains(unit) ? line[..<space] : line
    }
}

extension TestResults {
    /// Returns the names of failed tests in the output of Mocha, by line.
    ///
    /// Mocha prints `1) shows` where a test fails; after the line `1 failing`, it lists the failures with the same numbers.
    private static func mochaFailures(in lines: [Substring]) -> [Int: String] {
        var failures: [Int: String] = [:]
        var candidates: [(line: Int, name: String)] = []
        var listed = 0
        for (index, line) in lines.enumerated() {
            if line.hasSuffix(" failing"), let count = Int(line.dropLast(" failing".count)) {
                for candidate in candidates.suffix(max(0, count)) { failures[candidate.line] = candidate.name }
                (candidates, listed) = ([], count)
            } else if let name = numbered(line) {
                if listed > 0 { listed -= 1 } else { candidates.append((index, name)) }
            }
        }
        return failures
    }

    /// Returns the text after a number and a parenthesis: `1) shows`.
    private static func numbered(_ line: Substring) -> String? {
        let rest = line.drop(while: \.isNumber)
        guard rest.count < line.count, rest.hasPrefix(") ") else { return nil }
        return found(rest.dropFirst(2), false)?.name
    }
}

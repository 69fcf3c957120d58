import TapCards
import TapDocument
import TapField
import TapScenario
import TapWire

/// What a client makes of a case when nothing goes wrong, taken from three clean runs.
///
/// ```swift
/// let baseline = try Baseline(cleanRecords, of: scenarioCase)
/// let finding = baseline.finding(of: record)      // silent loss at exchange 7: `/trips` has 12 of 20 items
/// ```
public struct Baseline: Sendable {
    /// How many clean runs it is taken from.
    public static let runCount = 3

    public let exit: Int32
    /// The result without what may differ.
    public let result: Node
    /// How many frames readers sent.
    public var exchangeCount: Int { world.exchangeCount }
    /// The world after the first clean run, with the trace of its exchanges.
    public var world: World { facts.world }
    /// What the clean runs do that a sound client does not, most serious first; faults are not to blame for it.
    public let findings: [OutcomeFinding]

    /// What is to be told of the clean runs although it fails nothing: a client that reads nothing cannot be disturbed.
    public let warnings: [Warning]

    let judge: OutcomeJudge
    /// The misdeeds of the clean runs, by key the largest amount.
    let habits: [String: Int]
    /// What the clean runs wrote and what it then held, card by card, where all agree.
    let written: [WrittenPlace]
    /// The facts of the first clean run.
    let facts: RunFacts

    /// Takes the measure of clean runs: runs of a case without its faults, all of the same seed.
    ///
    /// - Parameters:
    ///   - records: The runs, at least ``runCount``, whose traces have kept their events.
    ///   - test: The case, which says how its client leaves a result and tells of an error.
    /// - Throws: ``BaselineError`` if the client fails in one or the runs differ.
    public init(_ records: [RunRecord], of test: ScenarioCase) throws(BaselineError) {
        guard records.count >= Self.runCount, let first = records.first else {
            throw BaselineError(
                .tooFew, "\(CountText.of(records.count, "clean run"))", "Make \(Self.runCount) clean runs.")
        }
        let judge = OutcomeJudge(test)
        if let numbers = records.lazy.compactMap({ $0.world.trace.omission?.numbers }).first { throw .tooLong(numbers) }
        let facts = records.map { RunFacts($0) }
        var exits: [Int32] = []
        for (index, run) in facts.enumerated() {
            let (exit, finding) = judge.cleanEnd(of: run)
            if let finding { throw .fails(index + 1, finding) }
            exits.append(exit)
        }
        let results = facts.map(judge.result(of:))
        for index in records.indices.dropFirst() {
            guard exits[index] == exits[0] else { throw .exits(index + 1, exits[0], exits[index]) }
            if let difference = ResultDifference.all(between: results[0], and: results[index]).first {
                throw .varies(index + 1, difference, isLine: judge.hasLines(facts[0]))
            }
        }
        self.judge = judge
        self.facts = facts[0]
        warnings = [ReadingJudge(test, first).readNothing].compactMap(\.self)
        exit = exits[0]
        result = results[0]
        let misdeeds = facts.map(\.misdeeds)
        habits = Dictionary(misdeeds.joined().map { ($0.key, $0.amount) }, uniquingKeysWith: max)
        written = WrittenPlace.common(to: facts)
        // Whoever sets up tags writes to all of their pages.
        findings = judge.findings(from: misdeeds[0].filter { !($0.rule?.isOfPlaces ?? false) })
    }

    /// What was found of a run of the same case under faults: the most serious of ``findings(of:)``.
    public func finding(of record: RunRecord) -> OutcomeFinding { findings(of: record)[0] }

    /// All that was found of a run of the same case under faults, the most serious first; at least one.
    public func findings(of record: RunRecord) -> [OutcomeFinding] { judge.findings(of: record, against: self) }
}

/// Why clean runs say nothing about a client under faults.
public struct BaselineError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// The client fails where nothing is wrong.
        case fails
        /// The client makes something else of the same run each time.
        case varies
        /// There are not as many runs as are needed.
        case tooFew
        /// A run is too long for all of it to be kept.
        case tooLong
    }

    public let code: Code
    /// What was found, reads on after the word `got`.
    public let found: String
    /// What to do next, a sentence.
    public let advice: String

    init(_ code: Code, _ found: String, _ advice: String) {
        self.code = code
        self.found = found
        self.advice = advice
    }

    /// Both in one text.
    public var description: String { "\(found). \(advice)" }

    /// The failure of a case that cannot be judged therefore.
    var failure: Failure {
        Failure(
            path: "client",
            expected: "three clean runs with the same result", got: found, hint: advice)
    }

    static func fails(_ run: Int, _ finding: OutcomeFinding) -> BaselineError {
        BaselineError(
            .fails, "a client that fails without any fault, in clean run \(run): \(finding)",
            "Mend that first; or, if it has to end so here, state its exit code under `expect.client.exit`.")
    }

    static func tooLong(_ numbers: ClosedRange<Int>) -> BaselineError {
        BaselineError(
            .tooLong,
            "a clean run of which exchanges \(numbers.lowerBound) to \(numbers.upperBound) are not kept",
            "\(TraceBound.run.text) Let the client do less, so that all it does can be judged.")
    }

    static func varies(_ run: Int, _ difference: ResultDifference, isLine: Bool) -> BaselineError {
        BaselineError(
            .varies,
            "another result in clean run \(run) than in clean run 1 of the same seed: \(difference.text)",
            proposal(for: difference, isLine: isLine))
    }

    static func exits(_ run: Int, _ first: Int32, _ other: Int32) -> BaselineError {
        BaselineError(
            .varies, "exit \(other) in clean run \(run) and exit \(first) in clean run 1 of the same seed",
            "A client that behaves differently in the same run cannot be judged; find out what it depends on.")
    }

    /// The line to write so that a value that may differ is left out.
    private static func proposal(for difference: ResultDifference, isLine: Bool) -> String {
        var ignored = difference.path
        if isLine, case .changed(_, let expected, let got) = difference, let first = expected.text,
            let second = got.text
        {
            ignored = pattern(first, second)
        }
        guard !ignored.isEmpty else {
            return "The whole result differs: print it as JSON, and name below `client.result.ignore` what may differ."
        }
        return "If it may differ, write `client: {result: {ignore: [\(JSONWriter.text(.text(ignored)))]}}`."
    }

    /// A pattern for lines that begin or end as two lines both do.
    private static func pattern(_ first: String, _ second: String) -> String {
        let prefix = String(zip(first, second).prefix { $0 == $1 }.map(\.0))
        let words = prefix.lastIndex(of: " ").map { String(prefix[...$0]) } ?? ""
        let suffix = String(zip(first.reversed(), second.reversed()).prefix { $0 == $1 }.map(\.0).reversed())
        let trimmed = words.isEmpty ? suffix.drop { $0 != " " } : words[...]
        return String(trimmed.split(separator: " ").joined(separator: " "))
    }
}

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
            let place = "\(path)/\(JSONPointer.escaped(entry.key.text))"
            guard let value = got[entry.key.text] else { return [.missing(path: place)] }
            return all(between: entry.value, and: value, at: place)
        }
        let extra = got.entries.filter { expected[$0.key.text] == nil }
        return known + extra.map { .unexpected(path: "\(path)/\(JSONPointer.escaped($0.key.text))") }
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

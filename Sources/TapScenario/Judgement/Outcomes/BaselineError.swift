import TapField
import TapWire

/// Why clean runs say nothing about a client under faults.
public struct BaselineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of reason.
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

    /// The kind of reason.
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

import TapDocument
import TapScenario
import TapWire

/// A line that a client printed under a fault, and in no baseline run, although its scenario does not state how it reports a
/// failure.
///
/// A client for several cards can report a failed card on its screen and exit with 0 later. Only its author knows which lines do
/// so. A client for one card reports a failure with its exit code.
public struct UnstatedReport: Hashable, Sendable {
    private static let leastLetters = 3
    private static let longestPattern = 40

    private let line: String
    private let isOnError: Bool
    private let pattern: String

    /// - Returns: `nil` if there is no such line, or if the client is one for a single card.
    init?(in facts: RunFacts, against baseline: Baseline) {
        guard baseline.hasSeveralVisits else { return nil }
        let clean = baseline.facts.client
        let new = { (text: KeyPath<ClientReport, String>) in
            let known = Set(ErrorLines.all(clean[keyPath: text]).map(ErrorLines.shape))
            return ErrorLines.all(facts.client[keyPath: text]).filter { line in
                !known.contains(ErrorLines.shape(line)) && line.count(where: \.isLetter) >= Self.leastLetters
            }
        }
        let error = new(\.standardError).last
        // On standard output, a line with a number is more likely a wrong result.
        guard let line = error ?? new(\.standardOutput).first(where: { !$0.contains(where: \.isNumber) }) else {
            return nil
        }
        (self.line, isOnError) = (line, error != nil)
        let usual = isOnError ? clean.standardError : clean.standardOutput
        pattern = Self.pattern(of: line, notIn: usual)
    }

    /// A sentence without its full stop: the line, and the key of a scenario that states its meaning.
    public var note: String {
        let text = JSONWriter.text(.text(pattern))
        let keys = isOnError ? "exit: 0.., stderr: \(text)" : "stdout: \(text)"
        return "it printed \"\(ClientJudge.shorten(line))\"; if that reports the failure, state it in a scenario: "
            + "client: {clear_error: {\(keys)}}"
    }

    /// Returns the line up to what may differ from run to run, or the whole line if a baseline run prints that too.
    private static func pattern(of line: String, notIn usual: String) -> String {
        let start = line.prefix { $0 != ":" && !$0.isNumber }
        let text = start.count(where: \.isLetter) >= leastLetters ? start : line[...]
        let words = text.prefix(longestPattern).drop { $0 == " " }
        let pattern = String(words.reversed().drop { $0 == " " }.reversed())
        return usual.contains(pattern) ? line : pattern
    }
}

extension Baseline {
    /// A Boolean value that indicates whether the client stays for further cards, or reads several.
    fileprivate var hasSeveralVisits: Bool {
        facts.end.isAsMeant || Set(outputs.filter { $0.card != nil }.map(\.visit)).count > 1
    }
}

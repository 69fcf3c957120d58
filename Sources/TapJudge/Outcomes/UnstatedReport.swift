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

    /// - Returns: `nil` if there is no such line, or if the client is one for a single card.
    init?(in facts: RunFacts, against baseline: Baseline) {
        guard baseline.hasSeveralVisits else { return nil }
        let baseline = baseline.facts
        let new = { (text: KeyPath<ClientReport, String>) in
            let known = Set(ErrorLines.all(baseline.client[keyPath: text]).map(ErrorLines.shape))
            return ErrorLines.all(facts.client[keyPath: text]).filter { line in
                !known.contains(ErrorLines.shape(line)) && line.count(where: \.isLetter) >= Self.leastLetters
            }
        }
        if let line = new(\.standardError).last {
            (self.line, isOnError) = (line, true)
        } else if let line = new(\.standardOutput).first(where: { !$0.contains(where: \.isNumber) }) {
            // On standard output, a line with a number is more likely a wrong result.
            (self.line, isOnError) = (line, false)
        } else {
            return nil
        }
    }

    /// A sentence without its full stop: the line, and the key of a scenario that states its meaning.
    public var note: String {
        let pattern = JSONWriter.text(.text(self.pattern))
        let keys = isOnError ? "exit: 0.., stderr: \(pattern)" : "stdout: \(pattern)"
        return "it printed \"\(ClientJudge.shorten(line))\"; if that reports the failure, state it in a scenario: "
            + "client: {clear_error: {\(keys)}}"
    }

    /// The line up to what may differ from run to run.
    private var pattern: String {
        let start = line.prefix { $0 != ":" && !$0.isNumber }
        let text = start.count(where: \.isLetter) >= Self.leastLetters ? start : line[...]
        let words = text.prefix(Self.longestPattern).drop { $0 == " " }
        return String(words.reversed().drop { $0 == " " }.reversed())
    }
}

extension Baseline {
    /// A Boolean value that indicates whether the client stays for further cards, or reads several.
    fileprivate var hasSeveralVisits: Bool {
        facts.end.isAsMeant || Set(outputs.filter { $0.card != nil }.map(\.visit)).count > 1
    }
}

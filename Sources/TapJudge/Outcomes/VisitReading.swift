import TapDocument
import TapScenario

/// A card visit to a client that stays: the contents of the card, and the output of the client during the visit.
public struct VisitReading: Sendable {
    /// The facts that distinguish cards; dates do not, since they may be today's date.
    private static let leaves: Set = ["balance", "number", "uri", "text"]
    /// The minimum length of a text; shorter texts occur by chance.
    private static let leastLength = 3

    /// The number of the visit, from 1.
    private let number: Int
    /// All texts of the card.
    private let texts: Set<String>
    /// The first value of each fact that is printed, with the shapes of its lines.
    private let shown: [PrintedFact]
    /// The first value of each fact that is not printed, ordered by place.
    private let missing: [(place: String, value: String)]
    private let lines: [PrintedLine]

    /// - Parameters:
    ///   - number: The number of the visit, from 1.
    ///   - reference: The result of a reference reader.
    ///   - printed: A list of lines.
    public init(_ number: Int, reference: Node, printed: Node) {
        let placed = PlacedTexts(reference)
        let identifiers = Set(placed.identifiers)
        let lines = printed.items.compactMap(\.text).map(PrintedLine.init)
        var (shown, missing): ([PrintedFact], [(place: String, value: String)]) = ([], [])
        for (place, values) in placed.byPlace.sorted(by: { $0.key < $1.key }) {
            guard let value = values.first, Self.isDistinctive(value, at: place) else { continue }
            var fact = PrintedFact(
                place: place, value: value, isIdentifier: identifiers.contains(value.lowercased()), visit: number)
            fact.shapes = Set(lines.filter { $0.shows(fact) }.map(\.shape))
            if fact.shapes.isEmpty { missing.append((place, value)) } else { shown.append(fact) }
        }
        (self.number, self.lines, self.shown, self.missing) = (number, lines, shown, missing)
        texts = Set(placed.all.map { $0.lowercased() })
    }

    /// Returns whether a fact distinguishes cards.
    private static func isDistinctive(_ value: String, at place: String) -> Bool {
        let leaf = FactKind.leaf(of: place)
        return value.utf8.count >= leastLength && (leaves.contains(leaf) || PlacedTexts.isIdentifier(leaf))
    }

    /// Returns whether a fact of another card is printed, in a line of the same shape as in an earlier visit.
    private func showsEarlier(_ old: PrintedFact) -> Bool {
        !texts.contains(old.value.lowercased()) && lines.contains { old.shapes.contains($0.shape) && $0.shows(old) }
    }
}

/// A fact of a card that a client prints.
private struct PrintedFact: Sendable {
    let place: String
    let value: String
    let isIdentifier: Bool
    /// The number of the last visit in which it is printed.
    let visit: Int
    /// The shapes of the lines that contain it.
    var shapes: Set<String> = []
}

/// A line of a client's output, prepared for searching.
private struct PrintedLine: Sendable {
    let shape: String
    private let text: PrintedText
    /// The line without the separators that may group the digits of an identifier.
    private let digits: String

    init(_ line: String) {
        shape = ErrorLines.shape(line)
        text = PrintedText(.text(line))
        digits = line.lowercased().filter { !" :-".contains($0) }
    }

    func shows(_ fact: PrintedFact) -> Bool {
        fact.isIdentifier ? digits.contains(fact.value.lowercased()) : text.contains(fact.value)
    }
}

extension VisitReading {
    /// Returns the finding for a client that shows a value of an earlier visit, although the value of the visit itself is not
    /// shown; `nil` if it shows none.
    ///
    /// - Parameter visits: The visits, in order.
    public static func stale(in visits: [VisitReading]) -> OutcomeFinding? {
        // By place and value; many visits may bring the same few cards.
        var known: [String: [String: PrintedFact]] = [:]
        for visit in visits {
            let stale = visit.missing.compactMap { place, right in
                let old = known[place]?.values.filter(visit.showsEarlier).max { $0.visit < $1.visit }
                return old.map { (old: $0, right: right) }
            }
            // The latest visit counts, and then the first place.
            if let last = stale.map(\.old.visit).max(), let fact = stale.first(where: { $0.old.visit == last }) {
                return visit.finding(of: fact.old, insteadOf: fact.right)
            }
            for var fact in visit.shown {
                fact.shapes.formUnion(known[fact.place]?[fact.value]?.shapes ?? [])
                known[fact.place, default: [:]][fact.value] = fact
            }
        }
        return nil
    }

    private func finding(of old: PrintedFact, insteadOf right: String) -> OutcomeFinding {
        let leaf = FactKind.leaf(of: old.place)
        let owner = old.visit == number ? "the card before in that visit" : "visit \(old.visit)"
        return OutcomeFinding(
            .wrongResult, at: nil,
            "in visit \(number) it prints \(ClientJudge.shorten(old.value)), the \(leaf) of \(owner), "
                + "where the \(leaf) is \(ClientJudge.shorten(right))",
            sign: "it prints the \(leaf) of an earlier visit")
    }
}

extension Baseline {
    /// The visits of a run; empty if the client's result is not what it prints.
    ///
    /// - Parameter references: The results of reference readers, by the names of the cards.
    public func visits(in record: RunRecord, references: [String: Node]) -> [VisitReading] {
        judge.outputs(of: RunFacts(record)).compactMap { output in
            output.card.flatMap { references[$0] }.map {
                VisitReading(output.visit, reference: $0, printed: output.lines)
            }
        }
    }

    /// Returns the finding for a value of an earlier card in the baseline run.
    ///
    /// - Parameter references: The results of reference readers, by the names of the cards.
    public func staleVisit(references: [String: Node]) -> OutcomeFinding? {
        VisitReading.stale(in: visits(in: record, references: references))
    }
}

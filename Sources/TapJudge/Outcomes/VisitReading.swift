import TapDocument
import TapField
import TapScenario
import TapWire

/// A card visit to a client that stays: the contents of the card, and the output of the client during the visit.
public struct VisitReading: Sendable {
    /// The facts that distinguish cards; dates do not, since they may be today's date.
    private static let leaves: Set = ["balance", "number", "uri", "text"]
    /// The minimum length of a text; shorter texts occur by chance.
    private static let leastLength = 3

    /// The first value of each fact, by place.
    fileprivate let values: [String: String]
    /// All texts of the card.
    private let texts: Set<String>
    private let identifiers: Set<String>
    /// The printed lines.
    private let lines: [String]

    /// - Parameters:
    ///   - reference: The result of a reference reader.
    ///   - printed: A list of lines.
    public init(reference: Node, printed: Node) {
        let placed = PlacedTexts(reference)
        identifiers = Set(placed.identifiers)
        texts = Set(placed.all.map { $0.lowercased() })
        values = placed.byPlace.compactMapValues(\.first).filter { place, value in
            let leaf = FactKind.leaf(of: place)
            return value.utf8.count >= Self.leastLength
                && (Self.leaves.contains(leaf) || PlacedTexts.isIdentifier(leaf))
        }
        lines = printed.items.compactMap(\.text)
    }

    /// Returns the shapes of the lines that contain a value of a card.
    private func shapes(showing value: String, of visit: VisitReading) -> Set<String> {
        let isIdentifier = visit.identifiers.contains(value.lowercased())
        return Set(lines.filter { $0.shows(value, isIdentifier: isIdentifier) }.map(ErrorLines.shape))
    }

    /// Returns a fact of an earlier visit that is printed, in a line of the same shape, although the fact of this visit is not.
    fileprivate func staleFact(of earlier: VisitReading) -> (place: String, old: String, right: String)? {
        values.sorted { $0.key < $1.key }.lazy.compactMap { place, right in
            guard let old = earlier.values[place], old != right, !texts.contains(old.lowercased()),
                shapes(showing: right, of: self).isEmpty,
                !shapes(showing: old, of: earlier).isDisjoint(with: earlier.shapes(showing: old, of: earlier))
            else { return nil }
            return (place, old, right)
        }.first
    }
}

extension VisitReading {
    /// Returns the finding for a client that shows a value of an earlier visit; `nil` if it shows none.
    ///
    /// - Parameter visits: The visits, in order.
    public static func stale(in visits: [VisitReading]) -> OutcomeFinding? {
        for (index, visit) in visits.enumerated() {
            for (number, earlier) in visits[..<index].enumerated().reversed() {
                guard let fact = visit.staleFact(of: earlier) else { continue }
                let leaf = FactKind.leaf(of: fact.place)
                return OutcomeFinding(
                    .wrongResult, at: nil,
                    "in visit \(index + 1) it prints \(ClientJudge.shorten(fact.old)), the \(leaf) of visit \(number + 1), "
                        + "where the \(leaf) is \(ClientJudge.shorten(fact.right))",
                    sign: "it prints the \(leaf) of an earlier visit")
            }
        }
        return nil
    }
}

extension Baseline {
    /// The visits of a run; empty if the client's result is not what it prints.
    ///
    /// - Parameter references: The results of reference readers, by the names of the cards.
    public func visits(in record: RunRecord, references: [String: Node]) -> [VisitReading] {
        judge.outputs(of: RunFacts(record)).compactMap { output in
            output.card.flatMap { references[$0] }.map { VisitReading(reference: $0, printed: output.lines) }
        }
    }

    /// Returns the finding for a value of an earlier card in the baseline run.
    ///
    /// - Parameter references: The results of reference readers, by the names of the cards.
    public func staleVisit(references: [String: Node]) -> OutcomeFinding? {
        VisitReading.stale(in: visits(in: record, references: references))
    }
}

extension String {
    /// Returns whether a line shows a value; the digits of an identifier may be grouped.
    fileprivate func shows(_ value: String, isIdentifier: Bool) -> Bool {
        guard isIdentifier else { return PrintedText(.text(self)).contains(value) }
        return lowercased().filter { !" :-".contains($0) }.contains(value.lowercased())
    }
}

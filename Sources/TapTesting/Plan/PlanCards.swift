import TapScenario
import Testing

/// The cards that the traits of a test put before its phone.
struct PlanCards {
    private struct Card {
        let entry: NodeMap.Entry
        let isAway: Bool
        let location: SourceLocation
    }

    private var cards: [Card] = []
    /// What is wrong with them, each at its trait.
    private(set) var diagnostics = Diagnostics()

    /// Takes the traits of a test.
    ///
    /// - Parameters:
    ///   - parts: What they say.
    ///   - taken: Names that cards of a scenario have.
    init(_ parts: [PlanPart], beside taken: [String]) {
        for part in parts {
            guard case .card(let card, let name, let isAway) = part.content else { continue }
            add(card, name, isAway, at: part.location, beside: taken)
        }
    }

    /// The cards as a file has them.
    var entries: [NodeMap.Entry] { cards.map(\.entry) }
    /// The names of those that lie before the phone from the start.
    var present: [Scalar] { cards.filter { !$0.isAway }.map(\.entry.key) }
    /// Whether one of them is away at first.
    var hasAway: Bool { cards.contains(where: \.isAway) }

    private mutating func add(
        _ card: VirtualCard, _ given: String?, _ isAway: Bool, at location: SourceLocation, beside taken: [String]
    ) {
        let usual: String
        let node: Node
        do throws(CardArgument.Problem) {
            (usual, node) = try card.resolved()
        } catch {
            let source = TraitSource(".card", at: location)
            return diagnostics.report(source.error(.unknownName, error.description, hint: ""))
        }
        let count = (taken + cards.map(\.entry.key.text)).count { $0 == usual || $0.hasPrefix("\(usual)-") }
        let name = given ?? (count == 0 ? usual : "\(usual)-\(count + 1)")
        let source = TraitSource(".card(\(JSONWriter.text(node)))", at: location)
        if let same = cards.firstIndex(where: { $0.entry.key.text == name }) {
            // A test may replace a card of its suite, which stands elsewhere.
            if cards.remove(at: same).location.isBeside(location) {
                diagnostics.report(
                    source.error(
                        .nameTaken, "two cards are called `\(name)`", hint: "give one of the two another name"))
            }
        }
        let placed = source.place(.map([(key: name, value: node)])).entries
        cards += placed.map { Card(entry: $0, isAway: isAway, location: location) }
    }
}

extension SourceLocation {
    /// Whether two traits are of the same test: Swift gives those of one attribute the same line.
    fileprivate func isBeside(_ other: SourceLocation) -> Bool {
        line == other.line && filePath == other.filePath
    }
}

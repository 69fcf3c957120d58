import TapField
import TapFuzz
import TapScenario
import TapWire

extension VerdictGrid {
    /// The grid as a program reads it.
    public var node: Node {
        [
            "places": .list(places.map(\.node)),
            "faults": .list(faultNames.map(Node.text)),
            "runs": .list(entries.map(\.node)),
            "totals": totalsNode,
            "read_back": .map(readBacks.map { (key: $0.readBack.rawValue, value: .number($0.count)) }),
            "never_reached": .list(neverReached.map(Node.text)),
        ]
    }

    private var totalsNode: Node {
        let totals = totals
        let counts = totals.outcomes.map { (key: $0.outcome.rawValue, value: Node.number($0.count)) }
        return .map(counts + [(key: "not reached", value: .number(totals.notReached))])
    }
}

extension FaultPlace {
    /// The place as a program reads it.
    public var node: Node {
        .map([(key: isCall ? "call" : "exchange", value: .number(number))] + words)
    }
}

extension FaultPlace {
    /// What happens there, as entries of a map.
    fileprivate var words: [(key: String, value: Node)] { [("is", .text(word)), ("nth", .number(nth))] }
}

extension SystematicPhase.Run {
    /// The run as a program reads it.
    public var node: Node {
        let head: [(key: String, value: Node)] = [("name", .text(name)), ("fault", .text(faultName))]
        return .map(head + place.node.entries.map { ($0.key.text, $0.value) })
    }
}

extension VerdictGrid.Entry {
    fileprivate var node: Node {
        let judged: [(key: String, value: Node)] =
            switch cell {
            case .notReached: [("verdict", "not reached")]
            case .judged(let finding):
                [("verdict", .text(finding.outcome.rawValue))]
                    + (finding.exchange.map { [("at", .number($0))] } ?? [])
                    + [("reason", .text(finding.reason))]
            }
        return .map(
            [
                (key: "fault", value: .text(run.faultName)),
                (key: run.place.isCall ? "call" : "exchange", value: .number(run.place.number)),
            ] + judged + (readBack.map { [("read_back", .text($0.rawValue))] } ?? []))
    }
}

import TapField
import TapWire

/// Looks for exchanges in a run.
struct ExchangeJudge {
    private let seen: [SeenExchange]

    init(_ exchanges: [Exchange]) {
        seen = exchanges.map(SeenExchange.init)
    }

    func judge(_ item: Expectation) -> [Failure] {
        switch item.demand {
        case .exchanges(let list):
            switch list.order {
            case .exact: judgeExact(item, list.patterns)
            case .subsequence: judgeSubsequence(item, list.patterns)
            case .any: judgeAny(item, list.patterns)
            }
        case .count(let command, let range): judgeCount(item, command, range)
        case .never(let pattern): judgeNever(item, pattern)
        default: []
        }
    }

    private func judgeCount(_ item: Expectation, _ command: CommandName, _ range: IntegerRange) -> [Failure] {
        let matching = seen.filter { $0.command.name == command }
        guard !range.contains(matching.count) else { return [] }
        return [item.failure("\(range)", got: "\(matching.count)", nearest: matching.last?.number)]
    }

    private func judgeNever(_ item: Expectation, _ pattern: ExchangePattern) -> [Failure] {
        let matching = seen.filter { $0.matches(pattern) }
        guard let first = matching.first else { return [] }
        let more = matching.count == 1 ? "" : ", the first of \(matching.count)"
        return [item.failure("no \(pattern)", got: "exchange \(first.number)\(more)", nearest: first.number)]
    }

    private func judgeSubsequence(_ item: Expectation, _ patterns: [ExchangeList.Located]) -> [Failure] {
        var failures: [Failure] = []
        var next = 0
        for (index, located) in patterns.enumerated() {
            if let found = seen[next...].firstIndex(where: { $0.matches(located.pattern) }) {
                next = found + 1
            } else {
                failures.append(missing(item, index, located, from: next))
            }
        }
        return failures
    }

    private func judgeAny(_ item: Expectation, _ patterns: [ExchangeList.Located]) -> [Failure] {
        patterns.enumerated().compactMap { index, located in
            seen.contains { $0.matches(located.pattern) } ? nil : missing(item, index, located, from: 0)
        }
    }

    /// Compares one by one; after the first difference the rest would only repeat it.
    private func judgeExact(_ item: Expectation, _ patterns: [ExchangeList.Located]) -> [Failure] {
        let namesSelection = patterns.contains { $0.pattern.command.layer == .selection }
        let counted = namesSelection ? seen : seen.filter { !$0.isSelection }
        for (index, located) in patterns.enumerated() {
            guard index < counted.count else {
                return [failure(item, index, located, got: "the end of the run after \(counted.count) exchanges", nil)]
            }
            let exchange = counted[index]
            guard !exchange.matches(located.pattern) else { continue }
            let differences = exchange.differences(from: located.pattern)
            let got = differences.map { "exchange \(exchange.number) with \($0.joined(separator: ", "))" }
            return [
                failure(
                    item, index, located, got: got ?? "exchange \(exchange.number): \(exchange.summary)",
                    exchange.number)
            ]
        }
        guard counted.count > patterns.count else { return [] }
        let extra = counted[patterns.count]
        return [
            item.failure(
                "no exchange after the \(patterns.count) listed", got: "exchange \(extra.number): \(extra.summary)",
                nearest: extra.number)
        ]
    }

    /// The failure of a pattern that nothing matches, with the exchange that comes nearest.
    private func missing(
        _ item: Expectation, _ index: Int, _ located: ExchangeList.Located, from start: Int
    ) -> Failure {
        let pattern = located.pattern
        if let early = seen[..<start].last(where: { $0.matches(pattern) }) {
            return failure(item, index, located, got: "it only earlier, in exchange \(early.number)", early.number)
        }
        var nearest: (exchange: SeenExchange, differences: [String])?
        for exchange in seen[start...] + seen[..<start] {
            guard let differences = exchange.differences(from: pattern) else { continue }
            if differences.count < nearest?.differences.count ?? .max { nearest = (exchange, differences) }
        }
        guard let (exchange, differences) = nearest else {
            return failure(item, index, located, got: "no \(pattern.command) at all", nil)
        }
        let got = "at best exchange \(exchange.number) with \(differences.joined(separator: ", "))"
        return failure(item, index, located, got: got, exchange.number)
    }

    private func failure(
        _ item: Expectation, _ index: Int, _ located: ExchangeList.Located, got: String, _ nearest: Int?
    ) -> Failure {
        item.failure(
            "\(located.pattern)", got: got, nearest: nearest, path: "\(item.path)  item \(index + 1)",
            source: located.source)
    }
}

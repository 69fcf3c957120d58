/// The outcome of a run, the place in it and the reason.
public struct OutcomeFinding: Hashable, Sendable, CustomStringConvertible {
    /// The outcome.
    public let outcome: Outcome
    /// Number of the exchange to look at, from 1, or nothing where no exchange shows it.
    public let exchange: Int?
    /// Why it is this outcome, a sentence without its full stop.
    public let reason: String

    public init(_ outcome: Outcome, at exchange: Int? = nil, _ reason: String) {
        self.outcome = outcome
        self.exchange = exchange
        self.reason = reason
    }

    /// The finding in one line: `silent loss at exchange 7: /trips has 12 of 20 items`.
    public var description: String {
        let place = exchange.map { " at exchange \($0)" } ?? ""
        return "\(outcome.rawValue)\(place): \(reason)"
    }

    /// The finding as a program reads it; `exchange` is left out where there is none.
    public var node: Node {
        .map([
            "outcome": .text(outcome.rawValue), "exchange": exchange.map { .number($0) }, "reason": .text(reason),
        ])
    }
}

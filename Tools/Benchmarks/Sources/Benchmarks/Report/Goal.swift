/// What a measured number shall be.
enum Goal: CustomStringConvertible {
    case atMost(Double)
    case atLeast(Double)

    func isReached(by value: Double) -> Bool {
        switch self {
        case .atMost(let limit): value <= limit
        case .atLeast(let limit): value >= limit
        }
    }

    /// The goal with its sign, such as `≤ 2.5`.
    var description: String {
        switch self {
        case .atMost(let limit): "≤ \(Table.number(limit))"
        case .atLeast(let limit): "≥ \(Table.number(limit))"
        }
    }

    /// A number as a part of the goal: above 1 it misses an upper one, below 1 a lower one.
    func share(of value: Double) -> Double {
        switch self {
        case .atMost(let limit), .atLeast(let limit): value / max(limit, .leastNonzeroMagnitude)
        }
    }
}

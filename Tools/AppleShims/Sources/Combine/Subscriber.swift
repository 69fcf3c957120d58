/// A receiver of a publisher's values.
public protocol Subscriber<Input, Failure> {
    /// The values it takes.
    associatedtype Input
    /// The errors it takes; `Never` where none can come.
    associatedtype Failure: Error

    /// Hands over the subscription, once, before anything else.
    func receive(subscription: any Subscription)
    /// Hands over a value; the answer is how many more are asked for beyond what was asked before.
    func receive(_ input: Input) -> Subscribers.Demand
    /// Tells that nothing more will come.
    func receive(completion: Subscribers.Completion<Failure>)
}

/// The connection of a subscriber with a publisher.
public protocol Subscription: AnyObject, Cancellable {
    /// Asks for more values; requests add up.
    func request(_ demand: Subscribers.Demand)
}

/// What belongs to subscribers.
public enum Subscribers {
    /// A number of values asked for, which may be without limit.
    public struct Demand: Hashable, Sendable {
        /// The number; nil where there is no limit.
        public let max: Int?

        public static let none = Self(max: 0)
        /// As many as there are.
        public static let unlimited = Self(max: nil)

        /// A number of values, zero where it is negative.
        public static func max(_ count: Int) -> Self {
            Self(max: Swift.max(0, count))
        }

        public static func + (one: Self, other: Self) -> Self {
            guard let first = one.max, let second = other.max else { return .unlimited }
            let (sum, isTooMany) = first.addingReportingOverflow(second)
            return isTooMany ? .unlimited : .max(sum)
        }

        /// Adds to the demand.
        public static func += (one: inout Self, other: Self) {
            one = one + other
        }

        /// Takes one value off, if the demand allows one.
        mutating func take() -> Bool {
            guard let left = max else { return true }
            guard left > 0 else { return false }
            self = .max(left - 1)
            return true
        }
    }

    /// How a publisher came to its end.
    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}
extension Subscribers.Completion: Sendable where Failure: Sendable {}

extension Subscriber where Input == Void {
    /// Hands over an event without a value.
    public func receive() -> Subscribers.Demand {
        receive(())
    }
}

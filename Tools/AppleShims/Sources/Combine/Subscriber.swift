/// A receiver of a publisher's values.
public protocol Subscriber<Input, Failure> {
    /// The type of the values.
    associatedtype Input
    /// The type of the errors; `Never` if there can be none.
    associatedtype Failure: Error

    /// Receives the subscription, once, before anything else.
    func receive(subscription: any Subscription)
    /// Receives a value; returns the number of additional values requested.
    func receive(_ input: Input) -> Subscribers.Demand
    /// Receives the end.
    func receive(completion: Subscribers.Completion<Failure>)
}

/// The connection between a subscriber and a publisher.
public protocol Subscription: AnyObject, Cancellable {
    /// Requests more values; requests add up.
    func request(_ demand: Subscribers.Demand)
}

/// A namespace for subscribers.
public enum Subscribers {
    /// A number of requested values, possibly unlimited.
    public struct Demand: Hashable, Sendable {
        /// The number; nil for unlimited.
        public let max: Int?

        public static let none = Self(max: 0)
        /// All values.
        public static let unlimited = Self(max: nil)

        /// Returns a number of values; zero for a negative number.
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

        /// Subtracts one value; returns `false` if the demand does not allow one.
        mutating func take() -> Bool {
            guard let left = max else { return true }
            guard left > 0 else { return false }
            self = .max(left - 1)
            return true
        }
    }

    /// The way a publisher ended.
    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}
extension Subscribers.Completion: Sendable where Failure: Sendable {}

extension Subscriber where Input == Void {
    /// Receives an event without a value.
    public func receive() -> Subscribers.Demand {
        receive(())
    }
}

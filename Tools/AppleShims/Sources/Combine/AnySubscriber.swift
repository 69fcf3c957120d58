/// A subscriber whose type is hidden.
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
    private let take: (any Subscription) -> Void
    private let value: (Input) -> Subscribers.Demand
    private let end: (Subscribers.Completion<Failure>) -> Void

    /// Wraps a subscriber.
    public init<Wrapped: Subscriber>(_ wrapped: Wrapped) where Wrapped.Input == Input, Wrapped.Failure == Failure {
        take = { wrapped.receive(subscription: $0) }
        value = { wrapped.receive($0) }
        end = { wrapped.receive(completion: $0) }
    }

    /// Hands the subscription on.
    public func receive(subscription: any Subscription) {
        take(subscription)
    }

    /// Hands a value on.
    public func receive(_ input: Input) -> Subscribers.Demand {
        value(input)
    }

    /// Hands the end on.
    public func receive(completion: Subscribers.Completion<Failure>) {
        end(completion)
    }
}

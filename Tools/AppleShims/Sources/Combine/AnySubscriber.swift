/// A subscriber whose type is hidden.
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
    private let take: (any Subscription) -> Void
    private let value: (Input) -> Subscribers.Demand
    private let end: (Subscribers.Completion<Failure>) -> Void

    public init<Wrapped: Subscriber>(_ wrapped: Wrapped) where Wrapped.Input == Input, Wrapped.Failure == Failure {
        take = { wrapped.receive(subscription: $0) }
        value = { wrapped.receive($0) }
        end = { wrapped.receive(completion: $0) }
    }

    public func receive(subscription: any Subscription) {
        take(subscription)
    }

    public func receive(_ input: Input) -> Subscribers.Demand {
        value(input)
    }

    public func receive(completion: Subscribers.Completion<Failure>) {
        end(completion)
    }
}

/// A source of values over time.
public protocol Publisher<Output, Failure> {
    /// The type of the values.
    associatedtype Output
    /// The errors with which the publisher can end; `Never` if it cannot fail.
    associatedtype Failure: Error

    /// Connects a subscriber, which gets its subscription first.
    func receive<Receiver: Subscriber>(subscriber: Receiver)
    where Receiver.Input == Output, Receiver.Failure == Failure
}

extension Publisher {
    public func subscribe<Receiver: Subscriber>(_ subscriber: Receiver)
    where Receiver.Input == Output, Receiver.Failure == Failure {
        receive(subscriber: subscriber)
    }

    /// Connects a subject, which forwards what it receives.
    public func subscribe<Target: Subject>(_ subject: Target) -> AnyCancellable
    where Target.Output == Output, Target.Failure == Failure {
        sink(receiveCompletion: { subject.send(completion: $0) }, receiveValue: { subject.send($0) })
    }

    /// Hides the type of the publisher.
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
        AnyPublisher(self)
    }
}

/// A namespace for publishers.
public enum Publishers {}

/// A publisher whose type is hidden.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let attach: (AnySubscriber<Output, Failure>) -> Void

    public init<Wrapped: Publisher>(_ wrapped: Wrapped) where Wrapped.Output == Output, Wrapped.Failure == Failure {
        attach = { wrapped.receive(subscriber: $0) }
    }

    public func receive<Receiver: Subscriber>(subscriber: Receiver)
    where Receiver.Input == Output, Receiver.Failure == Failure {
        attach(AnySubscriber(subscriber))
    }
}

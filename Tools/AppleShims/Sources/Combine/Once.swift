import Foundation

/// A publisher of one value.
public struct Just<Output>: Publisher {
    public typealias Failure = Never

    private let value: Output

    public init(_ output: Output) {
        value = output
    }

    /// Connects a subscriber, which gets the value and the end once it requests a value.
    public func receive<Receiver: Subscriber>(subscriber: Receiver)
    where Receiver.Input == Output, Receiver.Failure == Never {
        Delivery.attach(subscriber, .success(value))
    }
}

/// A publisher that fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
    private let error: Failure

    public init(error: Failure) {
        self.error = error
    }

    /// Creates a publisher with the error, for a named output type.
    public init(outputType: Output.Type, failure: Failure) {
        self.init(error: failure)
    }

    /// Connects a subscriber, which gets the error.
    public func receive<Receiver: Subscriber>(subscriber: Receiver)
    where Receiver.Input == Output, Receiver.Failure == Failure {
        Delivery.attach(subscriber, .failure(error))
    }
}

/// A publisher without values.
public struct Empty<Output, Failure: Error>: Publisher {
    private let endsAtOnce: Bool

    /// Creates a publisher that ends at once, or never.
    public init(completeImmediately: Bool = true) {
        endsAtOnce = completeImmediately
    }

    public func receive<Receiver: Subscriber>(subscriber: Receiver)
    where Receiver.Input == Output, Receiver.Failure == Failure {
        subscriber.receive(subscription: EmptySubscription())
        if endsAtOnce { subscriber.receive(completion: .finished) }
    }
}

/// A publisher of one value from work that has already started.
public final class Future<Output, Failure: Error>: Publisher {
    /// Takes the result of the work.
    public typealias Promise = (Result<Output, Failure>) -> Void

    private let lock = NSLock()
    private var result: Result<Output, Failure>?
    private var waiting: [Delivery<Output, Failure>] = []

    /// Starts the work, which calls the promise once; later calls do nothing.
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        attemptToFulfill { result in self.fulfill(result) }
    }

    /// Connects a subscriber, which gets the value as soon as there is one.
    public func receive<Receiver: Subscriber>(subscriber: Receiver)
    where Receiver.Input == Output, Receiver.Failure == Failure {
        let delivery = Delivery(AnySubscriber(subscriber))
        subscriber.receive(subscription: delivery)
        let known = lock.withLock {
            if result == nil { waiting.append(delivery) }
            return result
        }
        if let known { delivery.fulfill(known) }
    }

    private func fulfill(_ outcome: Result<Output, Failure>) {
        let receivers = lock.withLock {
            guard result == nil else { return [Delivery<Output, Failure>]() }
            result = outcome
            defer { waiting = [] }
            return waiting
        }
        for delivery in receivers { delivery.fulfill(outcome) }
    }
}

/// The subscription to a single result: an error is delivered at once, a value when it is requested.
private final class Delivery<Output, Failure: Error>: Subscription {
    private let lock = NSLock()
    private var subscriber: AnySubscriber<Output, Failure>?
    private var result: Result<Output, Failure>?
    private var isWanted = false

    init(_ subscriber: AnySubscriber<Output, Failure>) {
        self.subscriber = subscriber
    }

    static func attach<Receiver: Subscriber>(_ subscriber: Receiver, _ result: Result<Output, Failure>)
    where Receiver.Input == Output, Receiver.Failure == Failure {
        let delivery = Delivery(AnySubscriber(subscriber))
        subscriber.receive(subscription: delivery)
        delivery.fulfill(result)
    }

    func fulfill(_ outcome: Result<Output, Failure>) {
        lock.withLock { result = outcome }
        deliver()
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock { isWanted = isWanted || demand != .none }
        deliver()
    }

    func cancel() {
        lock.withLock { subscriber = nil }
    }

    private func deliver() {
        let due = lock.withLock { () -> (AnySubscriber<Output, Failure>, Result<Output, Failure>)? in
            guard let subscriber, let result else { return nil }
            if case .success = result, !isWanted { return nil }
            self.subscriber = nil
            return (subscriber, result)
        }
        guard let (receiver, outcome) = due else { return }
        switch outcome {
        case .success(let value):
            _ = receiver.receive(value)
            receiver.receive(completion: .finished)
        case .failure(let error): receiver.receive(completion: .failure(error))
        }
    }
}

import Foundation

/// A subject that keeps its latest value and sends it to each new subscriber.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private let hub: Hub<Output, Failure>
    private let lock = NSLock()
    private var latest: Output

    /// Creates a subject with a first value.
    public init(_ value: Output) {
        latest = value
        hub = Hub(value)
    }

    /// The latest value; setting it also sends it.
    public var value: Output {
        get { lock.withLock { latest } }
        set { send(newValue) }
    }

    /// Keeps a value and sends it to every subscriber.
    public func send(_ value: Output) {
        lock.withLock { latest = value }
        hub.send(value)
    }

    /// Ends the subject; later subscribers get the end at once.
    public func send(completion: Subscribers.Completion<Failure>) {
        hub.send(completion: completion)
    }

    /// Connects a subscriber, which gets the latest value first.
    public func receive<Receiver: Subscriber>(subscriber: Receiver)
    where Receiver.Input == Output, Receiver.Failure == Failure {
        hub.attach(AnySubscriber(subscriber))
    }
}

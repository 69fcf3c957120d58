/// A subject that keeps no value: a value reaches the subscribers that have requested one by then.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let hub = Hub<Output, Failure>()

    public init() {}

    /// Sends a value to every subscriber that has requested one.
    public func send(_ value: Output) {
        hub.send(value)
    }

    /// Ends the subject; later subscribers get the end at once.
    public func send(completion: Subscribers.Completion<Failure>) {
        hub.send(completion: completion)
    }

    public func receive<Receiver: Subscriber>(subscriber: Receiver)
    where Receiver.Input == Output, Receiver.Failure == Failure {
        hub.attach(AnySubscriber(subscriber))
    }
}

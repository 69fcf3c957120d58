import Foundation

/// One subscriber of a hub: counts its demand and delivers values one after another.
final class Conduit<Output, Failure: Error>: Subscription {
    /// Held while a value is delivered, so that values sent by several threads arrive one at a time.
    ///
    /// Recursive, because a subscriber may send while it receives.
    private let delivery = NSRecursiveLock()
    private let lock = NSLock()
    private let hub: Hub<Output, Failure>
    private var subscriber: AnySubscriber<Output, Failure>?
    private var demand = Subscribers.Demand.none
    private var waiting: Output?

    init(_ subscriber: AnySubscriber<Output, Failure>, _ hub: Hub<Output, Failure>) {
        self.subscriber = subscriber
        self.hub = hub
    }

    /// Delivers a value, or keeps or drops it if none was requested.
    func offer(_ value: Output) {
        delivery.withLock {
            let receiver = lock.withLock { () -> AnySubscriber<Output, Failure>? in
                guard let subscriber else { return nil }
                guard demand.take() else {
                    waiting = hub.keepsLatest ? value : nil
                    return nil
                }
                waiting = nil
                return subscriber
            }
            guard let receiver else { return }
            let more = receiver.receive(value)
            lock.withLock { demand += more }
        }
    }

    /// Keeps the first value for the first request.
    func prepare(_ value: Output) {
        lock.withLock { waiting = value }
    }

    func request(_ more: Subscribers.Demand) {
        delivery.withLock {
            let next = lock.withLock {
                demand += more
                return waiting
            }
            if let next { offer(next) }
        }
    }

    func finish(_ completion: Subscribers.Completion<Failure>) {
        delivery.withLock { take()?.receive(completion: completion) }
    }

    func cancel() {
        _ = take()
        hub.remove(self)
    }

    private func take() -> AnySubscriber<Output, Failure>? {
        lock.withLock {
            defer { (subscriber, waiting) = (nil, nil) }
            return subscriber
        }
    }
}

/// A subscription to a finished publisher, which ignores requests.
final class EmptySubscription: Subscription {
    func request(_: Subscribers.Demand) {}
    func cancel() {}
}

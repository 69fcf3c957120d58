import Foundation

/// The subscribers of a subject, in the order of subscription, and its latest value if it keeps one.
final class Hub<Output, Failure: Error> {
    let keepsLatest: Bool
    private let lock = NSLock()
    private var latest: Output?
    private var conduits: [Conduit<Output, Failure>] = []
    private var completion: Subscribers.Completion<Failure>?

    /// Creates a hub that keeps no value.
    init() {
        keepsLatest = false
    }

    /// Creates a hub that sends its latest value to each new subscriber.
    init(_ value: Output) {
        keepsLatest = true
        latest = value
    }

    /// The latest value, if the hub keeps one.
    var value: Output? {
        lock.withLock { latest }
    }

    func attach(_ subscriber: AnySubscriber<Output, Failure>) {
        let conduit = Conduit(subscriber, self)
        let end = lock.withLock {
            if completion == nil {
                if let latest { conduit.prepare(latest) }
                conduits.append(conduit)
            }
            return completion
        }
        guard let end else { return subscriber.receive(subscription: conduit) }
        subscriber.receive(subscription: EmptySubscription())
        subscriber.receive(completion: end)
    }

    func send(_ value: Output) {
        let receivers = lock.withLock {
            guard completion == nil else { return [Conduit<Output, Failure>]() }
            if keepsLatest { latest = value }
            return conduits
        }
        for conduit in receivers { conduit.offer(value) }
    }

    func send(completion end: Subscribers.Completion<Failure>) {
        let receivers = lock.withLock {
            guard completion == nil else { return [Conduit<Output, Failure>]() }
            completion = end
            defer { conduits = [] }
            return conduits
        }
        for conduit in receivers { conduit.finish(end) }
    }

    func remove(_ conduit: Conduit<Output, Failure>) {
        lock.withLock { conduits.removeAll { $0 === conduit } }
    }
}

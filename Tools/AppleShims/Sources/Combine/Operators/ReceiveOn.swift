import Foundation

extension Publisher {
    /// Delivers values and the end through a scheduler, in order.
    public func receive<Context: Scheduler>(
        on scheduler: Context, options: Context.SchedulerOptions? = nil
    ) -> Publishers.ReceiveOn<Self, Context> {
        Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
    }
}

extension Publishers {
    /// A publisher that delivers through a scheduler.
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        let scheduler: Context
        let options: Context.SchedulerOptions?

        /// Connects a subscriber through the scheduler.
        public func receive<Receiver: Subscriber>(subscriber: Receiver)
        where Receiver.Input == Output, Receiver.Failure == Failure {
            let (scheduler, options) = (scheduler, options)
            upstream.subscribe(
                Relay(AnySubscriber(subscriber)) { scheduler.schedule(options: options, $0) })
        }
    }
}

/// Sits between a publisher and a subscriber and sends every delivery through a scheduler.
private final class Relay<Input, Failure: Error>: Subscriber, Subscription {
    private let schedule: (@escaping () -> Void) -> Void
    private let lock = NSLock()
    private var subscriber: AnySubscriber<Input, Failure>?
    private var upstream: (any Subscription)?

    init(_ subscriber: AnySubscriber<Input, Failure>, _ schedule: @escaping (@escaping () -> Void) -> Void) {
        self.subscriber = subscriber
        self.schedule = schedule
    }

    func receive(subscription: any Subscription) {
        let receiver = lock.withLock {
            upstream = subscription
            return subscriber
        }
        receiver?.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        schedule { [self] in
            // A subscriber that has cancelled by now gets nothing, even if the value was already on its way.
            guard let receiver = lock.withLock({ subscriber }) else { return }
            let more = receiver.receive(input)
            if more != .none { request(more) }
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        schedule { [self] in
            let receiver = lock.withLock {
                defer { (subscriber, upstream) = (nil, nil) }
                return subscriber
            }
            receiver?.receive(completion: completion)
        }
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock { upstream }?.request(demand)
    }

    func cancel() {
        let taken = lock.withLock {
            defer { (subscriber, upstream) = (nil, nil) }
            return upstream
        }
        taken?.cancel()
    }
}

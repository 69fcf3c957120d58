import Foundation

extension Publishers {
    /// A publisher that turns each value of another publisher into one value, none, or an end.
    public struct Stepwise<Upstream: Publisher, Output, Failure: Error>: Publisher {
        let upstream: Upstream
        /// Creates the rule for one subscription; the rule may keep state.
        let rule: () -> (Upstream.Output) -> Step<Output, Failure>
        let end: (Subscribers.Completion<Upstream.Failure>) -> Step<Output, Failure>

        /// Connects a subscriber through the rule.
        public func receive<Receiver: Subscriber>(subscriber: Receiver)
        where Receiver.Input == Output, Receiver.Failure == Failure {
            upstream.subscribe(Stepper(AnySubscriber(subscriber), rule(), end))
        }
    }
}

/// The result of the rule for one event.
enum Step<Output, Failure: Error> {
    case value(Output)
    case skip
    /// A value that is also the end.
    case last(Output)
    case end(Subscribers.Completion<Failure>)
}

/// Sits between a publisher and a subscriber and applies a rule; demand passes through.
final class Stepper<Input, Upset: Error, Output, Failure: Error>: Subscriber, Subscription {
    private let rule: (Input) -> Step<Output, Failure>
    private let end: (Subscribers.Completion<Upset>) -> Step<Output, Failure>
    private let lock = NSLock()
    private var subscriber: AnySubscriber<Output, Failure>?
    private var upstream: (any Subscription)?

    init(
        _ subscriber: AnySubscriber<Output, Failure>, _ rule: @escaping (Input) -> Step<Output, Failure>,
        _ end: @escaping (Subscribers.Completion<Upset>) -> Step<Output, Failure>
    ) {
        self.subscriber = subscriber
        self.rule = rule
        self.end = end
    }

    func receive(subscription: any Subscription) {
        let receiver = lock.withLock {
            upstream = subscription
            return subscriber
        }
        receiver?.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        guard let receiver = lock.withLock({ subscriber }) else { return .none }
        let step = rule(input)
        if case .skip = step { return .max(1) }
        let more = hand(step, to: receiver)
        return more ?? stop()
    }

    func receive(completion: Subscribers.Completion<Upset>) {
        guard let receiver = lock.withLock({ subscriber }) else { return }
        _ = hand(end(completion), to: receiver)
        _ = take()
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock { upstream }?.request(demand)
    }

    func cancel() {
        take()?.cancel()
    }

    /// Delivers the result of a step; returns nil if that was the end.
    private func hand(_ step: Step<Output, Failure>, to receiver: AnySubscriber<Output, Failure>) -> Subscribers.Demand?
    {
        switch step {
        case .value(let value): return receiver.receive(value)
        case .skip: return Subscribers.Demand.none
        case .last(let value):
            _ = receiver.receive(value)
            receiver.receive(completion: .finished)
        case .end(let completion): receiver.receive(completion: completion)
        }
        return nil
    }

    private func stop() -> Subscribers.Demand {
        take()?.cancel()
        return .none
    }

    /// Releases both sides.
    private func take() -> (any Subscription)? {
        lock.withLock {
            defer { (subscriber, upstream) = (nil, nil) }
            return upstream
        }
    }
}

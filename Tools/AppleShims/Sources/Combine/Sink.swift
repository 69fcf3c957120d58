import Foundation

extension Publisher {
    /// Calls closures for every value and for the end, until the result is cancelled or goes.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        subscribe(sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    /// Calls a closure for every value, until the result is cancelled or goes.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Sets a property of an object, which is held, to every value, until the result is cancelled or goes.
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }

    /// Sets a published property to every value, as long as the object that has it lives.
    public func assign(to published: inout Published<Output>.Publisher) {
        published.state.keep { [weak state = published.state] in
            sink { state?.set($0) }
        }
    }
}

extension Subscribers {
    /// A subscriber without limit that calls closures.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
        private let lock = NSLock()
        private var subscription: (any Subscription)?
        private var isOver = false
        private var value: ((Input) -> Void)?
        private var end: ((Completion<Failure>) -> Void)?

        /// Takes the closures for the end and for every value.
        public init(
            receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
        ) {
            value = receiveValue
            end = receiveCompletion
        }

        /// Keeps the first subscription and asks for all values; any further one is cancelled.
        public func receive(subscription: any Subscription) {
            let isTaken = lock.withLock {
                guard self.subscription == nil, !isOver else { return false }
                self.subscription = subscription
                return true
            }
            if isTaken { subscription.request(.unlimited) } else { subscription.cancel() }
        }

        public func receive(_ input: Input) -> Demand {
            lock.withLock { value }?(input)
            return .none
        }

        /// Calls the closure for the end and lets go of both.
        public func receive(completion: Completion<Failure>) {
            close().end?(completion)
        }

        /// Ends the subscription without calling a closure.
        public func cancel() {
            close().subscription?.cancel()
        }

        /// Marks the end and hands out what was held, which is then released outside the lock.
        private func close() -> (
            subscription: (any Subscription)?, value: ((Input) -> Void)?, end: ((Completion<Failure>) -> Void)?
        ) {
            lock.withLock {
                defer { (subscription, value, end, isOver) = (nil, nil, nil, true) }
                return (subscription, value, end)
            }
        }
    }
}

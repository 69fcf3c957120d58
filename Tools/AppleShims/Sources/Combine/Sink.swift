import Foundation

extension Publisher {
    /// Calls closures for every value and for the end, until the result is cancelled or deallocated.
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
    /// Calls a closure for every value, until the result is cancelled or deallocated.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Sets a property of an object to every value, until the result is cancelled or deallocated; retains the object.
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }

    /// Sets a published property to every value, as long as its object exists.
    public func assign(to published: inout Published<Output>.Publisher) {
        published.state.keep { [weak state = published.state] in
            sink { state?.set($0) }
        }
    }
}

extension Subscribers {
    /// A subscriber with unlimited demand that calls closures.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
        private let lock = NSLock()
        private var subscription: (any Subscription)?
        private var isOver = false
        private var value: ((Input) -> Void)?
        private var end: ((Completion<Failure>) -> Void)?

        /// Creates a subscriber with closures for the end and for every value.
        public init(
            receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
        ) {
            value = receiveValue
            end = receiveCompletion
        }

        /// Keeps the first subscription and requests all values; cancels any further subscription.
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

        /// Calls the closure for the end and releases both closures.
        public func receive(completion: Completion<Failure>) {
            close().end?(completion)
        }

        /// Ends the subscription without calling a closure.
        public func cancel() {
            close().subscription?.cancel()
        }

        /// Marks the end and returns the stored objects, which are then released outside the lock.
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

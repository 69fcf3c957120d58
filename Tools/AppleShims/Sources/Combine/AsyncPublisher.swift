import Foundation

extension Publisher where Failure == Never {
    /// The values as an asynchronous sequence, which requests one value at a time.
    public var values: AsyncPublisher<Self> {
        AsyncPublisher(self)
    }
}

/// The values of a publisher that does not fail, requested one after another.
public struct AsyncPublisher<Upstream: Publisher>: AsyncSequence where Upstream.Failure == Never {
    public typealias Element = Upstream.Output

    private let upstream: Upstream

    public init(_ publisher: Upstream) {
        upstream = publisher
    }

    public func makeAsyncIterator() -> Iterator {
        let waiter = Waiter<Element>()
        upstream.subscribe(waiter)
        return Iterator(waiter: waiter)
    }

    /// A subscription that waits for one value at a time.
    public struct Iterator: AsyncIteratorProtocol {
        let waiter: Waiter<Upstream.Output>

        /// Waits for the next value; returns nil after the end or if the task was cancelled.
        public mutating func next() async -> Upstream.Output? {
            await waiter.next()
        }
    }
}

/// A subscriber that requests one value for each waiting task.
final class Waiter<Input>: Subscriber, @unchecked Sendable {
    typealias Failure = Never

    private let lock = NSLock()
    private var subscription: (any Subscription)?
    private var waiting: [CheckedContinuation<Input?, Never>] = []
    private var asked = 0
    private var isOver = false

    deinit {
        subscription?.cancel()
    }

    func next() async -> Input? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0) }
        } onCancel: {
            close()
        }
    }

    func receive(subscription: any Subscription) {
        let count = lock.withLock {
            self.subscription = subscription
            defer { asked = 0 }
            return asked
        }
        if count > 0 { subscription.request(.max(count)) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let next = lock.withLock { waiting.isEmpty ? nil : waiting.removeFirst() }
        next?.resume(returning: input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {
        close()
    }

    private func wait(_ continuation: CheckedContinuation<Input?, Never>) {
        let (isLate, source) = lock.withLock {
            guard !isOver else { return (true, (any Subscription)?.none) }
            waiting.append(continuation)
            if subscription == nil { asked += 1 }
            return (false, subscription)
        }
        if isLate { continuation.resume(returning: nil) }
        source?.request(.max(1))
    }

    private func close() {
        let (left, source) = lock.withLock {
            defer { (waiting, subscription, isOver) = ([], nil, true) }
            return (waiting, subscription)
        }
        source?.cancel()
        for continuation in left { continuation.resume(returning: nil) }
    }
}

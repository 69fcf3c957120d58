import Combine
import Dispatch
import Testing

private struct Trouble: Error, Equatable {
    let code: Int
}

/// The values and ends of operators.
struct OperatorTests {
    private let numbers = PassthroughSubject<Int, Never>()

    @Test func `Values are mapped, chosen and carried on`() {
        #expect(seen(numbers.map { $0 * 2 }) == [2, 4, 4, 6, 10])
        #expect(seen(numbers.map(\.description)) == ["1", "2", "2", "3", "5"])
        #expect(seen(numbers.filter { $0 > 1 }) == [2, 2, 3, 5])
        #expect(seen(numbers.compactMap { $0 == 2 ? nil : -$0 }) == [-1, -3, -5])
        #expect(seen(numbers.removeDuplicates()) == [1, 2, 3, 5])
        #expect(seen(numbers.dropFirst(3)) == [3, 5])
        #expect(seen(numbers.scan(0, +)) == [1, 3, 5, 8, 13])
        #expect(seen(numbers.first()) == [1])
        #expect(seen(numbers.first { $0 > 2 }) == [3])
        #expect(seen(numbers.map { $0 > 2 ? $0 : nil }.replaceNil(with: 0)) == [0, 0, 0, 3, 5])
        #expect(seen(numbers.filter { $0 > 1 }.map { $0 + 1 }.eraseToAnyPublisher()) == [3, 3, 4, 6])
    }

    @Test func `What is dropped does not use up the demand`() {
        let odd = numbers.filter { $0 % 2 == 1 }.first()
        #expect(seen(odd.dropFirst(0)) == [1])
        var seen: [Int] = []
        let observed = numbers.compactMap { $0 > 4 ? $0 : nil }.first().sink { seen.append($0) }
        for value in 1...9 { numbers.send(value) }
        #expect(seen == [5])
        observed.cancel()
    }

    @Test func `An error ends the publisher and can be changed or replaced`() {
        let source = PassthroughSubject<Int, Never>()
        var (values, ends) = ([Int](), [Subscribers.Completion<Trouble>]())
        let failing = source.tryMap { value -> Int in
            if value > 1 { throw Trouble(code: value) }
            return value
        }
        let bag = [
            failing.mapError { Trouble(code: ($0 as? Trouble)?.code ?? -1) }
                .sink(receiveCompletion: { ends.append($0) }, receiveValue: { values.append($0) }),
            failing.replaceError(with: 99).sink { values.append($0 * 10) },
        ]
        for value in 1...3 { source.send(value) }
        #expect(values == [1, 10, 990])
        #expect(ends == [.failure(Trouble(code: 2))])
        #expect(bag.count == 2)
    }

    @Test func `Publishers of a single result tell it to each subscriber`() {
        #expect(seen(Just(4)) == [4])
        var begun = 0
        let future = Future<Int, Never> { promise in
            begun += 1
            promise(.success(7))
            promise(.success(8))
        }
        #expect(seen(future) == [7])
        #expect(seen(future) == [7])
        #expect(begun == 1)
        #expect(seen(Empty<Int, Never>()) == [])
        #expect(seen(Fail<Int, Trouble>(error: Trouble(code: 1)).replaceError(with: 2)) == [2])
        #expect(seen(Just(1).setFailureType(to: Trouble.self).replaceError(with: 2)) == [1])
    }

    @Test func `A property of an object is set to each value`() {
        final class Label { var text = "" }
        let label = Label()
        let observed = numbers.map(\.description).assign(to: \.text, on: label)
        numbers.send(12)
        observed.cancel()
        numbers.send(13)
        #expect(label.text == "12")
    }

    @Test func `A queue delivers in order, and nothing after cancelling`() async {
        let queue = DispatchQueue(label: "delivery")
        var (values, isOnQueue, late) = ([Int](), true, [Int]())
        let observed = numbers.receive(on: queue).sink { value in
            dispatchPrecondition(condition: .onQueue(queue))
            isOnQueue = isOnQueue && value > 0
            values.append(value)
        }
        let cancelled = numbers.receive(on: queue).sink { late.append($0) }
        queue.suspend()
        for value in 1...5 { numbers.send(value) }
        cancelled.cancel()
        queue.resume()
        queue.sync {}
        #expect(values == [1, 2, 3, 4, 5])
        #expect(isOnQueue)
        #expect(late == [])
        observed.cancel()
    }

    @Test func `Values can be awaited one after another`() async {
        let subject = CurrentValueSubject<Int, Never>(1)
        var iterator = subject.values.makeAsyncIterator()
        #expect(await iterator.next() == 1)
        subject.send(2)
        subject.send(3)
        #expect(await iterator.next() == 3)
        subject.send(completion: .finished)
        #expect(await iterator.next() == nil)
    }

    /// Returns the values that a subscriber of a publisher over `numbers` receives.
    private func seen<Value>(_ publisher: some Publisher<Value, Never>) -> [Value] {
        var values: [Value] = []
        let observed = publisher.sink { values.append($0) }
        for value in [1, 2, 2, 3, 5] { numbers.send(value) }
        observed.cancel()
        return values
    }
}

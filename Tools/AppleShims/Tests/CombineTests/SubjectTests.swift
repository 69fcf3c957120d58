import Combine
import Foundation
import Testing

private enum Trouble: Error, Equatable {
    case lost
}

/// The delivery of subjects, and the effects of cancelling and demand.
struct SubjectTests {
    @Test func `A passthrough subject reaches those who subscribed, in their order, until its end`() {
        let subject = PassthroughSubject<Int, Trouble>()
        var (seen, ends) = ([String](), [Subscribers.Completion<Trouble>]())
        subject.send(0)
        let bag = ["a", "b"].map { name in
            subject.sink(receiveCompletion: { ends.append($0) }, receiveValue: { seen.append("\(name)\($0)") })
        }
        subject.send(1)
        subject.send(completion: .failure(.lost))
        subject.send(2)
        #expect(seen == ["a1", "b1"])
        #expect(ends == [.failure(.lost), .failure(.lost)])
        #expect(bag.count == 2)
    }

    @Test func `A late subscriber of a subject that is over is told the end at once`() {
        let subject = PassthroughSubject<Int, Never>()
        subject.send(completion: .finished)
        var isOver = false
        let late = subject.sink(receiveCompletion: { isOver = $0 == .finished }, receiveValue: { _ in })
        #expect(isOver)
        late.cancel()
    }

    @Test func `A current value subject tells its value to each new subscriber`() {
        let subject = CurrentValueSubject<Int, Never>(1)
        var seen: [Int] = []
        let first = subject.sink { seen.append($0) }
        subject.value = 2
        let second = subject.sink { seen.append($0 * 10) }
        subject.send(3)
        #expect(seen == [1, 2, 20, 3, 30])
        #expect(subject.value == 3)
        first.cancel()
        second.cancel()
    }

    @Test func `After cancelling, or once the cancellable has gone, nothing comes`() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        var bag: Set<AnyCancellable> = []
        subject.sink { seen.append($0) }.store(in: &bag)
        let other = subject.sink { seen.append(-$0) }
        subject.send(1)
        other.cancel()
        other.cancel()
        subject.send(2)
        bag = []
        subject.send(3)
        #expect(seen == [1, -1, 2])
    }

    @Test func `A subscriber may cancel and send while it receives`() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        var cancellable: AnyCancellable?
        cancellable = subject.sink { value in
            seen.append(value)
            if value < 3 { subject.send(value + 1) } else { cancellable?.cancel() }
        }
        subject.send(1)
        subject.send(1)
        #expect(seen == [1, 2, 3])
    }

    @Test func `Nothing beyond the demand is delivered, and a current value waits for it`() {
        let passing = PassthroughSubject<Int, Never>()
        let keeping = CurrentValueSubject<Int, Never>(0)
        let (first, second) = (Asker(), Asker())
        passing.subscribe(first)
        keeping.subscribe(second)
        for subscriber in [first, second] { #expect(subscriber.seen == []) }
        first.ask(1)
        for value in [1, 2] {
            passing.send(value)
            keeping.send(value)
        }
        second.ask(2)
        keeping.send(3)
        keeping.send(4)
        #expect(first.seen == [1])
        #expect(second.seen == [2, 3])
    }

    @Test func `Values of several threads arrive one at a time and none is lost`() {
        let subject = PassthroughSubject<Int, Never>()
        var (sum, inside, overlaps) = (0, false, 0)
        let observed = subject.sink { value in
            if inside { overlaps += 1 }
            inside = true
            sum += value
            inside = false
        }
        let sender = Sender(subject: subject)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for value in 1...500 { sender.subject.send(value) }
        }
        #expect(sum == 8 * 500 * 501 / 2)
        #expect(overlaps == 0)
        observed.cancel()
    }

    @Test func `What a closure held is let go when its subscription ends`() {
        let subject = PassthroughSubject<Int, Never>()
        var token: Asker? = Asker()
        weak let weakToken = token
        let observed = subject.sink { [token] in token?.note($0) }
        token = nil
        #expect(weakToken != nil)
        observed.cancel()
        #expect(weakToken == nil)
    }
}

/// A subject used from several threads, as its locks allow.
private struct Sender: @unchecked Sendable {
    let subject: PassthroughSubject<Int, Never>
}

/// A subscriber whose demand is set by the test.
private final class Asker: Subscriber {
    private(set) var seen: [Int] = []
    private var subscription: (any Subscription)?

    func ask(_ count: Int) {
        subscription?.request(.max(count))
    }

    func note(_ value: Int) {
        seen.append(value)
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        note(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
}

import Combine
import Testing

private class Reader: ObservableObject {
    @Published var history: [Int] = []
    @Published var error: String?
}

private final class NamedReader: Reader {
    @Published var name = ""
}

/// A class that announces its changes itself, as code without `@Published` does.
private final class Counter: ObservableObject {
    var count = 0 {
        willSet { objectWillChange.send() }
    }
}

private final class OwnPublisher: ObservableObject {
    let objectWillChange = PassthroughSubject<String, Never>()
    @Published var value = 0
}

@MainActor
private final class Screen: ObservableObject {
    @Published var lines: [String] = []
}

/// The announcements of `@Published` and `ObservableObject`, and their order.
struct PublishedTests {
    @Test func `The object tells first, then the property, and then it has the new value`() {
        let reader = Reader()
        var seen: [String] = []
        let bag = [
            reader.objectWillChange.sink { seen.append("object \(reader.history)") },
            reader.$history.sink { seen.append("property \($0) over \(reader.history)") },
        ]
        reader.history = [1]
        #expect(seen == ["property [] over []", "object []", "property [1] over []"])
        #expect(reader.history == [1])
        #expect(bag.count == 2)
    }

    @Test func `A change inside a value tells as an assignment does`() {
        let reader = Reader()
        var (changes, seen) = (0, [[Int]]())
        let bag = [reader.objectWillChange.sink { changes += 1 }, reader.$history.sink { seen.append($0) }]
        reader.history.append(7)
        reader.history[0] += 1
        reader.error = "lost"
        #expect(changes == 3)
        #expect(seen == [[], [7], [8]])
        #expect(bag.count == 2)
    }

    @Test func `Properties of a superclass and of a subclass tell through one publisher`() {
        let reader = NamedReader()
        var changes = 0
        let observed = reader.objectWillChange.sink { changes += 1 }
        reader.name = "ICOCA"
        reader.history = [3]
        #expect(changes == 2)
        #expect(reader.objectWillChange === reader.objectWillChange)
        observed.cancel()
        reader.name = "Suica"
        #expect(changes == 2)
    }

    @Test func `A class without published properties can tell by itself`() {
        let counter = Counter()
        var seen: [Int] = []
        let observed = counter.objectWillChange.sink { seen.append(counter.count) }
        counter.count = 5
        counter.count = 6
        #expect(seen == [0, 5])
        observed.cancel()
    }

    @Test func `A class with a publisher of its own tells only what it sends`() {
        let object = OwnPublisher()
        var seen: [String] = []
        let observed = object.objectWillChange.sink { seen.append($0) }
        object.value = 1
        object.objectWillChange.send("by hand")
        #expect(seen == ["by hand"])
        observed.cancel()
    }

    @Test func `Objects that follow one another in memory do not share a publisher`() {
        var changes = 0
        for _ in 0..<200 {
            let counter = Counter()
            let observed = counter.objectWillChange.sink { changes += 1 }
            counter.count = 1
            observed.cancel()
        }
        #expect(changes == 200)
    }

    @Test func `A property can be fed by a publisher as long as its object lives`() {
        let source = PassthroughSubject<[Int], Never>()
        var reader: Reader? = Reader()
        weak let weakReader = reader
        source.assign(to: &reader!.$history)  // swift-format-ignore: NeverForceUnwrap
        source.send([9])
        #expect(reader?.history == [9])
        reader = nil
        #expect(weakReader == nil)
        source.send([10])
    }

    @Test @MainActor func `A class of the main actor publishes as any other`() {
        let screen = Screen()
        var seen: [[String]] = []
        let observed = screen.$lines.sink { seen.append($0) }
        screen.lines.append("3120")
        #expect(seen == [[], ["3120"]])
        observed.cancel()
    }

    @Test func `The publisher of a property ends with its object`() {
        var ended = false
        var reader: Reader? = Reader()
        let observed = reader?.$error.sink(receiveCompletion: { _ in ended = true }, receiveValue: { _ in })
        #expect(!ended)
        reader = nil
        #expect(ended)
        observed?.cancel()
    }
}

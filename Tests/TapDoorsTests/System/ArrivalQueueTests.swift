import Testing

@testable import TapDoors

/// Many descriptors, one queue.
@Suite(.timeLimit(.minutes(1))) struct `A queue of what arrives` {
    @Test func `tells on which descriptor something has come, in the order of coming`() throws {
        let queue = try ArrivalQueue()
        let pipes = try (0..<3).map { _ in try Descriptor.makePipe() }
        for (number, pipe) in pipes.enumerated() { try queue.add(pipe.reading, number: number - 1) }
        for number in [1, -1, 0] {
            #expect(pipes[number + 1].writing.send([7]) == 1)
            let arrived = queue.next()
            #expect(arrived.map(\.number) == [number])
            #expect(arrived.map(\.isLast) == [false])
        }
    }

    @Test func `tells each news once, read or not`() throws {
        let queue = try ArrivalQueue()
        let (first, second) = (try Descriptor.makePipe(), try Descriptor.makePipe())
        try queue.add(first.reading, number: 1)
        try queue.add(second.reading, number: 2)
        _ = first.writing.send([7])
        #expect(queue.next().map(\.number) == [1])
        _ = second.writing.send([7])
        // The byte of the first one is still there.
        #expect(queue.next().map(\.number) == [2])
        _ = first.writing.send([8])
        #expect(queue.next().map(\.number) == [1])
    }

    @Test func `tells of up to 64 at once, in the order of coming`() throws {
        let queue = try ArrivalQueue()
        let pipes = try (0..<100).map { _ in try Descriptor.makePipe() }
        for (number, pipe) in pipes.enumerated() { try queue.add(pipe.reading, number: number) }
        for pipe in pipes.reversed() { _ = pipe.writing.send([7]) }
        let (first, second) = (queue.next().map(\.number), queue.next().map(\.number))
        #expect(first == (36..<100).reversed())
        #expect(second == (0..<36).reversed())
    }

    @Test func `tells what came before the descriptor was added`() throws {
        let queue = try ArrivalQueue()
        let pipe = try Descriptor.makePipe()
        _ = pipe.writing.send([7])
        try queue.add(pipe.reading, number: 5)
        #expect(queue.next().map(\.number) == [5])
    }

    @Test func `tells that nothing comes any more`() throws {
        let queue = try ArrivalQueue()
        let (closed, open) = (try Descriptor.makePipe(), try Descriptor.makePipe())
        try queue.add(closed.reading, number: 1)
        try queue.add(open.reading, number: 2)
        closed.writing.shut()
        let arrived = queue.next()
        #expect(arrived.map(\.number) == [1])
        #expect(arrived.map(\.isLast) == [true])
    }

    @Test func `refuses what is no descriptor`() throws {
        let queue = try ArrivalQueue()
        let pipe = try Descriptor.makePipe()
        pipe.reading.shut()
        #expect(throws: SystemError.self) { try queue.add(pipe.reading, number: 1) }
    }
}

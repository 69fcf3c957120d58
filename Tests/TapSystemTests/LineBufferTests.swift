import TapSystem
import TestSupport
import Testing

/// Lines are returned whole, however the stream is split.
@Suite struct `Lines of a stream` {
    private func lines(_ text: String, cutInto size: Int, maximumLength: Int = 100) -> [String?] {
        var buffer = LineBuffer(maximumLength: maximumLength)
        var lines: [LineBuffer.Line] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            buffer.append(rest.prefix(size))
            rest = rest.dropFirst(size)
            while let line = buffer.next() { lines.append(line) }
        }
        return (lines + [buffer.rest()].compactMap(\.self)).map(\.text)
    }

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func `do not depend on the pieces`(size: Int) {
        let text = "one\r\n\ntwo \u{1F4B3}\n" + String(repeating: "x", count: 101) + "\nthree"
        #expect(
            lines(text, cutInto: size) == ["one", "", "two \u{1F4B3}", nil, "three"])
    }

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func `do not change if more data arrives before all lines are read`(size: Int) {
        var buffer = LineBuffer(maximumLength: 100)
        var lines: [LineBuffer.Line] = []
        var rest = Array("one\r\n\ntwo\nthr".utf8)[...]
        while !rest.isEmpty {
            buffer.append(rest.prefix(size))
            rest = rest.dropFirst(size)
            buffer.append(rest.prefix(size))
            rest = rest.dropFirst(size)
            if let line = buffer.next() { lines.append(line) }
        }
        while let line = buffer.next() { lines.append(line) }
        #expect((lines + [buffer.rest()].compactMap(\.self)).map(\.text) == ["one", "", "two", "thr"])
    }

    @Test func `never exceed the limit for any bytes`() {
        var random = TestRandom()
        for _ in 0..<300 {
            let limit = random.number(0...40)
            var buffer = LineBuffer(maximumLength: limit)
            for _ in 0..<random.number(1...6) {
                buffer.append((0..<random.number(0...60)).map { _ in random.oneIn(9) ? 0x0A : random.byte() }[...])
                while let line = buffer.next() {
                    guard case .whole(let bytes) = line else { continue }
                    #expect(bytes.count <= limit, "seed \(TestSeed.value)")
                }
            }
        }
    }
}

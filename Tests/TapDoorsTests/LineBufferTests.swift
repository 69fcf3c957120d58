import TapDoors
import TestSupport
import Testing

/// Lines come out whole, however the stream was cut.
@Suite struct `Lines of a stream` {
    private func lines(_ text: String, cutInto size: Int, maximumLength: Int = 100) -> [LineBuffer.Line] {
        var buffer = LineBuffer(maximumLength: maximumLength)
        var lines: [LineBuffer.Line] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            buffer.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            while let line = buffer.next() { lines.append(line) }
        }
        return lines + [buffer.rest()].compactMap(\.self)
    }

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func `are the same whatever the pieces are`(size: Int) {
        let text = "one\r\n\ntwo \u{1F4B3}\n" + String(repeating: "x", count: 101) + "\nthree"
        #expect(
            lines(text, cutInto: size) == [.text("one"), .text(""), .text("two \u{1F4B3}"), .tooLong, .text("three")])
    }

    @Test func `of any bytes never hold more than is allowed`() {
        var random = TestRandom()
        for _ in 0..<300 {
            let limit = random.number(0...40)
            var buffer = LineBuffer(maximumLength: limit)
            for _ in 0..<random.number(1...6) {
                buffer.append((0..<random.number(0...60)).map { _ in random.oneIn(9) ? 0x0A : random.byte() })
                while let line = buffer.next() {
                    guard case .text(let text) = line else { continue }
                    // A byte that is no UTF-8 becomes three.
                    #expect(text.utf8.count <= 3 * limit, "seed \(TestSeed.value)")
                }
            }
        }
    }
}

import TapWire
import Testing

/// What a card has written, in memory that is used again.
@Suite struct `Bytes of a frame buffer` {
    @Test(arguments: [0, 1, 3, 4, 5, 100])
    func `are the same in the memory of an array of any length`(length: Int) {
        var buffer = FrameBuffer()
        buffer.append([1, 2, 3, 4])
        #expect(buffer.bytes(in: [UInt8](repeating: 0xFF, count: length)) == [1, 2, 3, 4])
    }

    @Test func `leave an array alone that somebody else holds`() {
        var buffer = FrameBuffer()
        buffer.append([1, 2, 3, 4])
        let held = [UInt8](repeating: 0xFF, count: 8)
        #expect(buffer.bytes(in: held) == [1, 2, 3, 4])
        #expect(held == [UInt8](repeating: 0xFF, count: 8))
    }

    @Test func `of nothing written are none`() {
        #expect(FrameBuffer().bytes(in: [1, 2]).isEmpty)
    }
}

import TapWire
import Testing

@Suite struct `A cursor in a block list` {
    /// The numbers that ``BlockListCursor/readNumbers(like:below:in:_:)`` reads after the first element, and the element that
    /// ``BlockListCursor/next(in:)`` returns next.
    private static func neighbours(
        _ list: [UInt8], count: UInt8, below limit: Int = 0x100
    ) throws -> (numbers: [Int], next: BlockListElement?, offset: Int) {
        let packet: [UInt8] = [0, 6, 1, 2, 3, 4, 5, 6, 7, 8, 1, 0x0F, 0x09, count] + list
        let slice = packet[...]
        let counts = BlockAccessLayout(slice.span)
        let layout = try #require(counts)
        var cursor = layout.blockList
        let element = cursor.next(in: slice.span)
        let first = try #require(element)
        var numbers: [Int] = []
        cursor.readNumbers(like: first, below: limit, in: slice.span) { index, number in
            #expect(index == numbers.count + 1)
            numbers.append(number)
        }
        #expect(cursor.index == numbers.count + 1)
        return (numbers, cursor.next(in: slice.span), cursor.offset - layout.blockListOffset)
    }

    @Test(
        arguments: [
            // The announced end, and the end of the packet.
            ([0x80, 7, 0x80, 0, 0x80, 0xFF, 0x80, 1], 3, [0, 0xFF]), ([0x80, 7, 0x80, 0, 0x80, 1], 9, [0, 1]),
            ([0x80, 7, 0x80, 5, 0x80], 3, [5]), ([0x80, 7, 0x80], 2, []), ([0x80, 7], 1, []),
            // Another service, another access mode, three bytes.
            ([0x80, 7, 0x80, 5, 0x81, 6], 3, [5]), ([0x81, 7, 0x81, 5, 0x80, 6], 3, [5]),
            ([0x80, 7, 0x80, 5, 0x90, 6], 3, [5]), ([0x80, 7, 0x80, 5, 0x00, 6, 0], 3, [5]),
            // After three bytes.
            ([0x01, 7, 1, 0x81, 5, 0x81, 6], 3, [5, 6]), ([0x01, 7, 1, 0x80, 5], 2, []),
        ] as [([UInt8], UInt8, [Int])])
    func `two-byte elements are read together while service and access mode stay the same`(
        _ list: [UInt8], _ count: UInt8, _ numbers: [Int]
    ) throws {
        #expect(try Self.neighbours(list, count: count).numbers == numbers)
    }

    @Test(arguments: [(6, 5, [5]), (5, 5, []), (0, 0, []), (0x100, 0xFF, [0xFF]), (0x1000, 0xFF, [0xFF])])
    func `a number at the limit is left for the next call`(_ limit: Int, _ number: UInt8, _ read: [Int]) throws {
        let (numbers, next, offset) = try Self.neighbours([0x80, 7, 0x80, number, 0x81, 0], count: 3, below: limit)
        #expect(numbers == read)
        #expect(
            next == BlockListElement(serviceOrder: read.isEmpty ? 0 : 1, blockNumber: read.isEmpty ? UInt16(number) : 0)
        )
        #expect(offset == (read.isEmpty ? 4 : 6))
    }
}

import TapWire
import Testing

@Suite struct `Attribute information blocks` {
    @Test(arguments: WireVector.file("type3.txt"))
    func `are read and written as the vectors specify`(vector: WireVector) throws {
        let block = try AttributeInformationBlock(parsing: vector.bytes)
        let flags = Hex.text([block.writeFlag.rawValue, block.accessFlag.rawValue], separator: " ")
        #expect(
            "\(block.version) \(block.blocksPerRead) \(block.blocksPerWrite) \(block.blockCount) \(flags) "
                + "\(block.messageLength) \(block.hasValidChecksum ? "right" : "wrong")" == vector.says)
        #expect(block.bytes == vector.bytes)
        var made = try AttributeInformationBlock(
            version: block.version, blocksPerRead: block.blocksPerRead, blocksPerWrite: block.blocksPerWrite,
            blockCount: block.blockCount, writeFlag: block.writeFlag, accessFlag: block.accessFlag,
            messageLength: block.messageLength)
        #expect(made.hasValidChecksum)
        made.unused = block.unused
        made.checksum = block.checksum
        #expect(made == block)
    }

    @Test func `keep their checksum until it is updated`() throws {
        var block = try AttributeInformationBlock(blocksPerRead: 4, blocksPerWrite: 1, blockCount: 13)
        block.writeFlag = .inProgress
        #expect(!block.hasValidChecksum)
        block.updateChecksum()
        #expect(block.hasValidChecksum)
    }

    @Test func `have a checksum that cannot overflow`() {
        let block = AttributeInformationBlock(BlockData([UInt8](repeating: 0xFF, count: 16)))
        #expect(block.expectedChecksum == 14 * 255)
    }

    @Test func `give the number of blocks that a message fills`() throws {
        let lengths: [UInt32] = [0, 1, 16, 17, 208]
        let counts = try lengths.map {
            try AttributeInformationBlock(blocksPerRead: 4, blocksPerWrite: 1, blockCount: 13, messageLength: $0)
        }
        #expect(counts.map(\.messageBlockCount) == [0, 1, 1, 2, 13])
        #expect(counts[0].largestMessage == 208)
        #expect(throws: WireError.self) {
            try AttributeInformationBlock(
                blocksPerRead: 4, blocksPerWrite: 1, blockCount: 13, messageLength: 0x100_0000)
        }
    }
}

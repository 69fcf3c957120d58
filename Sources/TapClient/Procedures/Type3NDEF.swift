import TapWire

extension CardReader {
    /// Reads the NDEF message of the selected system 12FC.
    mutating func readType3NDEF() async throws(ClientError) -> NDEFTag {
        let system = try selectedSystem()
        let attributes = try await readAttributes()
        let count = attributes.messageBlockCount
        let blocks = try await readMessageBlocks(count, atOnce: Int(attributes.blocksPerRead))
        let bytes = blocks.flatMap(\.bytes).prefix(Int(attributes.messageLength))
        let message: NDEFMessage
        do {
            message = try NDEFMessage(parsing: Array(bytes))
        } catch {
            throw .malformedData("NDEF message", error)
        }
        return NDEFTag(
            card: .type3(system), message: message, capacity: attributes.largestMessage,
            isWritable: attributes.accessFlag == .readWrite)
    }

    /// Reads block 0 and checks that it announces a complete message.
    private mutating func readAttributes() async throws(ClientError) -> AttributeInformationBlock {
        let block = try await readBlocks([BlockAddress(Type3Services.read, 0)])
        let attributes = AttributeInformationBlock(block[0])
        guard attributes.hasValidChecksum, attributes.version.major == 1, attributes.blocksPerRead > 0 else {
            throw .notNDEF("its attribute information block is \(attributes.stored)")
        }
        guard attributes.writeFlag == .finished else {
            throw .malformedData("NDEF message", "a write was begun and not finished")
        }
        guard Int(attributes.messageLength) <= attributes.largestMessage else {
            throw .malformedData(
                "attribute information block",
                "\(attributes.messageLength) bytes of message in \(attributes.largestMessage) bytes of memory")
        }
        return attributes
    }

    /// Reads the blocks of the message, no more with one command than the tag announces.
    private mutating func readMessageBlocks(_ count: Int, atOnce: Int) async throws(ClientError) -> [BlockData] {
        blockLimits.read = min(blockLimits.read, atOnce)
        let numbers = Int(Type3Services.firstMessageBlock)..<Int(Type3Services.firstMessageBlock) + count
        return try await readBlocks(numbers.map { BlockAddress(Type3Services.read, UInt16(truncatingIfNeeded: $0)) })
    }
}

import TapWire

public struct NDEFTag: Hashable, Sendable {
    public enum Card: Hashable, Sendable {
        /// A Type 2 tag, and its protection if known.
        case type2(Type2Tag, NTAGProtection?)
        case type3(FeliCaSystem)
    }

    public let card: Card
    /// The message; empty on a formatted card without a message.
    public let message: NDEFMessage
    public let capacity: Int
    /// A Boolean value that indicates whether the card announces write access; locks and passwords may still prevent it.
    public let isWritable: Bool
}

extension CardReader {
    /// Reads the NDEF message of a Type 2 tag or, if there is none, of a Type 3 tag.
    ///
    /// - Parameters:
    ///   - password: The password of an NTAG21x, or `nil` if it needs none.
    ///   - pack: The PACK that the tag should answer, or `nil` for any.
    ///   - credentials: The key of a FeliCa Lite or Lite-S; if given, all blocks are read with it.
    /// - Throws: ``ClientError`` if there is no card or no NDEF on it, for a wrong password or key or malformed data, or if
    ///   the exchange fails.
    public mutating func readNDEF(
        password: PageData? = nil, expecting pack: UInt16? = nil, with credentials: LiteCredentials? = nil
    ) async throws(ClientError) -> NDEFTag {
        if let tag = try await findTypeA() {
            try begin(with: tag)
            return try await readType2NDEF(tag, password: password, expecting: pack)
        }
        guard try await find(system: .ndef) != nil else {
            throw ClientError(.noCard, "no Type 2 or Type 3 tag answered; hold one to the reader")
        }
        if let credentials { try await authenticateLite(credentials) }
        return try await readType3NDEF(credentials)
    }

    private mutating func readType2NDEF(
        _ selected: TypeATag, password: PageData?, expecting pack: UInt16?
    ) async throws(ClientError) -> NDEFTag {
        let tag = Type2Tag(selection: selected, version: try await readVersion())
        if let password { try await authenticate(password, expecting: pack) }
        let memory = try await readNDEFMemory(of: tag)
        guard let placed = memory.message else { throw .notNDEF("there is no NDEF Message TLV") }
        let message: NDEFMessage
        do {
            message = try NDEFMessage(parsing: placed.block.value)
        } catch {
            throw .malformedData("NDEF message", error)
        }
        var protection: NTAGProtection?
        if let product = tag.product { protection = try await readProtection(of: product) }
        return NDEFTag(
            card: .type2(tag, protection), message: message, capacity: memory.capacity,
            isWritable: memory.container.writeAccess == .free)
    }

    mutating func readType3NDEF(
        _ credentials: LiteCredentials? = nil
    ) async throws(ClientError) -> NDEFTag {
        let system = try selectedSystem()
        let attributes = try await readAttributes(credentials)
        let count = attributes.messageBlockCount
        let blocks = try await readMessageBlocks(count, atOnce: Int(attributes.blocksPerRead), credentials)
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

    private mutating func readAttributes(
        _ credentials: LiteCredentials?
    ) async throws(ClientError) -> AttributeInformationBlock {
        let block = try await readType3([0], credentials)
        let attributes = AttributeInformationBlock(block[0])
        guard attributes.announcesNDEF else {
            throw .notNDEF("its attribute information block is \(attributes.stored)")
        }
        guard attributes.writeFlag == .finished else {
            throw .malformedData("NDEF message", "a write was started but not finished")
        }
        guard Int(attributes.messageLength) <= attributes.largestMessage else {
            throw .malformedData(
                "attribute information block",
                "\(attributes.messageLength) bytes of message in \(attributes.largestMessage) bytes of memory")
        }
        return attributes
    }

    /// Reads the blocks of the message, at most as many at once as the tag announces.
    private mutating func readMessageBlocks(
        _ count: Int, atOnce: Int, _ credentials: LiteCredentials?
    ) async throws(ClientError) -> [BlockData] {
        blockLimits.read = min(blockLimits.read, atOnce)
        let numbers = Int(Type3Services.firstMessageBlock)..<Int(Type3Services.firstMessageBlock) + count
        return try await readType3(numbers.map { UInt16(truncatingIfNeeded: $0) }, credentials)
    }

    /// Reads blocks of a Type 3 tag, with their MAC if the reader has the card key.
    private mutating func readType3(
        _ numbers: [UInt16], _ credentials: LiteCredentials?
    ) async throws(ClientError) -> [BlockData] {
        if let credentials { return try await readLiteBlocks(numbers, credentials) }
        return try await readBlocks(numbers.map { BlockAddress(Type3Services.read, $0) })
    }
}

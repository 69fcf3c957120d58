import TapWire

extension CardReader {
    /// Reads blocks of the selected system without encryption, in as many commands as the card needs.
    ///
    /// It asks for 12 blocks, and where the card says that these are too many, for 10, 8, 4 and 1.
    ///
    /// - Parameter addresses: Blocks of any services, in any order.
    /// - Returns: The blocks in the order of `addresses`.
    /// - Throws: ``ClientError`` where the exchange fails or the card refuses a block.
    public mutating func readBlocks(_ addresses: [BlockAddress]) async throws(ClientError) -> [BlockData] {
        let order = addresses.indices.sorted { (addresses[$0], $0) < (addresses[$1], $1) }
        let ascending = order.map { addresses[$0] }
        var blocks = Array(repeating: BlockData.zero, count: addresses.count)
        var done = 0
        while done < ascending.count {
            let part = blockLimits.part(of: ascending[done...], \.read)
            do {
                let read = try await readTogether(part)
                for (index, block) in read.enumerated() { blocks[order[done + index]] = block }
                done += part.count
            } catch {
                guard let status = error.status, blockLimits.lower(\.read, after: status, sent: part) else {
                    throw error
                }
            }
        }
        return blocks
    }

    /// Reads a service of the selected system from block 0 on, up to its last block.
    ///
    /// - Parameters:
    ///   - service: A service that needs no authentication.
    ///   - maximum: How many blocks to read at most.
    /// - Returns: The blocks there are; none if the card says that there is no block 0.
    /// - Throws: ``ClientError`` where the exchange fails or the card refuses for another reason than the block number.
    public mutating func readBlocks(
        of service: NodeCode, upTo maximum: Int
    ) async throws(ClientError) -> [BlockData] {
        var blocks: [BlockData] = []
        var atOnce = blockLimits.read
        while blocks.count < min(maximum, 0x1_0000) {
            atOnce = min(atOnce, blockLimits.read, maximum - blocks.count)
            let numbers = blocks.count..<blocks.count + atOnce
            do {
                blocks += try await readBlocks(numbers.map { BlockAddress(service, UInt16(truncatingIfNeeded: $0)) })
            } catch {
                guard error.status?.reason == .blockNumber else { throw error }
                if atOnce == 1 { return blocks }
                atOnce /= 2
            }
        }
        return blocks
    }

    /// Reads blocks with one command.
    private mutating func readTogether(_ addresses: [BlockAddress]) async throws(ClientError) -> [BlockData] {
        let list = BlockList(addresses)
        let request = ReadWithoutEncryption.Request(
            idm: try selectedSystem().idm, services: list.services, blocks: list.elements)
        let answer = try await ask(ReadWithoutEncryption.self, request, .read, count: addresses.count)
        guard answer.status.isSuccess else {
            throw .refused(answer.status, "reading \(BlockList.words(addresses))")
        }
        guard answer.blocks.count == addresses.count else {
            throw .wrongLength(
                answer.bytes.count, ReadWithoutEncryption.code.name, "\(addresses.count) blocks were asked for")
        }
        return answer.blocks
    }
}

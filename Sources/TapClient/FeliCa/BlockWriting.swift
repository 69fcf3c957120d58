import TapWire

/// What to write into a block.
public struct BlockWrite: Hashable, Sendable {
    public let address: BlockAddress
    /// What.
    public let data: BlockData

    public init(_ address: BlockAddress, _ data: BlockData) {
        self.address = address
        self.data = data
    }
}

extension CardReader {
    /// Writes blocks of the selected system without encryption, in the order given.
    ///
    /// One command is carried out as a whole or not at all. Where the card does not take all blocks at once there are
    /// several, so that an error may leave the first ones written.
    ///
    /// - Throws: ``ClientError`` where the exchange fails or the card refuses. No write is sent a second time: after
    ///   silence nobody knows whether it was carried out.
    public mutating func writeBlocks(_ writes: [BlockWrite]) async throws(ClientError) {
        let addresses = writes.map(\.address)
        var done = 0
        while done < writes.count {
            let part = blockLimits.part(of: addresses[done...], \.write, dataPerBlock: BlockData.byteCount)
            do {
                try await writeTogether(Array(writes[done..<done + part.count]))
                done += part.count
            } catch {
                guard let status = error.status, blockLimits.lower(\.write, after: status, sent: part) else {
                    throw error
                }
            }
        }
    }

    /// Writes blocks with one command.
    private mutating func writeTogether(_ writes: [BlockWrite]) async throws(ClientError) {
        let addresses = writes.map(\.address)
        let list = BlockList(addresses)
        let request = WriteWithoutEncryption.Request(
            idm: try selectedSystem().idm, services: list.services, blocks: list.elements, data: writes.map(\.data))
        let answer: WriteWithoutEncryption.Response
        do {
            answer = try await ask(
                WriteWithoutEncryption.self, request, .write, count: writes.count, changesCard: true)
        } catch {
            throw error.isTransient ? .doubtfulWrite(BlockList.words(addresses), error) : error
        }
        // The warning that memory wears out comes with a write that was done.
        guard answer.status.isSuccess || answer.status.reason == .rewriteWarning else {
            throw .refused(answer.status, "writing \(BlockList.words(addresses))")
        }
    }
}

import TapClient
import TapField
import TapWire

/// Blocks of a Type 3 tag.
extension PhoneReader {
    /// Reads blocks with one command; nothing if the card refuses.
    mutating func readBlocks(
        _ numbers: [Int], of found: (index: Int, system: FeliCaSystem), in world: inout World
    ) throws(PhoneError) -> [BlockData]? {
        let request = ReadWithoutEncryption.Request(
            idm: found.system.idm, services: [Type3Services.read], blocks: numbers.map(BlockListElement.init(number:)))
        let answer = try ask(ReadWithoutEncryption.self, request, .read, count: numbers.count, of: found, in: &world)
        guard answer.status.isSuccess, answer.blocks.count == numbers.count else { return nil }
        return answer.blocks
    }

    /// Writes the attribute block with the right checksum.
    mutating func write(
        _ attributes: AttributeInformationBlock, of found: (index: Int, system: FeliCaSystem), in world: inout World
    ) throws(PhoneError) {
        var attributes = attributes
        attributes.updateChecksum()
        try writeBlocks([attributes.stored], from: 0, of: found, in: &world)
    }

    /// Writes neighbouring blocks with one command.
    ///
    /// - Throws: ``PhoneError`` 401 where the card is there and does not carry it out.
    mutating func writeBlocks(
        _ blocks: [BlockData], from first: Int, of found: (index: Int, system: FeliCaSystem), in world: inout World
    ) throws(PhoneError) {
        let numbers = (first..<first + blocks.count).map(BlockListElement.init(number:))
        let request = WriteWithoutEncryption.Request(
            idm: found.system.idm, services: [Type3Services.write], blocks: numbers, data: blocks)
        let status: StatusFlags
        do {
            status = try ask(
                WriteWithoutEncryption.self, request, .write, count: blocks.count, of: found, in: &world
            ).status
        } catch {
            throw error.code == .tagConnectionLost ? error : .updateFailed(error.reason ?? error.text)
        }
        guard status.isSuccess else {
            throw .updateFailed("the card refused to write block \(first) with status flags \(status)")
        }
    }
}

extension BlockListElement {
    fileprivate init(number: Int) {
        self.init(blockNumber: UInt16(truncatingIfNeeded: number))
    }
}

import TapClient
import TapField
import TapWire

/// NDEF on Type 3 tags, that is, in system 12FC of a FeliCa card.
extension PhoneReader {
    mutating func queryType3(of tag: PhoneTag, in world: inout World) throws(PhoneError) -> PhoneNDEFReport {
        guard let (_, attributes) = try openType3(tag, in: &world) else { return .none }
        return PhoneNDEFReport(
            status: attributes.accessFlag == .readWrite ? .readWrite : .readOnly, capacity: attributes.largestMessage)
    }

    mutating func readType3(of tag: PhoneTag, in world: inout World) throws(PhoneError) -> [UInt8] {
        guard let (found, attributes) = try openType3(tag, in: &world) else {
            throw .notFormatted(
                "the card is not formatted for NDEF: no system 12FC with a valid attribute block answers")
        }
        guard attributes.writeFlag == .finished else {
            throw .noResponse("a write of the NDEF message was started but not finished; write it again")
        }
        let length = Int(attributes.messageLength)
        guard length <= attributes.largestMessage else {
            throw .noResponse(
                "the attribute block announces \(length) bytes in \(attributes.largestMessage) bytes of memory")
        }
        var bytes: [UInt8] = []
        while bytes.count < length {
            let first = bytes.count / BlockData.byteCount
            let count = min(attributes.blocksAtOnce, attributes.messageBlockCount - first)
            let numbers = (first..<first + count).map { Int(Type3Services.firstMessageBlock) + $0 }
            guard let blocks = try readBlocks(numbers, of: found, in: &world) else {
                throw .noResponse("the card refused to read blocks of its NDEF message")
            }
            bytes += blocks.flatMap(\.bytes)
        }
        return Array(bytes.prefix(length))
    }

    mutating func writeType3(
        _ message: [UInt8], of tag: PhoneTag, in world: inout World
    ) throws(PhoneError) {
        var (found, attributes) = try openWritableType3(tag, in: &world)
        guard message.count <= attributes.largestMessage else {
            throw .tooLong(message.count, room: attributes.largestMessage)
        }
        attributes.writeFlag = .inProgress
        try write(attributes, of: found, in: &world)
        let blocks = stride(from: 0, to: message.count, by: BlockData.byteCount).map {
            BlockData(message.dropFirst($0))
        }
        var done = 0
        while done < blocks.count {
            let part = Array(blocks[done..<min(blocks.count, done + attributes.blocksWrittenAtOnce)])
            try writeBlocks(part, from: Int(Type3Services.firstMessageBlock) + done, of: found, in: &world)
            done += part.count
        }
        attributes.writeFlag = .finished
        attributes.messageLength = UInt32(truncatingIfNeeded: message.count)
        try write(attributes, of: found, in: &world)
    }

    mutating func lockType3(of tag: PhoneTag, in world: inout World) throws(PhoneError) {
        var (found, attributes) = try openWritableType3(tag, in: &world)
        attributes.accessFlag = .readOnly
        try write(attributes, of: found, in: &world)
    }

    private mutating func openWritableType3(
        _ tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> (found: (index: Int, system: FeliCaSystem), attributes: AttributeInformationBlock) {
        guard let opened = try openType3(tag, in: &world) else {
            throw .notWritable(
                "the card is not formatted for NDEF: no system 12FC with a valid attribute block answers")
        }
        guard opened.attributes.accessFlag == .readWrite else {
            throw .notWritable("the attribute block of the card forbids writing")
        }
        return opened
    }

    /// Finds system 12FC of the card, if it may be polled, and reads its attribute block.
    ///
    /// Returns `nil` for a card without NDEF; the tag's current system does not change.
    private mutating func openType3(
        _ tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> (found: (index: Int, system: FeliCaSystem), attributes: AttributeInformationBlock)? {
        let (index, state) = try readyFeliCa(tag, in: &world)
        guard declaredCodes.contains(.ndef) || state.systemCode == .ndef else {
            note("A FeliCa card stores NDEF in system 12FC, which is not declared, so the phone does not look for it.")
            return nil
        }
        guard let answer = world.poll(Polling.Request(systemCode: .ndef), of: tags[index].card) else {
            guard isPresent(index, in: world) else {
                throw silence(of: index, to: Polling.code.name, after: PhonePatience.search, in: world)
            }
            return nil
        }
        let found = (index, FeliCaSystem(code: .ndef, idm: answer.idm, pmm: answer.pmm))
        guard let block = try readBlocks([0], of: found, in: &world)?.first else { return nil }
        let attributes = AttributeInformationBlock(block)
        guard attributes.announcesNDEF else { return nil }
        return (found, attributes)
    }
}

extension AttributeInformationBlock {
    /// The number of blocks per read: at most what the card announces and an answer holds.
    fileprivate var blocksAtOnce: Int { min(Int(self.blocksPerRead), ReadWithoutEncryption.maximumBlocks) }

    /// The number of blocks per write: at most what the card announces and a command with elements of three bytes holds.
    fileprivate var blocksWrittenAtOnce: Int {
        min(max(1, Int(self.blocksPerWrite)), WriteWithoutEncryption.maximumBlocks - 1)
    }
}

extension PhoneReader {
    /// Reads blocks; `nil` if the card refuses.
    mutating func readBlocks(
        _ numbers: [Int], of found: (index: Int, system: FeliCaSystem), in world: inout World
    ) throws(PhoneError) -> [BlockData]? {
        let request = ReadWithoutEncryption.Request(
            idm: found.system.idm, services: [Type3Services.read], blocks: numbers.map(BlockListElement.init(number:)))
        let answer = try ask(ReadWithoutEncryption.self, request, .read, count: numbers.count, of: found, in: &world)
        guard answer.status.isSuccess, answer.blocks.count == numbers.count else { return nil }
        return answer.blocks
    }

    mutating func write(
        _ attributes: AttributeInformationBlock, of found: (index: Int, system: FeliCaSystem), in world: inout World
    ) throws(PhoneError) {
        var attributes = attributes
        attributes.updateChecksum()
        try writeBlocks([attributes.stored], from: 0, of: found, in: &world)
    }

    /// Writes adjacent blocks with one command.
    ///
    /// - Throws: ``PhoneError`` 401 if the card is present and refuses.
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

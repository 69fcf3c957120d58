import TapWire

public struct BlockAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let service: NodeCode
    public let number: UInt16

    public init(_ service: NodeCode, _ number: UInt16) {
        self.service = service
        self.number = number
    }

    /// Compares by service code, then by block number.
    public static func < (left: BlockAddress, right: BlockAddress) -> Bool {
        (left.service.rawValue, left.number) < (right.service.rawValue, right.number)
    }

    public var description: String { "block \(number) of service \(service)" }
}

/// A block list with its service code list, as in one command.
struct BlockList {
    /// The services in ascending order, since some cards refuse any other order.
    let services: [NodeCode]
    let elements: [BlockListElement]

    init(_ addresses: [BlockAddress]) {
        let services = Set(addresses.map(\.service)).sorted { $0.rawValue < $1.rawValue }
        self.services = services
        elements = addresses.map { address in
            let order = services.firstIndex(of: address.service) ?? 0
            return BlockListElement(serviceOrder: UInt8(truncatingIfNeeded: order), blockNumber: address.number)
        }
    }

    func commandLength(dataPerBlock: Int) -> Int {
        elements.reduce(12 + 2 * services.count) { $0 + $1.byteCount + dataPerBlock }
    }

    /// Describes addresses for messages: one block, or the number of blocks and their services.
    static func words(_ addresses: [BlockAddress]) -> String {
        if addresses.count == 1 { return "\(addresses[0])" }
        let services = BlockList(addresses).services.map(\.description)
        return "\(addresses.count) blocks of service \(services.joined(separator: ", "))"
    }
}

/// The number of blocks and services that a card accepts in one command, as found so far.
struct BlockLimits: Hashable, Sendable {
    /// The numbers of blocks to try after each refusal.
    ///
    /// Cards of the DES generation read up to 12; FeliCa Lite reads 4 and writes 1.
    static let steps = [12, 10, 8, 4, 1]

    var read: Int
    var write = steps[0]
    /// The number of services; FeliCa Lite accepts one.
    var services = FeliCaPacket.maximumServices

    init(read: Int = steps[0]) {
        self.read = read
    }

    /// Lowers a limit after a refusal because of the size; returns false if there is no smaller part.
    mutating func lower(
        _ limit: WritableKeyPath<BlockLimits, Int>, after status: StatusFlags, sent: [BlockAddress]
    ) -> Bool {
        switch status.reason {
        case .blockCount:
            guard let step = Self.steps.first(where: { $0 < sent.count }) else { return false }
            self[keyPath: limit] = step
        case .serviceCount where BlockList(sent).services.count > 1: services = 1
        default: return false
        }
        return true
    }

    /// Returns the longest prefix of some addresses that fits in one command.
    func part(
        of addresses: ArraySlice<BlockAddress>, _ limit: KeyPath<BlockLimits, Int>, dataPerBlock: Int = 0
    ) -> [BlockAddress] {
        var part = Array(addresses.prefix(self[keyPath: limit]))
        while part.count > 1 {
            let list = BlockList(part)
            let length = list.commandLength(dataPerBlock: dataPerBlock)
            if list.services.count <= services, length <= FeliCaPacket.maximumLength { break }
            part.removeLast()
        }
        return part
    }
}

extension CardReader {
    /// Reads blocks of the selected system without encryption, in the order of `addresses`.
    ///
    /// Reads 12 blocks at a time or, if the card refuses that many, 10, 8, 4 or 1.
    ///
    /// - Throws: ``ClientError`` if the exchange fails or the card refuses a block.
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

    /// Reads a service of the selected system that needs no authentication, from block 0 to its last block or
    /// `maximum`.
    ///
    /// - Throws: ``ClientError`` if the exchange fails or the card refuses for a reason other than the block number.
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

    mutating func readTogether(_ addresses: [BlockAddress]) async throws(ClientError) -> [BlockData] {
        let list = BlockList(addresses)
        let request = ReadWithoutEncryption.Request(
            idm: try selectedSystem().idm, services: list.services, blocks: list.elements)
        let answer = try await ask(ReadWithoutEncryption.self, request, .read, count: addresses.count)
        guard answer.status.isSuccess else {
            throw .refused(answer.status, "reading \(BlockList.words(addresses))")
        }
        guard answer.blocks.count == addresses.count else {
            throw .wrongLength(
                answer.bytes.count, ReadWithoutEncryption.code.name, "\(addresses.count) blocks were requested")
        }
        return answer.blocks
    }
}

public struct BlockWrite: Hashable, Sendable {
    public let address: BlockAddress
    public let data: BlockData

    public init(_ address: BlockAddress, _ data: BlockData) {
        self.address = address
        self.data = data
    }
}

extension CardReader {
    /// Writes blocks of the selected system without encryption, in the order given.
    ///
    /// A command is atomic. If the card accepts fewer blocks at once, there are several commands, so after an error the first
    /// blocks may already be written.
    ///
    /// - Throws: ``ClientError`` if the exchange fails or the card refuses. No write is repeated: after silence it is not
    ///   known whether it was carried out.
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

    mutating func writeTogether(_ writes: [BlockWrite]) async throws(ClientError) {
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
        // The warning about worn memory comes with a successful write.
        guard answer.status.isSuccess || answer.status.reason == .rewriteWarning else {
            throw .refused(answer.status, "writing \(BlockList.words(addresses))")
        }
    }
}

import TapWire

package struct Type2NDEFMemory {
    package let container: CapabilityContainer
    /// The data area, without the bytes that control blocks reserve.
    package let area: Type2DataArea
    /// The memory from byte 0 on.
    package var bytes: [UInt8]
    /// The blocks before the NDEF message, or before the place for it.
    package var before: [TLVBlock] = []
    package var message: PlacedTLV?

    /// - Parameter reserved: The bytes that contain no data. Default: the bytes that a reader assumes to be reserved.
    package init(_ container: CapabilityContainer, reserved: [Range<Int>]? = nil, bytes: [UInt8]) {
        self.container = container
        area = Type2DataArea(container, reserved: reserved)
        self.bytes = bytes
    }

    package var capacity: Int { area.largestMessage(after: before) ?? 0 }

    /// Walks the blocks up to the NDEF message; returns false if more bytes have to be read first.
    ///
    /// - Throws: ``ClientError`` if a block is malformed.
    package mutating func walk() throws(ClientError) -> Bool {
        var walker = TLVWalker(memory: bytes, area: area)
        before = []
        do {
            while let placed = try walker.next(), placed.block.type != .terminator {
                if placed.block.type == .ndefMessage {
                    message = placed
                    return true
                }
                before.append(placed.block)
            }
            // A message may begin in padding.
            while before.last == .null { before.removeLast() }
            return true
        } catch {
            let needsMore =
                error.code == .truncated && error.offset == bytes.count && bytes.count < area.addresses.upperBound
            guard needsMore else { throw .malformedData("TLV block", error) }
            return false
        }
    }
}

extension CardReader {
    /// Reads the capability container and the data area up to the end of the NDEF message, but no further, since the rest may
    /// be protected.
    mutating func readNDEFMemory(of tag: Type2Tag) async throws(ClientError) -> Type2NDEFMemory {
        let header = try await readPages(0..<NTAGLayout.firstUserPage)
        if let error = header.error { throw error }
        let container = try Self.container(in: header)
        var memory = Type2NDEFMemory(container, reserved: tag.reserved, bytes: header.bytes)
        var atOnce = ReadPages.pageCount
        while try !memory.walk() {
            try await extend(&memory, by: atOnce)
            atOnce *= 2
        }
        return memory
    }

    /// Reads at least one page after the known ones.
    mutating func extend(_ memory: inout Type2NDEFMemory, by count: Int) async throws(ClientError) {
        let first = memory.bytes.count / PageData.byteCount
        let end = min(first + count, memory.area.addresses.upperBound / PageData.byteCount)
        let run = try await readPages(first..<max(first, end))
        guard !run.pages.isEmpty else {
            throw run.error
                ?? .malformedData("capability container", "it announces more memory than commands can address")
        }
        memory.bytes += run.bytes
    }

    private static func container(in header: PageRun) throws(ClientError) -> CapabilityContainer {
        let container: CapabilityContainer
        do {
            let bytes = header.bytes.dropFirst(CapabilityContainer.address).prefix(CapabilityContainer.byteCount)
            container = try CapabilityContainer(parsing: Array(bytes))
        } catch {
            throw .malformedData("capability container", error)
        }
        guard container.announcesNDEF else {
            throw .notNDEF("its capability container is \(Hex.text(container.bytes))")
        }
        guard [.free, .password].contains(container.readAccess) else {
            throw .notNDEF("its capability container forbids reading")
        }
        return container
    }
}

extension Type2Tag {
    /// The bytes that contain no data although the capability container may count them; `nil` for an unknown IC.
    fileprivate var reserved: [Range<Int>]? {
        product.map { [$0.layout.dynamicLockPage * PageData.byteCount..<$0.layout.byteCount] }
    }
}

extension Type2NDEFMemory {
    package enum WriteStep {
        case pagesMissing(Int)
        case plan(NDEFWritePlan)
    }

    /// Puts a message into the memory image, after the blocks that precede it.
    ///
    /// - Throws: ``ClientError`` if the message does not fit or the area is malformed.
    package func writing(_ message: [UInt8]) throws(ClientError) -> WriteStep {
        guard message.count <= capacity, let block = try? TLVBlock(.ndefMessage, message) else {
            throw .tooLarge(message.count, room: capacity)
        }
        let blocks = before + [block, .terminator]
        var image = Array(repeating: UInt8(0), count: area.addresses.upperBound)
        var placed = try write(blocks, into: &image)
        if let missing = placed.last.map({ $0.end - bytes.count }), missing > 0 {
            return .pagesMissing((missing + PageData.byteCount - 1) / PageData.byteCount)
        }
        image = bytes
        placed = try write(blocks, into: &image)
        guard placed.count > before.count, let lengthAddress = placed[before.count].lengthAddress else {
            throw .tooLarge(message.count, room: capacity)
        }
        return .plan(
            NDEFWritePlan(
                from: bytes, to: image, typeAddress: placed[before.count].address, lengthAddress: lengthAddress))
    }

    private func write(_ blocks: [TLVBlock], into image: inout [UInt8]) throws(ClientError) -> [PlacedTLV] {
        do {
            return try area.write(blocks, into: &image)
        } catch {
            throw .malformedData("TLV block", error)
        }
    }
}

extension CommandCode {
    @inlinable public static var readWithoutEncryption: CommandCode { CommandCode(0x06) }
    public static let writeWithoutEncryption = CommandCode(0x08)
}

/// Read Without Encryption, command code 06: reads blocks of services that need no authentication.
///
/// ```
/// command   LEN | 06 | IDm (8) | m | service code (LE) × m | n | block list element × n
/// response  LEN | 07 | IDm (8) | 00 00 | n | data (16) × n
/// response  0C  | 07 | IDm (8) | status flag 1 | status flag 2
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Read Without Encryption".
public enum ReadWithoutEncryption: FeliCaCommand {
    @inlinable public static var code: CommandCode { .readWithoutEncryption }
    package static let description = CommandDescription.manual(
        code, "Read Without Encryption", short: "Read", word: "read",
        "Reads blocks of services that need no authentication, all or none.",
        notes: [
            "Silence: a different IDm, a mode other than Mode0, or truncated lists.",
            "FF A1: no service or more than 16; on FeliCa Lite, not exactly one.",
            "FF A2: no block or more than the card allows: 12 on DES cards, 15 on AES cards, 4 on FeliCa Lite. "
                + "Read in smaller parts; 20 blocks of history never fit in one answer.",
            "A3 to A8 report the problem with the first bad element; status flag 1 is its position in the list.",
            "A6 often means that the service code was sent high byte first.",
        ],
        command: .blocks,
        response: [.field(.idm), .status(done: ""), .count("block", "blocks", "n"), .blockData])

    /// The maximum number of blocks in an answer: 13 + 16·15 = 253 bytes.
    public static let maximumBlocks = 15

    public struct Request: FrameValue {
        public var idm: IDm
        /// The service codes; block list elements refer to them by index.
        public var services: [NodeCode]
        /// The blocks to read, in the order of the answer.
        public var blocks: [BlockListElement]

        public init(idm: IDm, services: [NodeCode], blocks: [BlockListElement]) {
            self.idm = idm
            self.services = services
            self.blocks = blocks
        }

        public init(parsing packet: Span<UInt8>) throws(WireError) {
            try FeliCaPacket.check(packet, code, length: BlockAccessLayout.lengths)
            let (layout, end) = try BlockAccessLayout.checked(packet)
            try FeliCaPacket.checkEnd(packet, at: end, of: "block list")
            idm = packet.idm
            services = layout.services(in: packet)
            blocks = layout.blocks(in: packet)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: BlockAccessLayout.length(services: services, blocks: blocks), code, idm)
            BlockAccessLayout.write(services: services, blocks: blocks, into: &buffer)
        }
    }

    public struct Response: FrameValue {
        public var idm: IDm
        public var status: StatusFlags
        /// The blocks, in the order of the block list; empty unless the command succeeded.
        public var blocks: [BlockData]

        package init(idm: IDm, status: StatusFlags = .success, blocks: [BlockData] = []) {
            self.idm = idm
            self.status = status
            self.blocks = blocks
        }

        public init(parsing packet: Span<UInt8>) throws(WireError) {
            let lengths = FeliCaPacket.statusLength...FeliCaPacket.maximumLength
            try FeliCaPacket.check(packet, code.response, length: lengths)
            idm = packet.idm
            status = packet.status
            blocks = []
            if !status.isSuccess, packet.count == FeliCaPacket.statusLength { return }
            let count = try FeliCaPacket.checkByte(packet, at: 12, of: "number of blocks")
            guard status.isSuccess || count > 0 else {
                throw WireError(.wrongValue, at: 12, in: "number of blocks", "zero after an error")
            }
            try FeliCaPacket.checkEnd(packet, at: 13 + BlockData.byteCount * count, of: "block data")
            blocks = (0..<count).map { BlockData(packet, at: 13 + BlockData.byteCount * $0) }
        }

        public func write(into buffer: inout FrameBuffer) {
            guard status.isSuccess || !blocks.isEmpty else {
                return Self.writeRefusal(status, idm: idm, into: &buffer)
            }
            buffer.append(byteCount: Self.blockOffset(0)) { bytes in
                Self.storeHeader(idm: idm, status: status, blockCount: blocks.count, into: &bytes)
            }
            for block in blocks { buffer.append(block.simd) }
        }

        package static func writeRefusal(_ status: StatusFlags, idm: IDm, into buffer: inout FrameBuffer) {
            FeliCaPacket.writeStatus(status, code: code.response, idm: idm, into: &buffer)
        }

        /// The offset of the block at an index, or of the end of the last block.
        @inlinable
        package static func blockOffset(_ index: Int) -> Int {
            FeliCaPacket.statusLength &+ 1 &+ BlockData.byteCount &* index
        }

        /// Stores everything before the blocks.
        @inline(__always)
        @inlinable
        package static func storeHeader(
            idm: IDm, status: StatusFlags = .success, blockCount: Int, into bytes: inout MutableRawSpan
        ) {
            bytes.store(header: blockOffset(blockCount), code.response, idm, status)
            bytes.store(UInt8(truncatingIfNeeded: blockCount), at: FeliCaPacket.statusLength)
        }
    }
}

/// Write Without Encryption, command code 08: writes blocks of services that need no authentication.
///
/// ```
/// command   LEN | 08 | IDm (8) | m | service code (LE) × m | n | block list element × n | data (16) × n
/// response  0C  | 09 | IDm (8) | status flag 1 | status flag 2
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Write Without Encryption".
public enum WriteWithoutEncryption: FeliCaCommand {
    public static let code = CommandCode.writeWithoutEncryption
    package static let description = CommandDescription.manual(
        code, "Write Without Encryption", short: "Write", word: "write",
        "Writes blocks of services that need no authentication, all or none.",
        notes: [
            "Silence: as for Read Without Encryption, or fewer than 16 bytes for each block.",
            "FF A2: no block or more than the card allows: 8 or 10 on DES cards, 13 on AES cards, 1 on FeliCa Lite.",
            "A5: the service is read-only or needs authentication, or a cyclic block other than 0 was written.",
            "71 is a warning: the data is stored.",
        ],
        command: .blocks + [.blockData], response: [.field(.idm), .status(done: "written")])

    /// The maximum number of blocks in a command with one service and two-byte elements: 14 + 18·13 = 248 bytes.
    public static let maximumBlocks = 13

    public typealias Response = StatusResponse<WriteWithoutEncryption>

    public struct Request: FrameValue {
        public var idm: IDm
        /// The service codes; block list elements refer to them by index.
        public var services: [NodeCode]
        public var blocks: [BlockListElement]
        /// The data to write, one block for each element of the block list.
        public var data: [BlockData]

        public init(idm: IDm, services: [NodeCode], blocks: [BlockListElement], data: [BlockData]) {
            self.idm = idm
            self.services = services
            self.blocks = blocks
            self.data = data
        }

        public init(parsing packet: Span<UInt8>) throws(WireError) {
            try FeliCaPacket.check(packet, code, length: BlockAccessLayout.lengths)
            let (layout, end) = try BlockAccessLayout.checked(packet)
            try FeliCaPacket.checkEnd(packet, at: end + BlockData.byteCount * layout.blockCount, of: "block data")
            idm = packet.idm
            services = layout.services(in: packet)
            blocks = layout.blocks(in: packet)
            data = (0..<layout.blockCount).map { BlockData(packet, at: end + BlockData.byteCount * $0) }
        }

        public func write(into buffer: inout FrameBuffer) {
            let lists = BlockAccessLayout.length(services: services, blocks: blocks)
            buffer.append(header: lists + BlockData.byteCount * data.count, code, idm)
            BlockAccessLayout.write(services: services, blocks: blocks, into: &buffer)
            for block in data { buffer.append(block.simd) }
        }
    }
}

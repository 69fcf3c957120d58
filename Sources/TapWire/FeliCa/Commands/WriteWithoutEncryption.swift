/// Write Without Encryption, command code 08: blocks of authentication-free services.
///
/// ```
/// command   LEN | 08 | IDm (8) | m | service code (LE) × m | n | block list element × n | data (16) × n
/// response  0C  | 09 | IDm (8) | status flag 1 | status flag 2
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Write Without Encryption".
public enum WriteWithoutEncryption: FeliCaCommand {
    public static let code = CommandCode.writeWithoutEncryption
    /// Most blocks a command has room for, with one service and elements of two bytes: 14 + 18·13 = 248 bytes.
    public static let maximumBlocks = 13

    public typealias Response = StatusResponse<WriteWithoutEncryption>

    public struct Request: FrameValue {
        public var idm: IDm
        /// Service codes; block list elements refer to them by index.
        public var services: [NodeCode]
        /// The blocks to write.
        public var blocks: [BlockListElement]
        /// What to write, one for each element of the block list.
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

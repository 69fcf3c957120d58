/// The attribute information block, block 0 of an NFC Forum Type 3 Tag: how to read the message and how long it is.
///
/// ```
/// 0    version (1.0 is 10)             9      write flag
/// 1    Nbr, blocks per read            10     RW flag
/// 2    Nbw, blocks per write           11–13  Ln, length of the message (BE)
/// 3–4  Nmaxb, blocks for NDEF (BE)     14–15  checksum (BE): sum of bytes 0 to 13
/// 5–8  unused, zero
/// ```
/// A reader takes a tag with a wrong checksum for one without NDEF. Setting a field leaves the checksum as it is; call
/// ``updateChecksum()`` for a block that readers accept. Source: NFC Forum Type 3 Tag Operation.
public struct AttributeInformationBlock: BlockRecord {
    private enum Layout {
        static let version = BitField.byte(0)
        static let blocksPerRead = BitField.byte(1)
        static let blocksPerWrite = BitField.byte(2)
        static let blockCount = BitField.bigEndian(3...4)
        static let unused = BitField.bigEndian(5...8)
        static let writeFlag = BitField.byte(9)
        static let accessFlag = BitField.byte(10)
        static let messageLength = BitField.bigEndian(11...13)
        static let summed = 0...13
        static let checksum = BitField.bigEndian(14...15)
    }

    /// Whether the message is complete; values other than the named ones are reserved.
    public struct WriteFlag: Hashable, Sendable {
        /// The message is complete.
        public static let finished = WriteFlag(0x00)
        /// A write was begun and not finished: the message is not valid.
        public static let inProgress = WriteFlag(0x0F)

        public let rawValue: UInt8

        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }
    }

    /// Whether the message may be written; values other than the named ones are reserved.
    public struct AccessFlag: Hashable, Sendable {
        /// Read only.
        public static let readOnly = AccessFlag(0x00)
        /// Read and write.
        public static let readWrite = AccessFlag(0x01)

        public let rawValue: UInt8

        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }
    }

    public static let name = "attribute information block"
    public var stored: BlockData

    public init(_ stored: BlockData) {
        self.stored = stored
    }

    /// Creates a block with the right checksum.
    ///
    /// - Throws: ``WireError`` if the length of the message has more than 24 bits.
    public init(
        version: MappingVersion = .v1_0, blocksPerRead: UInt8, blocksPerWrite: UInt8, blockCount: UInt16,
        writeFlag: WriteFlag = .finished, accessFlag: AccessFlag = .readWrite, messageLength: UInt32 = 0
    ) throws(WireError) {
        self.init(.zero)
        self.version = version
        self.blocksPerRead = blocksPerRead
        self.blocksPerWrite = blocksPerWrite
        self.blockCount = blockCount
        self.writeFlag = writeFlag
        self.accessFlag = accessFlag
        try stored.store(messageLength, in: Layout.messageLength, "Ln")
        updateChecksum()
    }

    /// The version of the mapping.
    public var version: MappingVersion {
        get { MappingVersion(stored[Layout.version]) }
        set { stored[Layout.version] = newValue.rawValue }
    }

    /// Nbr: blocks a reader may read with one command.
    public var blocksPerRead: UInt8 {
        get { stored[Layout.blocksPerRead] }
        set { stored[Layout.blocksPerRead] = newValue }
    }

    /// Nbw: blocks a reader may write with one command.
    public var blocksPerWrite: UInt8 {
        get { stored[Layout.blocksPerWrite] }
        set { stored[Layout.blocksPerWrite] = newValue }
    }

    /// Nmaxb: blocks for the message, from block 1 on.
    public var blockCount: UInt16 {
        get { stored[Layout.blockCount] }
        set { stored[Layout.blockCount] = newValue }
    }

    /// The four bytes without use, the first one highest.
    public var unused: UInt32 {
        get { stored[Layout.unused] }
        set { stored[Layout.unused] = newValue }
    }

    /// Whether the message is complete.
    public var writeFlag: WriteFlag {
        get { WriteFlag(stored[Layout.writeFlag]) }
        set { stored[Layout.writeFlag] = newValue.rawValue }
    }

    /// Whether the message may be written.
    public var accessFlag: AccessFlag {
        get { AccessFlag(stored[Layout.accessFlag]) }
        set { stored[Layout.accessFlag] = newValue.rawValue }
    }

    /// Ln: bytes of the message; cut to 24 bits.
    public var messageLength: UInt32 {
        get { stored[Layout.messageLength] }
        set { stored[Layout.messageLength] = newValue }
    }

    /// The checksum in the block, right or wrong.
    public var checksum: UInt16 {
        get { stored[Layout.checksum] }
        set { stored[Layout.checksum] = newValue }
    }
}

extension AttributeInformationBlock {
    /// The checksum the block should have.
    public var expectedChecksum: UInt16 {
        Layout.summed.reduce(0) { $0 + UInt16(stored[$1]) }
    }

    /// Whether the checksum in the block is right.
    public var hasValidChecksum: Bool { checksum == expectedChecksum }

    /// Puts the right checksum into the block.
    public mutating func updateChecksum() {
        checksum = expectedChecksum
    }

    /// Bytes of the longest message the blocks hold.
    public var largestMessage: Int { Int(blockCount) * BlockData.byteCount }

    /// Blocks the message fills, the last one perhaps in part.
    public var messageBlockCount: Int {
        (Int(messageLength) + BlockData.byteCount - 1) / BlockData.byteCount
    }
}

/// The services of an NFC Forum Type 3 Tag in system 12FC: block 0 is the ``AttributeInformationBlock``, the message
/// begins in block 1.
///
/// Source: NFC Forum Type 3 Tag Operation.
public enum Type3Services {
    /// Reading, which the specification calls CHECK.
    public static let read = NodeCode(0x000B)
    /// Reading and writing, which the specification calls UPDATE.
    public static let write = NodeCode(0x0009)
    /// Number of the first block of the message.
    public static let firstMessageBlock: UInt16 = 1
}

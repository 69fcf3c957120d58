/// The attribute information block, block 0 of an NFC Forum Type 3 Tag, which describes how to read the message and gives its
/// length.
///
/// ```
/// 0    version (1.0 is 10)             9      write flag
/// 1    Nbr, blocks per read            10     RW flag
/// 2    Nbw, blocks per write           11–13  Ln, length of the message (BE)
/// 3–4  Nmaxb, blocks for NDEF (BE)     14–15  checksum (BE): sum of bytes 0 to 13
/// 5–8  unused, zero
/// ```
/// A reader treats a tag with a wrong checksum as a tag without NDEF. Setting a field does not change the checksum; call
/// ``updateChecksum()`` to get a block that readers accept. Source: NFC Forum Type 3 Tag Operation.
package struct AttributeInformationBlock: BlockRecord {
    private static let summedBytes = 0...13

    package struct Fields: RecordFields, Sendable {
        package let version = Field<MappingVersion>("version", .byte(0))
        /// Nbr: the number of blocks a reader may read with one command.
        package let blocksPerRead = Field<UInt8>("Nbr", .byte(1), unit: "blocks per read")
        /// Nbw: the number of blocks a reader may write with one command.
        package let blocksPerWrite = Field<UInt8>("Nbw", .byte(2), unit: "blocks per write")
        /// Nmaxb: the number of blocks for the message, starting with block 1.
        package let blockCount = Field<UInt16>("Nmaxb", .bigEndian(3...4), unit: "blocks for the message")
        /// The four unused bytes, high byte first.
        package let unused = Field<UInt32>(raw: "unused", .bigEndian(5...8))
        package let writeFlag = Field<WriteFlag>("write flag", .byte(9))
        package let accessFlag = Field<AccessFlag>("RW flag", .byte(10))
        /// Ln: the length of the message in bytes, truncated to 24 bits.
        package let messageLength = Field<UInt32>("Ln", .bigEndian(11...13), unit: "bytes of message")
        package let checksum = Field<UInt16>(raw: "checksum", .bigEndian(14...15))

        package var listed: [any RecordField] {
            [version, blocksPerRead, blocksPerWrite, blockCount, writeFlag, accessFlag, messageLength]
        }
    }

    package static let fields = Fields()

    /// The completeness of the message; values other than the named ones are reserved.
    package struct WriteFlag: OpenCode, CustomStringConvertible {
        package static let finished = WriteFlag(0x00)
        /// A write has started but not finished: the message is not valid.
        package static let inProgress = WriteFlag(0x0F)

        package let rawValue: UInt8

        package init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package var description: String {
            self == .finished ? "finished" : self == .inProgress ? "in progress" : "reserved value"
        }
    }

    /// The write access to the message; values other than the named ones are reserved.
    package struct AccessFlag: OpenCode, CustomStringConvertible {
        package static let readOnly = AccessFlag(0x00)
        package static let readWrite = AccessFlag(0x01)

        package let rawValue: UInt8

        package init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package var description: String {
            self == .readWrite ? "read and write" : self == .readOnly ? "read only" : "reserved value"
        }
    }

    package static let name = "attribute information block"
    package var stored: BlockData

    package init(_ stored: BlockData) {
        self.stored = stored
    }

    /// Throws ``WireError`` if the message length has more than 24 bits.
    package init(
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
        try stored.store(messageLength, in: Self.fields.messageLength)
        updateChecksum()
    }
}

extension AttributeInformationBlock {
    package var expectedChecksum: UInt16 {
        Self.summedBytes.reduce(0) { $0 + UInt16(stored[$1]) }
    }

    package var hasValidChecksum: Bool { self.checksum == expectedChecksum }

    /// A Boolean value that indicates whether a reader recognizes the card as a Type 3 tag.
    package var announcesNDEF: Bool { hasValidChecksum && self.version.major == 1 && self.blocksPerRead > 0 }

    package mutating func updateChecksum() {
        self.checksum = expectedChecksum
    }

    /// The length of the longest message that fits the blocks, in bytes.
    package var largestMessage: Int { Int(self.blockCount) * BlockData.byteCount }

    /// The number of blocks of the message, including a partly filled last block.
    package var messageBlockCount: Int {
        (Int(self.messageLength) + BlockData.byteCount - 1) / BlockData.byteCount
    }
}

/// The services of an NFC Forum Type 3 Tag in system 12FC: block 0 is the ``AttributeInformationBlock``, the message starts
/// in block 1.
///
/// Source: NFC Forum Type 3 Tag Operation.
package enum Type3Services {
    /// Read-only access; the specification calls reading CHECK.
    package static let read = NodeCode(0x000B)
    /// Read and write access; the specification calls writing UPDATE.
    package static let write = NodeCode(0x0009)
    package static let firstMessageBlock: UInt16 = 1
}

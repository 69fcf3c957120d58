/// The number of a block of FeliCa Lite or Lite-S; 00 to 0D are user data.
///
/// Source: FeliCa Lite-S User's Manual, as cited in open-source projects, "block configuration".
package struct LiteBlock: OpenCode, Comparable, CustomStringConvertible {
    package let rawValue: UInt16

    package init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static func < (left: LiteBlock, right: LiteBlock) -> Bool { left.rawValue < right.rawValue }

    /// The number of user data blocks, S_PAD0 to S_PAD13.
    package static let padCount = 14
    /// The registers A, B and C; A and B can only decrease.
    package static let registers = LiteBlock(0x0E)
    /// RC: the random challenge, which starts a session.
    package static let challenge = LiteBlock(0x80)
    /// MAC over the blocks that precede it in a read.
    package static let mac = LiteBlock(0x81)
    /// ID: IDm, data format code and six free bytes.
    package static let identification = LiteBlock(0x82)
    /// D_ID: IDm and PMm.
    package static let deviceIdentification = LiteBlock(0x83)
    /// SER_C.
    package static let serviceCode = LiteBlock(0x84)
    /// SYS_C.
    package static let systemCode = LiteBlock(0x85)
    /// CKV.
    package static let keyVersion = LiteBlock(0x86)
    /// CK; reads as zeros.
    package static let cardKey = LiteBlock(0x87)
    /// MC.
    package static let memoryConfiguration = LiteBlock(0x88)
    /// WCNT.
    package static let writeCounter = LiteBlock(0x90)
    /// MAC_A: the last block of a read, or the block that follows the written block.
    package static let macA = LiteBlock(0x91)
    /// STATE: the external authentication state, and whether the card answers Polling.
    package static let state = LiteBlock(0x92)
    package static let memoryCheck = LiteBlock(0xA0)

    /// The name in the manual; `nil` for user data and nonexistent blocks.
    package var shortName: String? { entry?.name }

    /// The name in the manual and the contents of the block; `nil` for user data and nonexistent blocks.
    package var name: String? { entry.map { "\($0.name) of FeliCa Lite, \($0.holds)" } }

    /// The contents of a block and the conditions for reading and writing it.
    package struct Entry: Sendable {
        package let block: LiteBlock
        package let name: String
        package let holds: String
        package let reading: String
        package let writing: String
        /// A Boolean value that indicates a block that exists only on FeliCa Lite-S.
        package let isOfLiteS: Bool
    }

    private var entry: Entry? { Self.known.first { $0.block == self } }

    /// The blocks that are not user data, in ascending order.
    package static let known: [Entry] = [
        entry(.registers, "REG", "registers A, B and C", "as user data", "A and B only to smaller values; C freely"),
        entry(.challenge, "RC", "the random challenge", "zeros", "always; starts a session"),
        entry(.mac, "MAC", "the MAC of a read", "yes", "never"),
        entry(
            .identification, "ID", "IDm, data format code and free bytes", "yes",
            "bytes 8 to 15, before the lock"),
        entry(.deviceIdentification, "D_ID", "IDm and PMm", "yes", "never"),
        entry(.serviceCode, "SER_C", "the service code", "yes", "before the lock"),
        entry(.systemCode, "SYS_C", "the system code", "yes", "never"),
        entry(.keyVersion, "CKV", "the card key version", "yes", "before the lock, or with MAC_A if MC allows"),
        entry(.cardKey, "CK", "the card key", "zeros", "before the lock, or with MAC_A if MC allows"),
        entry(.memoryConfiguration, "MC", "the memory configuration", "yes", "only as the current MC allows"),
        entry(.writeCounter, "WCNT", "the write counter", "yes", "never", isOfLiteS: true),
        entry(
            .macA, "MAC_A", "the MAC of Lite-S", "after RC was written", "after the block that it authenticates",
            isOfLiteS: true),
        entry(
            .state, "STATE", "the external authentication state", "yes", "01 with MAC_A authenticates",
            isOfLiteS: true),
        entry(.memoryCheck, "CRC_CHECK", "the memory check", "yes", "never", isOfLiteS: true),
    ]

    private static func entry(
        _ block: LiteBlock, _ name: String, _ holds: String, _ reading: String, _ writing: String,
        isOfLiteS: Bool = false
    ) -> Entry {
        Entry(block: block, name: name, holds: holds, reading: reading, writing: writing, isOfLiteS: isOfLiteS)
    }
}

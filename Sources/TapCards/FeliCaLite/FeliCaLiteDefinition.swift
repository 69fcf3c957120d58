import TapWire

/// The content of a FeliCa Lite, Lite-S, Plug or Link: a plain value.
///
/// Source: FeliCa Lite-S User's Manual, as cited in open-source projects, "block configuration".
public struct FeliCaLiteDefinition: Hashable, Sendable {
    public enum Model: String, Hashable, Sendable, CaseIterable {
        case lite = "FeliCa Lite"
        case liteS = "FeliCa Lite-S"
        /// FeliCa Link in Lite-S mode, with a write counter of four bytes.
        case linkLiteS = "FeliCa Link in Lite-S mode"
        /// FeliCa Plug, or FeliCa Link in Plug mode: its host holds the blocks, so it answers only Polling.
        case plug = "FeliCa Plug"
        /// FeliCa Link in NFC-DEP mode: as a card it answers only Polling.
        case nfcDEP = "FeliCa Link in NFC-DEP mode"

        /// A Boolean value that indicates whether the model has blocks of its own.
        public var hasBlocks: Bool { self != .plug && self != .nfcDEP }
        /// A Boolean value that indicates whether the model has MAC_A, the write counter and external authentication.
        public var hasMACA: Bool { self == .liteS || self == .linkLiteS }
        /// The length of the write counter in bytes.
        public var counterLength: Int { self == .linkLiteS ? 4 : 3 }
    }

    public let model: Model
    public var idm: IDm
    public var pmm: PMm
    public var profile: FeliCaLiteProfile
    public var time = FeliCaTime.typical
    /// The switches of the profile that no source documents for the IC.
    public var assumptions = CardAssumptions()
    /// S_PAD0 to S_PAD13.
    public var pads: [BlockData]
    /// REG: A and B, four bytes each, least significant byte first, and C.
    public var registers = BlockData(SIMD16(repeating: 0xFF))
    /// Bytes 8 to 15 of the block ID: data format code and free bytes, most significant byte first.
    public var userID: UInt64 = 0
    /// SER_C.
    public var serviceCode: BlockData = .zero
    /// CKV.
    public var keyVersion: BlockData = .zero
    /// CK as a reader writes it; zeros when shipped.
    public var cardKey: BlockData = .zero
    package var memoryConfiguration = LiteMemoryConfiguration.shipped
    /// WCNT; FFFE00h when shipped.
    public var writeCounter: UInt32 = shippedCounter

    /// Source: FeliCa Lite-S User's Manual, as cited in open-source projects; a new card read FFFE4Bh.
    public static let shippedCounter: UInt32 = 0xFFFE00

    public init(_ model: Model, idm: IDm, pmm: PMm, profile: FeliCaLiteProfile = FeliCaLiteProfile()) {
        self.model = model
        self.idm = idm
        self.pmm = pmm
        self.profile = profile
        pads = Array(repeating: .zero, count: LiteBlock.padCount)
    }

    /// The block MC.
    public var configurationBlock: BlockData {
        get { memoryConfiguration.stored }
        set { memoryConfiguration.stored = newValue }
    }
}

/// A FeliCa Lite as issued: immutable, and shared by all cards created from it.
public final class FeliCaLiteTemplate: Hashable, Sendable {
    public let definition: FeliCaLiteDefinition
    let model: FeliCaLiteDefinition.Model
    let profile: FeliCaLiteProfile
    let idm: IDm
    /// The blocks, in the order of ``LiteStore``.
    let blocks: [BlockData]
    let readTime: FeliCaResponseTime
    let writeTime: FeliCaResponseTime
    let otherTime: FeliCaResponseTime

    public init(_ definition: FeliCaLiteDefinition) {
        self.definition = definition
        model = definition.model
        profile = definition.profile
        idm = definition.idm
        blocks = LiteStore.blocks(of: definition)
        readTime = FeliCaResponseTime(definition.pmm, .read, definition.time)
        writeTime = FeliCaResponseTime(definition.pmm, .write, definition.time)
        otherTime = FeliCaResponseTime(definition.pmm, .fixed, definition.time)
    }

    public static func == (left: FeliCaLiteTemplate, right: FeliCaLiteTemplate) -> Bool {
        left === right || left.definition == right.definition
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(definition)
    }
}

/// The memory layout of the blocks of a FeliCa Lite that have storage.
enum LiteStore {
    /// The system blocks that store what a reader writes, in memory order, after S_PAD0 to REG.
    private static let systemBlocks: [LiteBlock] = [
        .identification, .serviceCode, .keyVersion, .cardKey, .memoryConfiguration,
    ]

    /// The numbers of the blocks with storage, in memory order, which is ascending.
    static let numbers: [Int] = Array(0...LiteBlock.padCount) + systemBlocks.map { Int($0.rawValue) }

    /// Returns the memory index of a block; `nil` for a block without storage.
    @inline(__always)
    static func index(of block: LiteBlock) -> Int? {
        switch block {
        case LiteBlock(0)...LiteBlock.registers: Int(block.rawValue)
        case .identification: identification
        case .serviceCode: LiteBlock.padCount + 2
        case .keyVersion: LiteBlock.padCount + 3
        case .cardKey: cardKey
        case .memoryConfiguration: configuration
        default: nil
        }
    }

    static let registers = LiteBlock.padCount
    static let identification = LiteBlock.padCount + 1
    static let cardKey = LiteBlock.padCount + 4
    static let configuration = LiteBlock.padCount + 5

    static func blocks(of card: FeliCaLiteDefinition) -> [BlockData] {
        let pads = (0..<LiteBlock.padCount).map { $0 < card.pads.count ? card.pads[$0] : .zero }
        let identification = BlockData(card.idm.rawValue.bigEndianBytes + card.userID.bigEndianBytes)
        return pads + [
            card.registers, identification, card.serviceCode, card.keyVersion, card.cardKey,
            card.memoryConfiguration.stored,
        ]
    }
}

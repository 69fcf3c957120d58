import TapWire

/// The content of a FeliCa Lite, Lite-S, Plug or Link: a plain value.
///
/// Source: FeliCa Lite-S User's Manual, as quoted by readers of it, "block configuration".
public struct FeliCaLiteDefinition: Hashable, Sendable {
    public enum Model: String, Hashable, Sendable, CaseIterable {
        case lite = "FeliCa Lite"
        case liteS = "FeliCa Lite-S"
        /// FeliCa Link in Lite-S mode: its write counter has four bytes.
        case linkLiteS = "FeliCa Link in Lite-S mode"
        /// FeliCa Plug, or FeliCa Link in Plug mode: its host holds the blocks, so it answers Polling alone.
        case plug = "FeliCa Plug"
        /// FeliCa Link in NFC-DEP mode: a card answers Polling alone.
        case nfcDEP = "FeliCa Link in NFC-DEP mode"

        /// Whether it has blocks of its own.
        public var hasBlocks: Bool { self != .plug && self != .nfcDEP }
        /// Whether it has MAC_A, the write counter and external authentication.
        public var hasMACA: Bool { self == .liteS || self == .linkLiteS }
        /// Bytes of the write counter.
        public var counterLength: Int { self == .linkLiteS ? 4 : 3 }
    }

    public let model: Model
    public var idm: IDm
    public var pmm: PMm
    public var profile: FeliCaLiteProfile
    public var time = FeliCaTime.typical
    /// Which switches of the profile no source tells of the IC.
    public var assumptions = CardAssumptions()
    /// S_PAD0 to S_PAD13.
    public var pads: [BlockData]
    /// REG: A and B, four bytes each with the low one first, and C.
    public var registers = BlockData(SIMD16(repeating: 0xFF))
    /// Bytes 8 to 15 of the block ID: data format code and free bytes, the first one highest.
    public var userID: UInt64 = 0
    /// SER_C.
    public var serviceCode: BlockData = .zero
    /// CKV.
    public var keyVersion: BlockData = .zero
    /// CK as a reader writes it; as shipped zeros.
    public var cardKey: BlockData = .zero
    package var memoryConfiguration = LiteMemoryConfiguration.shipped
    /// WCNT; as shipped FFFE00h.
    public var writeCounter: UInt32 = shippedCounter

    /// Source: FeliCa Lite-S User's Manual, as quoted by readers of it; a new card read FFFE4Bh.
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

/// A FeliCa Lite as it was issued: never changed, shared by all cards made from it.
public final class FeliCaLiteTemplate: Hashable, Sendable {
    public let definition: FeliCaLiteDefinition
    let model: FeliCaLiteDefinition.Model
    let profile: FeliCaLiteProfile
    let idm: IDm
    /// The blocks as ``LiteStore`` places them.
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

/// Where the blocks of a FeliCa Lite that keep something lie in memory.
enum LiteStore {
    /// The system blocks that keep what a reader writes, in the order of memory, behind S_PAD0 to REG.
    private static let systemBlocks: [LiteBlock] = [
        .identification, .serviceCode, .keyVersion, .cardKey, .memoryConfiguration,
    ]

    /// The numbers of the blocks that keep something, in the order of memory, which ascends.
    static let numbers: [Int] = Array(0...LiteBlock.padCount) + systemBlocks.map { Int($0.rawValue) }

    /// The place of a block in memory; `nil` for one that keeps nothing.
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

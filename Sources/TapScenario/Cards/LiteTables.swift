import TapCards
import TapDocument
import TapWire

/// The keys of a FeliCa Lite, and the maps under them.
enum LiteTables {
    static let keys = [
        cardKey.key, cardKeyVersion.key, memoryConfiguration.key, blocks.key, idData.key, writeCounter.key,
    ]

    static let cardKey = TypedKey(
        "card_key", FieldForm<[UInt8]>.hex(16...16),
        "The card key as stored in block CK. Default: zeros, as shipped. nfcpy reverses each half of a password.",
        synonyms: ["ck"])
    static let cardKeyVersion = TypedKey(
        "card_key_version", FieldForm<UInt16>.integer(0...0xFFFF), "The version of the card key, block CKV.",
        synonyms: ["ckv"])
    static let memoryConfiguration = TypedKey(
        "memory_configuration", .value(.variants([.scalar(HexRule([16...16])), .map(configuration.keys)])),
        "The block MC, which controls access to blocks: its sixteen bytes, or single options.",
        synonyms: ["mc", "memory_config"])
    static let blocks = TypedKey(
        "blocks",
        .value(.map(of: LiteBlockRule(), to: .variants([.hex(16), .list(of: .hex(16))]))),
        "Single blocks by number from 0 to 13, lists of blocks by their first number, and REG, ID, SER_C, CKV, CK and MC by "
            + "name. They override `ndef`.", synonyms: ["pads", "block", "spad"])
    static let idData = TypedKey(
        "id_data", FieldForm<[UInt8]>.hex(8...8),
        "Bytes 8 to 15 of the block ID: the data format code and six free bytes.", synonyms: ["dfc", "user_id"])
    static let writeCounter = TypedKey(
        "write_counter", FieldForm<UInt32>.integer(0...Int(UInt32.max)),
        "The write counter WCNT. Default: 16776704, as shipped, or 0 on a locked card.", synonyms: ["wcnt"])

    /// WCNT as shipped, or its value when a card is locked.
    static func usualCounter(of card: FeliCaLiteDefinition) -> UInt32 {
        card.model.hasMACA && card.memoryConfiguration.lock == .locked ? 0 : FeliCaLiteDefinition.shippedCounter
    }

    /// The options of MC; by default, nothing is protected.
    static let configuration = FieldTable(
        "a memory configuration", LiteMemoryConfiguration.shipped,
        [
            .init(
                "ndef", \.isNDEFSystem, .boolean, "Answer Polling for 12FC, as an NDEF tag does.",
                synonyms: ["sys_op"]),
            .init(
                "locked", \.isLocked, .boolean,
                "Lock ID, SER_C, CKV, CK and most of MC permanently, as on an issued card.",
                synonyms: ["issued", "mc_all", "lock"]),
            set("read_only", \.readOnly, "Blocks that nobody can write.", ["readonly", "protected"]),
            set(
                "read_after_authentication", \.authenticatedRead,
                "Blocks that can only be read after external authentication.", ["authenticated_read"]),
            set(
                "write_after_authentication", \.authenticatedWrite,
                "Blocks that can only be written after external authentication.", ["authenticated_write"]),
            set("write_with_mac", \.writeWithMAC, "Blocks that can only be written with MAC_A.", ["mac"]),
            .init(
                "state_with_mac", \.stateWithMAC, .boolean, "Only allow writing STATE with MAC_A.",
                isWritten: \.stateWithMAC),
            .init(
                "key_change_with_mac", \.changesKeyWithMAC, .boolean,
                "Allow changing CK and CKV with MAC_A after the lock.", isWritten: \.changesKeyWithMAC),
            .init(
                "final", \.isFinal, .boolean, "Forbid protecting more blocks: bit 15 of MC is 0.",
                isWritten: \.isFinal),
            .init(
                "rf_parameter", \.rfParameter, .byte, "RF_PRM.", synonyms: ["rf_prm"],
                isWritten: { $0.rfParameter != 7 }),
        ])

    private static func set(
        _ name: String, _ property: any WritableKeyPath<LiteMemoryConfiguration, LiteBlockSet> & Sendable,
        _ summary: String, _ synonyms: [String]
    ) -> TapDocument.Field<LiteMemoryConfiguration> {
        .init(
            name, property, blockSet, "\(summary) Numbers, ranges such as `0-13`, or `REG`.", hasDefault: false,
            synonyms: synonyms, isWritten: { !$0[keyPath: property].blocks.isEmpty })
    }

    private static let blockSet = FieldForm<LiteBlockSet>(
        .variants([.scalar(LiteBlockRangeRule()), .list(of: .scalar(LiteBlockRangeRule()))])
    ) { reader in
        reader.itemsOrSelf.reduce(LiteBlockSet([])) { $0.union($1.read(LiteBlockRangeRule.self)) }
    } node: { set in
        .list(set.ranges.map { .text(LiteBlockRangeRule.text($0)) })
    }
}

/// The options of MC under their names in files.
extension LiteMemoryConfiguration {
    fileprivate var isNDEFSystem: Bool {
        get { self.answersNDEF }
        set { self.systemOption = newValue ? 1 : 0 }
    }

    fileprivate var isLocked: Bool {
        get { self.lock == .locked }
        set { self.lock = newValue ? .locked : .open }
    }

    fileprivate var readOnly: LiteBlockSet {
        get { LiteBlockSet(0...LiteBlock.padCount).subtracting(self.writable) }
        set { self.writable = self.writable.subtracting(newValue) }
    }

    fileprivate var isFinal: Bool {
        get { !self.writable.contains(LiteBlockSet.configurationBit) }
        set {
            let bit = LiteBlockSet([LiteBlockSet.configurationBit])
            self.writable = newValue ? self.writable.subtracting(bit) : self.writable.union(bit)
        }
    }

    /// A Boolean value that indicates whether it requires MACs, external authentication or a key.
    var needsKey: Bool {
        let sets = [self.authenticatedRead, self.authenticatedWrite, self.writeWithMAC]
        return sets.contains { !$0.blocks.isEmpty } || self.stateWithMAC || self.changesKeyWithMAC
    }

    /// The configuration as single options, or as bytes if the options cannot express it.
    fileprivate var node: Node {
        let node = LiteTables.configuration.node(self)
        var told = LiteMemoryConfiguration.shipped
        told.isNDEFSystem = isNDEFSystem
        told.isLocked = isLocked
        told.writable = self.writable
        told.authenticatedRead = self.authenticatedRead
        told.authenticatedWrite = self.authenticatedWrite
        told.writeWithMAC = self.writeWithMAC
        told.stateWithMAC = self.stateWithMAC
        told.changesKeyWithMAC = self.changesKeyWithMAC
        told.rfParameter = self.rfParameter
        let bit = LiteBlockSet([LiteBlockSet.configurationBit])
        let hasHiddenBits = sets.contains { $0.rawValue & bit.rawValue != 0 }
        return told == self && !hasHiddenBits ? node : .hex(stored.bytes)
    }

    private var sets: [LiteBlockSet] { [self.authenticatedRead, self.authenticatedWrite, self.writeWithMAC] }
}

extension LiteBlockSet {
    /// The blocks as ranges of consecutive numbers.
    fileprivate var ranges: [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        for block in blocks {
            if let last = runs.last, last.upperBound + 1 == block, block < LiteBlock.padCount {
                runs[runs.count - 1] = last.lowerBound...block
            } else {
                runs.append(block...block)
            }
        }
        return runs
    }
}

/// A block that stores data: a number from 0 to 13, or a name.
struct LiteBlockRule: ScalarRule {
    private static let names: [(name: String, block: LiteBlock)] = [
        ("REG", .registers), ("ID", .identification), ("SER_C", .serviceCode), ("CKV", .keyVersion), ("CK", .cardKey),
        ("MC", .memoryConfiguration),
    ]

    let noun = "a block such as `3` or `REG`"

    func parse(_ text: String) throws(ScalarProblem) -> LiteBlock {
        if let known = Self.names.first(where: { $0.name == text }) { return known.block }
        if let number = UInt16(text), number < LiteBlock.padCount, "\(number)" == text { return LiteBlock(number) }
        throw ScalarProblem(
            .outOfRange, "is not a block that a file can define",
            hint: "expected 0 to 13, or \(ListText.choice(Self.names.map(\.name)))")
    }

    static func text(_ block: LiteBlock) -> String {
        names.first { $0.block == block }?.name ?? "\(block.rawValue)"
    }

    var schema: ScalarSchema {
        ScalarSchema(.pattern("[0-9]|1[0-3]|" + Self.names.map(\.name).joined(separator: "|")), numbers: .any)
    }
}

/// Blocks protected by MC: a number from 0 to 14, `REG`, or a range such as `0-13`.
struct LiteBlockRangeRule: ScalarRule {
    let noun = "a block, or a range such as `0-13`"

    func parse(_ text: String) throws(ScalarProblem) -> LiteBlockSet {
        if text == "REG" { return LiteBlockSet([LiteBlock.padCount]) }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last,
            (0...LiteBlock.padCount).contains(first), (0...LiteBlock.padCount).contains(last)
        else {
            throw ScalarProblem(
                .outOfRange, "is not a block that can be protected",
                hint: "expected 0 to 13, `REG`, or a range such as `0-13`")
        }
        return LiteBlockSet(first...last)
    }

    static func text(_ range: ClosedRange<Int>) -> String {
        if range.lowerBound == LiteBlock.padCount { return "REG" }
        return range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }

    var schema: ScalarSchema { ScalarSchema(.pattern("[0-9]{1,2}(-[0-9]{1,2})?|REG"), numbers: .any) }
}

// Converts a FeliCa Lite to a map of the card language that omits defaults.

extension Node {
    static func of(_ card: FeliCaLiteDefinition, ic: String) -> Node {
        let row = FeliCaLiteIC.named(ic)
        let standard = (row?.profile ?? FeliCaLiteProfile(), row?.assumptions ?? CardAssumptions())
        let written = blocks(of: card)
        let hasKey = card.cardKey != .zero
        let configuration = card.memoryConfiguration
        let isCounted = card.writeCounter != LiteTables.usualCounter(of: card)
        return .map(
            [
                (CardLanguage.ic.name, .text(ic)), CardLanguage.idm.entry(card.idm), CardLanguage.pmm.entry(card.pmm),
                card.time == .typical ? nil : CardLanguage.time.entry(card.time),
                hasKey ? LiteTables.cardKey.entry(card.cardKey.bytes) : nil,
                configuration == .shipped ? nil : (LiteTables.memoryConfiguration.name, configuration.node),
                card.userID == 0 ? nil : LiteTables.idData.entry(card.userID.octets),
                isCounted ? LiteTables.writeCounter.entry(card.writeCounter) : nil,
                written.isEmpty ? nil : (LiteTables.blocks.name, .map(written)),
                quirks(card.profile, card.assumptions, unlike: standard),
            ].compactMap(\.self))
    }

    /// Runs of consecutive nonzero blocks of user data, by their first number, then named blocks.
    private static func blocks(of card: FeliCaLiteDefinition) -> [(key: String, value: Node)] {
        var runs: [(first: Int, blocks: [Node])] = []
        for (number, block) in card.pads.enumerated() where block != .zero {
            if let last = runs.last, last.first + last.blocks.count == number {
                runs[runs.count - 1].blocks.append(.hex(block.bytes))
            } else {
                runs.append((number, [.hex(block.bytes)]))
            }
        }
        let named: [(LiteBlock, BlockData, BlockData)] = [
            (.registers, card.registers, BlockData(SIMD16(repeating: 0xFF))),
            (.serviceCode, card.serviceCode, .zero), (.keyVersion, card.keyVersion, .zero),
        ]
        return runs.map { run in
            (key: "\(run.first)", value: run.blocks.count == 1 ? run.blocks[0] : .list(run.blocks))
        } + named.filter { $0.1 != $0.2 }.map { (key: LiteBlockRule.text($0.0), value: .hex($0.1.bytes)) }
    }
}

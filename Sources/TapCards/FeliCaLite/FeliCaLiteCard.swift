import TapCrypto
import TapWire

/// A FeliCa Lite, Lite-S, Plug or Link: a value that shares a template and copies its memory on the first write.
///
/// Sources: FeliCa Lite-S User's Manual, as cited in open-source projects; the FeliCa listener of the Flipper firmware.
/// Where they disagree, ``FeliCaLiteProfile`` decides.
public struct FeliCaLiteCard: FeliCaEngine {
    public let template: FeliCaLiteTemplate
    /// The template's own array until the first write, in the order of ``LiteStore``.
    var blocks: [BlockData]
    /// WCNT.
    public package(set) var writeCounter: UInt32
    var session: FeliCaLiteSession

    public init(_ template: FeliCaLiteTemplate) {
        self.template = template
        blocks = template.blocks
        writeCounter = template.definition.writeCounter
        session = FeliCaLiteSession(LiteMemoryConfiguration(template.blocks[LiteStore.configuration]))
    }

    public init(_ definition: FeliCaLiteDefinition) {
        self.init(FeliCaLiteTemplate(definition))
    }

    public func hears(_ technology: Technology) -> Bool { technology.isFeliCa }

    /// Applies the stored MC and clears RC, session keys and STATE.
    public mutating func fieldRose() {
        session = FeliCaLiteSession(LiteMemoryConfiguration(blocks[LiteStore.configuration]))
    }

    public mutating func fieldFell() {
        fieldRose()
    }

    /// `no session`, `session` after a write of RC, or `authenticated` after external authentication.
    public var stateName: String {
        session.isAuthenticated ? "authenticated" : session.keys == nil ? "no session" : "session"
    }

    public func hasSameMemory(as other: FeliCaLiteCard) -> Bool {
        template == other.template && blocks == other.blocks && writeCounter == other.writeCounter
    }

    /// The maximum response time given by the PMm.
    public func longestDelay(answering command: Span<UInt8>) -> Duration {
        guard command.count >= FeliCaPacket.minimumLength else { return template.otherTime.maximum(count: 0) }
        let blocks = BlockAccessLayout(command)?.blockCount ?? 0
        switch CommandCode(of: command) {
        case .polling?:
            let polling = try? Polling.Request(parsing: command)
            return FeliCaTimeSlot.delay((polling?.timeSlot ?? 0) & 0x0F)
        case .readWithoutEncryption?: return template.readTime.maximum(count: blocks)
        case .writeWithoutEncryption?: return template.writeTime.maximum(count: blocks)
        default: return template.otherTime.maximum(count: 0)
        }
    }

    public func assumption(about fact: CardFact) -> CardAssumption? {
        CardAssumption(fact, template.definition.assumptions.confidence(in: fact), in: template.profile)
    }

    /// Returns a copy of this card as issued, with the last byte of the IDm inverted.
    public func withAnotherIdentifier() -> FeliCaLiteCard {
        var definition = template.definition
        definition.idm = IDm(definition.idm.rawValue ^ 0xFF)
        return FeliCaLiteCard(definition)
    }
}

/// The state a FeliCa Lite loses without power.
struct FeliCaLiteSession: Hashable, Sendable {
    /// Session keys derived from RC and CK, once RC is written.
    var keys: LiteSession?
    /// EXT_AUTH, byte 0 of STATE.
    var isAuthenticated = false
    /// Byte 8 of STATE; while nonzero, the card is silent to Polling.
    var pollingState: UInt8 = 0
    /// A Boolean value that indicates whether the card answers only Polling, a state that a fault can cause.
    var awaitsPolling = false
    /// The MC in effect, which can differ from the stored MC.
    var configuration: LiteMemoryConfiguration

    init(_ configuration: LiteMemoryConfiguration) {
        self.configuration = configuration
    }
}

extension FeliCaLiteCard {
    /// The definition of the card in its state after power-off; an equal card can be created from it.
    public var definition: FeliCaLiteDefinition {
        var definition = template.definition
        definition.pads = Array(blocks[..<LiteBlock.padCount])
        definition.registers = blocks[LiteStore.registers]
        definition.userID = UInt64(octets: blocks[LiteStore.identification].bytes.dropFirst(8))
        definition.serviceCode = self[.serviceCode]
        definition.keyVersion = self[.keyVersion]
        definition.cardKey = self[.cardKey]
        definition.memoryConfiguration = LiteMemoryConfiguration(self[.memoryConfiguration])
        definition.writeCounter = writeCounter
        return definition
    }

    /// A block as stored, or computed for blocks without storage; zeros for a number without a block.
    subscript(block: LiteBlock) -> BlockData {
        if let index = LiteStore.index(of: block) { return blocks[index] }
        switch block {
        case .deviceIdentification:
            return BlockData(
                littleEndianHalves: (template.idm.rawValue.byteSwapped, template.definition.pmm.rawValue.byteSwapped))
        case .systemCode: return BlockData(littleEndianHalves: (UInt64(SystemCode.lite.rawValue.byteSwapped), 0))
        case .writeCounter: return BlockData(littleEndianHalves: (UInt64(writeCounter), 0))
        case .state:
            return BlockData(littleEndianHalves: (session.isAuthenticated ? 1 : 0, UInt64(session.pollingState)))
        default: return .zero
        }
    }

    func has(_ block: LiteBlock) -> Bool {
        switch block {
        case LiteBlock(0)...LiteBlock.registers, LiteBlock.challenge...LiteBlock.memoryConfiguration: true
        case LiteBlock.writeCounter...LiteBlock.state, .memoryCheck: template.model.hasMACA
        default: false
        }
    }
}

/// Changes to a card that do not come from the reader's commands, and the view of tests and reports.
extension FeliCaLiteCard {
    public var idm: IDm { template.idm }
    public var pmm: PMm { template.definition.pmm }

    public var systemCodes: [SystemCode] {
        switch template.model {
        case .plug: [.plug]
        case .nfcDEP: []
        case .lite, .liteS, .linkLiteS: session.configuration.answersNDEF ? [.lite, .ndef] : [.lite]
        }
    }

    public func systemCode(of idm: IDm) -> SystemCode? { idm == template.idm ? systemCodes.first : nil }

    /// Both services access the same blocks, so the writable one represents both.
    public var services: [(system: SystemCode, service: NodeCode)] {
        template.model.hasBlocks ? [(.lite, Type3Services.write)] : []
    }

    private func isService(_ service: NodeCode, in systemCode: SystemCode) -> Bool {
        template.model.hasBlocks && [Type3Services.read, Type3Services.write].contains(service)
            && systemCodes.contains(systemCode)
    }

    public func blockNumbers(of service: NodeCode, in systemCode: SystemCode) -> [Int] {
        guard isService(service, in: systemCode) else { return [] }
        return LiteStore.numbers + (template.model.hasMACA ? [Int(LiteBlock.writeCounter.rawValue)] : [])
    }

    /// CK and STATE return their actual values.
    public func block(_ number: Int, of service: NodeCode, in systemCode: SystemCode) -> BlockData? {
        guard isService(service, in: systemCode), let number = UInt16(exactly: number), has(LiteBlock(number)) else {
            return nil
        }
        return self[LiteBlock(number)]
    }

    public mutating func replaceBlocks(of service: NodeCode, in systemCode: SystemCode, with content: [BlockData]) {
        guard isService(service, in: systemCode) else { return }
        for (index, data) in content.prefix(LiteBlock.padCount + 1).enumerated() { blocks[index] = data }
    }

    /// Ends the session and external authentication; the MC in effect is kept.
    public mutating func forgetSession(untilPolled: Bool) {
        session = FeliCaLiteSession(session.configuration)
        session.awaitsPolling = untilPolled
    }
}

/// Access to the memory as cells, for memory faults: the blocks with storage, in order.
extension FeliCaLiteCard {
    /// The block a Write Without Encryption would program.
    public func cells(writtenBy command: Span<UInt8>) -> [Range<Int>] {
        guard FeliCaPacket.isWhole(command), command.count >= FeliCaPacket.idmLength,
            CommandCode(of: command) == .writeWithoutEncryption, command.idm == template.idm,
            case .valid(let write) = liteWrite(command), refusal(of: write) == nil,
            let index = LiteStore.index(of: write.block)
        else { return [] }
        return [index * BlockData.byteCount..<(index + 1) * BlockData.byteCount]
    }

    public subscript(cell cell: Int) -> UInt8 {
        get { isCell(cell) ? blocks[cell / BlockData.byteCount][cell % BlockData.byteCount] : 0 }
        set { if isCell(cell) { blocks[cell / BlockData.byteCount][cell % BlockData.byteCount] = newValue } }
    }

    private func isCell(_ cell: Int) -> Bool { cell >= 0 && cell < blocks.count * BlockData.byteCount }
}

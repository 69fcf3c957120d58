import TapWire

/// A FeliCa Standard card: a value that shares a template and copies its memory on the first write.
///
/// It answers every command that needs no session, and authenticates readers with DES and AES keys. Sources: FeliCa Card User's
/// Manual, excerpted edition and unofficial edition. Chips differ as described by their ``FeliCaProfile``.
public struct FeliCaCard: FeliCaEngine {
    public let template: FeliCaTemplate
    /// The template's own array until the first write.
    var blocks: [BlockData]
    /// Keys that differ from those of the template, by the index of their node.
    var changedKeys: [Int: ChangedKeys] = [:]
    /// The number of writes, up to the limit of the card if it has one.
    var writeCount: UInt32 = 0
    var session = FeliCaSession()

    public init(_ template: FeliCaTemplate) {
        self.template = template
        blocks = template.blocks
    }

    /// Throws ``FeliCaTemplateError`` for an impossible card.
    public init(_ definition: FeliCaCardDefinition) throws(FeliCaTemplateError) {
        self.init(try FeliCaTemplate(definition))
    }

    /// FeliCa at both bit rates.
    public func hears(_ technology: Technology) -> Bool { technology.isFeliCa }

    /// System 0 in Mode0.
    public mutating func fieldRose() {
        session = FeliCaSession()
    }

    public mutating func fieldFell() {
        fieldRose()
    }

    /// Such as `Mode0 of system 0003`.
    public var stateName: String { template.stateNames[session.system << 2 | Int(mode.rawValue)] }

    public func hasSameMemory(as other: FeliCaCard) -> Bool {
        template == other.template && blocks == other.blocks && writeCount == other.writeCount
            && changedKeys == other.changedKeys
    }

    public var currentSystem: Int { session.system }

    /// The progress of the session with the current system.
    public package(set) var mode: FeliCaMode {
        get { session.mode }
        set { session.mode = newValue }
    }

    var system: TemplateSystem { template.systems[session.system] }
}

/// The system that commands reach and the progress of its session; after power-on, system 0 in Mode0.
struct FeliCaSession: Hashable, Sendable {
    /// The system number; a card has at most sixteen systems, and a small value is copied in registers.
    private var number: UInt8 = 0
    var mode = FeliCaMode.mode0
    /// A Boolean value that indicates whether the card answers only Polling, a state that a fault can cause.
    var awaitsPolling = false
    /// At most one session; stored out of line, because cards are copied often but are rarely in a session.
    private var begun: [FeliCaSecureSession] = []

    var secure: FeliCaSecureSession? {
        get { begun.first }
        set { begun = newValue.map { [$0] } ?? [] }
    }

    var system: Int { Int(number) }

    /// Makes a system current, which ends the session with the previous one.
    mutating func select(_ system: Int) {
        guard system != self.system else { return }
        number = UInt8(truncatingIfNeeded: system)
        end()
    }

    /// Returns to Mode0 in the current system.
    mutating func end() {
        mode = .mode0
        secure = nil
    }
}

/// Information a reader has without reading the memory: response times and the IDm.
extension FeliCaCard {
    /// The maximum response time given by the PMm for a command and its number of nodes or blocks.
    ///
    /// For Polling, the start of its last time slot; an unknown command counts as a fixed-length command.
    public func longestDelay(answering command: Span<UInt8>) -> Duration {
        guard command.count >= FeliCaPacket.minimumLength, let rule = template.rules[Int(command[1])] else {
            return FeliCaResponseTime(template.pmm, .fixed, .typical).maximum(count: 0)
        }
        if rule.command == .polling {
            let polling = try? Polling.Request(parsing: command)
            return FeliCaTimeSlot.delay((polling?.timeSlot ?? 0) & 0x0F)
        }
        var reliance = CardReliance()
        return rule.time.maximum(count: template.structure(of: command, rule, &reliance)?.count ?? 0)
    }

    public func assumption(about fact: CardFact) -> CardAssumption? {
        let definition = template.definition
        return CardAssumption(fact, definition.assumptions.confidence(in: fact), in: definition.profile)
    }

    /// Returns a copy of this card as issued, with the last byte of each IDm inverted.
    public func withAnotherIdentifier() -> FeliCaCard {
        var definition = template.definition
        definition.idm = IDm(definition.idm.rawValue ^ 0xFF)
        for index in definition.systems.indices {
            definition.systems[index].idm = definition.systems[index].idm.map { IDm($0.rawValue ^ 0xFF) }
        }
        // Distinct IDms remain distinct, and nothing else that is checked has changed.
        return (try? FeliCaCard(definition)) ?? FeliCaCard(template)
    }
}

extension FeliCaCard {
    /// The definition of the card in its state after power-off; an equal card can be created from it.
    public var definition: FeliCaCardDefinition {
        var definition = template.definition
        for (number, system) in template.systems.enumerated() {
            for index in definition.systems[number].services.indices {
                let code = definition.systems[number].services[index].code
                // A service that uses the blocks of another service lists none of its own.
                guard !definition.systems[number].services[index].blocks.isEmpty,
                    let node = template.node(code, in: system)
                else { continue }
                definition.systems[number].services[index].blocks = Array(blocks[node.blocks])
            }
            definition.systems[number].changeKeys { code, keys in
                guard let index = template.index(of: code, in: system), let changed = changedKeys[index] else { return }
                if let des = changed.des { (keys.desKey, keys.desVersion) = (des.key.octets, des.version) }
                if let aes = changed.aes { (keys.aesKey, keys.aesVersion) = (aes.key, aes.version) }
            }
        }
        definition.rewriteLimit = definition.rewriteLimit.map { $0 - min($0, writeCount) }
        return definition
    }
}

/// Access to the memory as cells, for memory faults.
extension FeliCaCard {
    /// The blocks a Write Without Encryption would program; for a cyclic service, the newest ones.
    public func cells(writtenBy command: Span<UInt8>) -> [Range<Int>] {
        var card = self
        var reliance = CardReliance()
        if let opened = opened(command) {
            let slice = opened[...]
            guard let layout = BlockAccessLayout(slice.span), let write = FeliCaWrite(layout, in: slice.span, .session)
            else { return [] }
            return Self.cells(of: blocks(writtenBy: write, slice.span))
        }
        guard FeliCaPacket.isWhole(command),
            let rule = template.rules[Int(command[1])], rule.command == .writeWithoutEncryption,
            card.isAddressed(by: command),
            case .write(let write)? = template.structure(of: command, rule, &reliance)
        else { return [] }
        return Self.cells(of: card.blocks(writtenBy: write, command))
    }

    private static func cells(of blocks: [Int]) -> [Range<Int>] {
        blocks.map { block in block * BlockData.byteCount..<(block + 1) * BlockData.byteCount }
    }

    /// A byte of all blocks in order; outside the memory, reads give zero and writes are ignored.
    public subscript(cell cell: Int) -> UInt8 {
        get { isCell(cell) ? blocks[cell / BlockData.byteCount][cell % BlockData.byteCount] : 0 }
        set { if isCell(cell) { blocks[cell / BlockData.byteCount][cell % BlockData.byteCount] = newValue } }
    }

    private func isCell(_ cell: Int) -> Bool {
        cell >= 0 && cell < blocks.count * BlockData.byteCount
    }
}

/// Changes to a card that do not come from the reader's commands: another reader wrote to it, or it lost its state.
extension FeliCaCard {
    public func systemCode(of idm: IDm) -> SystemCode? {
        template.systems.first { $0.idm == idm }?.code
    }

    public var idm: IDm { template.systems.first?.idm ?? template.definition.idm }
    public var pmm: PMm { template.pmm }
    public var systemCodes: [SystemCode] { template.systems.map(\.code) }

    public var services: [(system: SystemCode, service: NodeCode)] {
        template.definition.systems.flatMap { system in system.services.map { (system.code, $0.code) } }
    }

    /// The position of a service's blocks among all blocks; `nil` if there is no such service.
    private func place(of service: NodeCode, in systemCode: SystemCode) -> Range<Int>? {
        guard let system = template.systems.first(where: { $0.code == systemCode }),
            let node = template.node(service, in: system), !node.isArea
        else { return nil }
        return node.blocks
    }

    public func blockNumbers(of service: NodeCode, in systemCode: SystemCode) -> [Int] {
        Array(0..<(place(of: service, in: systemCode)?.count ?? 0))
    }

    public func block(_ number: Int, of service: NodeCode, in systemCode: SystemCode) -> BlockData? {
        guard let place = place(of: service, in: systemCode), (0..<place.count).contains(number) else { return nil }
        return blocks[place.lowerBound + number]
    }

    public mutating func replaceBlocks(of service: NodeCode, in systemCode: SystemCode, with content: [BlockData]) {
        for (block, data) in zip(place(of: service, in: systemCode) ?? 0..<0, content) { blocks[block] = data }
    }

    /// Makes system 0 in Mode0 current.
    public mutating func forgetSession(untilPolled: Bool) {
        session = FeliCaSession()
        session.awaitsPolling = untilPolled
    }
}

import TapWire

/// A FeliCa Standard card: a value over a shared template, which it copies its memory from when it is first written.
///
/// It answers every command that needs no session. Sources: FeliCa Card User's Manual, excerpted edition; chips differ
/// as their ``FeliCaProfile`` says.
public struct FeliCaCard: CardEngine {
    /// The card as it was issued.
    public let template: FeliCaTemplate
    /// The blocks of all systems; the template's own array until the first write.
    var blocks: [BlockData]
    /// How many Write commands the memory has taken, up to the limit of the card if it has one.
    var writeCount: UInt32 = 0
    /// What power-off forgets.
    var session = FeliCaSession()

    public init(_ template: FeliCaTemplate) {
        self.template = template
        blocks = template.blocks
    }

    /// Creates a card from a definition.
    ///
    /// - Throws: ``FeliCaTemplateError`` for what no card can be.
    public init(_ definition: FeliCaCardDefinition) throws(FeliCaTemplateError) {
        self.init(try FeliCaTemplate(definition))
    }

    /// Whether the card hears frames of a technology: FeliCa at both rates.
    public func hears(_ technology: Technology) -> Bool { technology.isFeliCa }

    /// Power reaches the card: system 0 in Mode0.
    public mutating func fieldRose() {
        session = FeliCaSession()
    }

    /// Power is gone: sessions are lost, memory stays.
    public mutating func fieldFell() {
        fieldRose()
    }

    /// Mode and system, such as `Mode0 of system 0003`.
    public var stateName: String { template.stateNames[session.system << 2 | Int(mode.rawValue)] }

    /// Whether all that survives power-off is the same as in `other`.
    public func hasSameMemory(as other: FeliCaCard) -> Bool {
        template == other.template && blocks == other.blocks && writeCount == other.writeCount
    }

    /// The blocks of a service now, or nothing if the card has no such system or service.
    public func blocks(of service: NodeCode, in systemCode: SystemCode) -> [BlockData]? {
        guard let system = template.systems.first(where: { $0.code == systemCode }),
            let node = template.node(service, in: system), !node.isArea
        else { return nil }
        return Array(blocks[node.blocks])
    }

    /// Number of the system that commands reach.
    public var currentSystem: Int { session.system }

    /// How far a session with the current system has come.
    public package(set) var mode: FeliCaMode {
        get { session.mode }
        set { session.mode = newValue }
    }

    /// The system that commands reach.
    var system: FeliCaSystem { template.systems[session.system] }
}

/// Which system commands reach, and how far a session with it has come; after power-on system 0 in Mode0.
struct FeliCaSession: Hashable, Sendable {
    /// Number of the system; a card has no more than sixteen, and a small value is copied in registers.
    private var number: UInt8 = 0
    var mode = FeliCaMode.mode0
    /// Whether the card hears nothing but a Polling, which a fault can bring about.
    var awaitsPolling = false

    /// Number of the system that commands reach.
    var system: Int { Int(number) }

    /// Makes a system current; the one before loses its session.
    mutating func select(_ system: Int) {
        guard system != self.system else { return }
        number = UInt8(truncatingIfNeeded: system)
        mode = .mode0
    }
}

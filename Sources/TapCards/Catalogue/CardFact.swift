import TapWire

/// A behavior that no public source documents for every chip, named after the quirk that decides it.
public enum CardFact: UInt8, Hashable, Sendable, CaseIterable {
    // FeliCa: limits, and how exceeding them is reported.
    case maxReadBlocks, maxWriteBlocks, statusLocation, countErrorPreference, serviceCountErrors
    case serviceListCheck, requireAscendingLists, requestServiceBadCount
    // FeliCa: accepted commands, and the answers to Polling and Echo.
    case supportedCommands, modeOfOptionCommands, trailingBytes, pollingRequestCodes, pollingReservedCodes
    case performanceBytes, echoMax
    // FeliCa: nodes and blocks.
    case requestServiceUnknownAttribute, encryptionListOrder, authNodePath, blockInfoArea
    case cyclicWriteBlockNonZero, purseDirectRaise, warning71Flag1, issuerCommands
    case cutBlockList, cutServiceList, absentPINService, purseCheckOrder, limitedPurseAmount, purseDirectSum
    // FeliCa Lite.
    case liteMaxReadBlocks, liteMaxWriteBlocks, liteCommands, liteEchoMax, liteStatusLocation, liteTrailingBytes
    case litePollingRequestCodes, litePerformanceBytes, liteAuth1Dummy, liteReadRoThroughRW, liteRegViolation
    case liteMcImmediate, liteWcntWarning, liteStatePlainWrite, liteMacWhereNotAsked, liteRcClearsExtAuth
    case liteMacWithoutRC
    // NTAG.
    case readyReadZeroProtected, authLimitRaised

    /// The name used in scenario files and on the command line.
    public var name: String { String(describing: self) }

    public init?(named name: String) {
        guard let fact = Self.byName[name] else { return nil }
        self = fact
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}

/// A set of facts in a single integer, so an answer can record them without allocating.
public struct CardFacts: Hashable, Sendable, ExpressibleByArrayLiteral {
    private var bits: UInt64 = 0

    public init(_ facts: some Sequence<CardFact>) {
        for fact in facts { insert(fact) }
    }

    public init(arrayLiteral facts: CardFact...) {
        self.init(facts)
    }

    public var isEmpty: Bool { bits == 0 }

    /// The facts, in the order of their declaration.
    public var list: [CardFact] { CardFact.allCases.filter(contains) }

    @inline(__always)
    public func contains(_ fact: CardFact) -> Bool { bits & Self.bit(of: fact) != 0 }

    @inline(__always)
    public mutating func insert(_ fact: CardFact) { bits |= Self.bit(of: fact) }

    public mutating func remove(_ fact: CardFact) { bits &= ~Self.bit(of: fact) }

    @inline(__always)
    public mutating func formUnion(_ other: CardFacts) { bits |= other.bits }

    @inline(__always)
    private static func bit(of fact: CardFact) -> UInt64 { 1 << UInt64(fact.rawValue) }
}

/// The unconfirmed facts that an answer or a silence relies on; a real chip could behave differently.
public struct CardReliance: Hashable, Sendable {
    public private(set) var facts: CardFacts = []
    /// A command that was refused because the layout of its packet is unpublished.
    public private(set) var unpublished: CommandCode?

    public init() {}

    @inline(__always)
    public mutating func rely(on fact: CardFact) { facts.insert(fact) }

    @inline(__always)
    mutating func rely(on others: CardFacts) { facts.formUnion(others) }

    public mutating func refuse(unpublished command: CommandCode) { unpublished = command }
}

/// The assumptions a card makes where no source documents its IC and its definition leaves the question open.
public struct CardAssumptions: Hashable, Sendable {
    /// Concluded from similar chips.
    public var inferred: CardFacts = []
    public var unknown: CardFacts = []

    public init(unknown: CardFacts = []) {
        self.unknown = unknown
    }

    /// Combines the switches that are unpublished for every product with the facts of one product that are inferred or unknown.
    init<Quirks: QuirkSet>(_: Quirks.Type, _ facts: [CatalogueLine]) {
        self.init(unknown: Quirks.unpublished)
        for line in facts {
            guard let fact = CardFact(named: line.title) else { continue }
            insert(fact, line.fact.confidence)
        }
    }

    public func confidence(in fact: CardFact) -> Confidence? {
        if unknown.contains(fact) { return .unknown }
        return inferred.contains(fact) ? .inferred : nil
    }

    private mutating func insert(_ fact: CardFact, _ confidence: Confidence) {
        switch confidence {
        case .unknown: unknown.insert(fact)
        case .likely, .inferred: inferred.insert(fact)
        case .certain, .measured: break
        }
    }

    /// Removes a switch that the author of the card has set.
    public mutating func decide(_ name: String) {
        guard let fact = CardFact(named: name) else { return }
        unknown.remove(fact)
        inferred.remove(fact)
    }
}

/// An assumption of a card: the value used for a switch, and the evidence for it.
public struct CardAssumption: Hashable, Sendable {
    public let name: String
    public let value: String
    public let allowedValues: String
    public let meaning: String
    public let evidence: String
    public let confidence: Confidence

    init?<Quirks: QuirkSet>(_ fact: CardFact, _ confidence: Confidence?, in quirks: Quirks) {
        guard let confidence, let row = Quirks.switches.first(where: { $0.name == fact.name }) else { return nil }
        self.confidence = confidence
        name = row.name
        value = row.value(in: quirks)
        allowedValues = row.allowedValues
        meaning = row.meaning
        evidence = row.evidence
    }
}

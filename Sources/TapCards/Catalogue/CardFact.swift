import TapWire

/// Something that no public source tells of every chip, named as the quirk that decides it.
public enum CardFact: UInt8, Hashable, Sendable, CaseIterable {
    // FeliCa: limits, and how breaking them is told.
    case maxReadBlocks, maxWriteBlocks, statusLocation, countErrorPreference, serviceCountErrors
    case serviceListCheck, requireAscendingLists, requestServiceBadCount
    // FeliCa: what is heard, and how Polling and Echo answer.
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

    /// As in scenario files and on the command line.
    public var name: String { String(describing: self) }

    public init?(named name: String) {
        guard let fact = Self.byName[name] else { return nil }
        self = fact
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}

/// A set of facts in one word, so that an answer notes them without allocating.
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

/// What an answer or a silence rests on that could be otherwise on a chip.
public struct CardLeaning: Hashable, Sendable {
    public private(set) var facts: CardFacts = []
    /// A command that was refused since the layout of its packet is unpublished.
    public private(set) var unpublished: CommandCode?

    public init() {}

    @inline(__always)
    public mutating func lean(on fact: CardFact) { facts.insert(fact) }

    @inline(__always)
    mutating func lean(on others: CardFacts) { facts.formUnion(others) }

    public mutating func refuse(unpublished command: CommandCode) { unpublished = command }
}

/// What a card takes for granted since no source tells it of its IC and the definition of the card leaves it open.
public struct CardAssumptions: Hashable, Sendable {
    /// Concluded from similar chips.
    public var inferred: CardFacts = []
    public var unknown: CardFacts = []

    public init(unknown: CardFacts = []) {
        self.unknown = unknown
    }

    /// What is unpublished of all products with these switches, and what facts of one are inferred or unknown.
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

    /// Takes a switch out that whoever wrote the card has set.
    public mutating func decide(_ name: String) {
        guard let fact = CardFact(named: name) else { return }
        unknown.remove(fact)
        inferred.remove(fact)
    }
}

/// One assumption of a card: the value it has for a switch, and how it is known.
public struct CardAssumption: Hashable, Sendable {
    /// The switch.
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

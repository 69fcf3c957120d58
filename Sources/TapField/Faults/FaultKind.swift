import TapWire

/// A fault of the catalogue: what it is called, what it does and where it can strike.
///
/// A kind is the only place that knows a fault: reading scenarios, the schema, the documentation, the checks before a
/// run and the systematic phase of fuzzing follow from it.
public struct FaultKind: Sendable {
    /// The name, its family before the dot: `rf.delay`.
    public let name: String
    /// What happens, one sentence.
    public let summary: String
    /// The real failure it stands for, one sentence.
    public let models: String
    /// What can be set; each has a value where nothing is written, or may be left out.
    public let parameters: [FaultParameter]
    /// What it can strike.
    public let scope: FaultScope
    /// How often it strikes where nobody says so: once, or each time where it stands for what a card is.
    public let times: IntegerRange
    /// What is set when it is tried at every exchange: once for each of these, the empty one where nothing is set.
    public let variants: [[String: FaultValue]]
    /// Whether the client meets another card by it, so that another result is right.
    private let showsOtherCard: Bool
    /// Where and how it strikes.
    public let effect: FaultEffect

    init(
        _ name: String, _ summary: String, models: String, _ parameters: [FaultParameter] = [],
        scope: FaultScope = .any, times: IntegerRange = .once, variants: [[String: FaultValue]] = [[:]],
        showsOtherCard: Bool = false, effect: FaultEffect
    ) {
        self.name = name
        self.summary = summary
        self.models = models
        self.parameters = parameters
        self.scope = scope
        self.times = times
        self.variants = variants
        self.showsOtherCard = showsOtherCard
        self.effect = effect
    }

    /// The family, the part of the name before the dot.
    public var family: String { String(name.prefix { $0 != "." }) }

    /// Whether it stands for a card that holds something else, or is another, from the beginning: then another result
    /// is right.
    public var isOfContent: Bool { family == "app" || showsOtherCard }
}

/// One thing that can be set about a fault.
public struct FaultParameter: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case integer(ClosedRange<Int>)
        /// Bytes, and how many of them.
        case bytes(ClosedRange<Int>)
        case duration
        /// A duration, or a share of the card's own deadline.
        case timeAmount
        /// A percentage.
        case share(ClosedRange<Int>)
        /// One of some words.
        case word([String])
        case flag
        /// The name of a card of the scenario.
        case card
    }

    /// The name as files write it.
    public let name: String
    public let kind: Kind
    /// What it is where nothing is written; nothing if its absence has a meaning, which ``summary`` tells.
    public let standard: FaultValue?
    /// What it is for, one sentence.
    public let summary: String

    public init(_ name: String, _ kind: Kind, _ standard: FaultValue? = nil, _ summary: String) {
        self.name = name
        self.kind = kind
        self.standard = standard
        self.summary = summary
    }
}

/// What a fault can strike; where it does not fit, a scenario is refused before it runs.
public struct FaultScope: Hashable, Sendable {
    /// The commands it fits, or nothing for all.
    public var commands: Set<CommandName>?
    /// The layer whose commands it fits, or nothing for all.
    public var layers: Set<CommandName.Layer>?
    /// The calls of PC/SC it fits, or nothing for a fault that strikes no call.
    public var calls: Set<PCSCCall>?
    /// The events of a phone it fits, or nothing for a fault that strikes none.
    public var phoneEvents: Set<PhoneEvent>?

    public init(
        commands: Set<CommandName>? = nil, layers: Set<CommandName.Layer>? = nil, calls: Set<PCSCCall>? = nil,
        phoneEvents: Set<PhoneEvent>? = nil
    ) {
        self.commands = commands
        self.layers = layers
        self.calls = calls
        self.phoneEvents = phoneEvents
    }

    /// Every command.
    public static let any = FaultScope()
    /// Commands to FeliCa cards.
    public static let felica = FaultScope(layers: [.felica])
    /// Commands to a selected NTAG.
    public static let ntag = FaultScope(layers: [.ntag])
    /// Selection of type A cards.
    public static let selection = FaultScope(layers: [.selection])
    /// Calls of PC/SC.
    static func calls(_ calls: Set<PCSCCall>) -> FaultScope { FaultScope(calls: calls) }
    /// Events of a phone.
    static func phone(_ events: Set<PhoneEvent>) -> FaultScope { FaultScope(phoneEvents: events) }
    /// Some commands, by the names scenarios use.
    public static func commands(_ names: String...) -> FaultScope {
        FaultScope(
            commands: Set(
                names.map { name in
                    guard let command = CommandName(name) else { preconditionFailure("no command is \(name)") }
                    return command
                }))
    }

    /// Whether it can strike a call of PC/SC.
    public func fits(_ call: PCSCCall) -> Bool { calls?.contains(call) ?? false }

    /// Whether it can strike at an event of a phone.
    public func fits(_ event: PhoneEvent) -> Bool { phoneEvents?.contains(event) ?? false }

    /// Whether it can strike a command; a fault of a phone strikes the call of an app that sends it.
    public func fits(_ command: CommandName) -> Bool {
        commands?.contains(command) ?? true && layers?.contains(command.layer) ?? true
            && phoneEvents?.contains(.command) ?? true
    }
}

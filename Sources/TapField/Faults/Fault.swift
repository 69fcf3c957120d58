import TapWire

/// A fault with its arguments: a value, so that plans can be compared, listed and shrunk.
public struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// An integrity field that is fixed after a fault changed the answer, so that only the data shows the damage.
    public enum Fix: String, Hashable, Sendable, CaseIterable {
        case len
        /// The number of blocks, services or systems.
        case count
        case crc
        /// The MAC, fixed by the card, which has the key.
        case mac
    }

    public let kind: FaultKind
    public let arguments: FaultArguments
    /// In the order of ``Fix``.
    public let fix: [Fix]

    public init(_ kind: FaultKind, _ arguments: [String: FaultValue] = [:], fix: Set<Fix> = []) {
        self.kind = kind
        self.arguments = FaultArguments(of: kind, arguments)
        self.fix = Fix.allCases.filter(fix.contains)
    }

    /// `rf.delay by 30ms, fix crc`.
    public var description: String {
        let words = arguments.written.map { "\($0.name) \($0.value)" }
        let fixes = fix.isEmpty ? [] : ["fix \(fix.map(\.rawValue).joined(separator: " "))"]
        let rest = (words + fixes).joined(separator: ", ")
        return rest.isEmpty ? kind.name : "\(kind.name) \(rest)"
    }

    public static func == (left: Fault, right: Fault) -> Bool {
        left.kind.name == right.kind.name && left.arguments == right.arguments && left.fix == right.fix
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind.name)
        hasher.combine(arguments)
        hasher.combine(fix)
    }
}

public enum FaultValue: Hashable, Sendable, CustomStringConvertible {
    case integer(Int)
    case bytes([UInt8])
    /// A duration, or a share of the card's own deadline.
    case time(TimeAmount)
    /// A keyword, or the name of a card.
    case keyword(String)
    case flag(Bool)

    public var description: String {
        switch self {
        case .integer(let number): "\(number)"
        case .bytes(let bytes): Hex.text(bytes, separator: " ")
        case .time(.percent(let share)): "\(share)%"
        case .time(.duration(let duration)): DurationText.of(duration)
        case .keyword(let word): word
        case .flag(let flag): "\(flag)"
        }
    }
}

/// The arguments of a fault, read by effects through `FaultKey`.
///
/// They have been checked against the parameters, so reading cannot fail.
public struct FaultArguments: Hashable, Sendable {
    public struct Argument: Hashable, Sendable {
        public let name: String
        public let value: FaultValue
    }

    /// In the order of the parameters.
    public let written: [Argument]

    static let none = FaultArguments()

    private init() { written = [] }

    init(of kind: FaultKind, _ values: [String: FaultValue]) {
        for (name, value) in values {
            let parameter = kind.parameters.first { $0.name == name }
            precondition(parameter?.kind.accepts(value) == true, "\(kind.name) takes no \(name) \(value)")
        }
        written = kind.parameters.compactMap { parameter in
            values[parameter.name].map { Argument(name: parameter.name, value: $0) }
        }
    }
}

/// A duration, or a share of a deadline that is known only when the fault is injected.
public enum TimeAmount: Hashable, Sendable {
    case duration(Duration)
    case percent(Int)
}

/// A fault of the catalogue: its name, its effect and its scope.
///
/// Scenario parsing, the schema, the documentation, the checks before a run and systematic fuzzing are all derived from it.
public struct FaultKind: Sendable {
    /// The family before the dot: `rf.delay`.
    public let name: String
    /// One sentence.
    public let summary: String
    /// The real failure it models, in one sentence.
    public let models: String
    /// The parameters; each has a default or is optional.
    public let parameters: [FaultParameter]
    public let scope: FaultScope
    /// The default number of injections: once, or every time if the fault describes the card.
    public let times: IntegerRange
    /// The argument sets to try at an exchange; an empty map means the defaults.
    public let variants: [[String: FaultValue]]
    /// The part of a real setup that causes the failure.
    public let origin: Origin
    /// A Boolean value that indicates whether the client sees a different card, so that a different result is correct.
    private let showsOtherCard: Bool
    package let effect: FaultEffect

    init(
        _ name: String, _ summary: String, models: String, _ keys: [any AnyFaultKey] = [],
        scope: FaultScope = .any, times: IntegerRange = .once, variants: [[String: FaultValue]] = [[:]],
        origin: Origin? = nil, showsOtherCard: Bool = false, effect: FaultEffect
    ) {
        self.name = name
        self.summary = summary
        self.models = models
        parameters = keys.map(\.parameter)
        self.scope = scope
        self.times = times
        self.variants = variants
        self.origin = origin ?? Origin(family: Self.family(of: name))
        self.showsOtherCard = showsOtherCard
        self.effect = effect
    }

    /// The part of a real setup that causes a failure, in the order of lists.
    public enum Origin: String, Hashable, Sendable, CaseIterable {
        /// The person who holds the card or the phone.
        case person
        case card, rf, reader
        /// The PC/SC service, its drivers and the programs that share a reader.
        case service
        case phone

        /// Creates the origin of most faults of a family.
        init(family: String) {
            switch family {
            case "rf": self = .rf
            case "reader": self = .reader
            case "pcsc": self = .service
            case "phone": self = .phone
            default: self = .card
            }
        }
    }

    public var family: String { Self.family(of: name) }

    private static func family(of name: String) -> String { String(name.prefix { $0 != "." }) }

    /// A Boolean value that indicates whether cards have different content, or are different cards, from the start; then a
    /// different result is correct.
    public var isOfContent: Bool { family == "app" || showsOtherCard }
}

/// An event at which a fault may be injected.
public enum FaultSite: Hashable, Sendable {
    case exchange(CommandName)
    case call(PCSCCall)
    case phone(PhoneEvent)
}

extension FaultKind {
    /// Calls that carry a command to the reader and can fail in the process.
    public static let readerCalls: Set<PCSCCall> = [.transmit, .control]

    /// Returns whether it can be injected directly into an event at a site.
    public func fits(_ site: FaultSite) -> Bool {
        switch (site, effect) {
        case (.exchange(let command), _): scope.fits(command)
        case (.phone(let event), _): scope.phoneEvents?.contains(event) ?? false
        case (.call(let call), .transport): scope.calls?.contains(call) ?? false
        case (.call(let call), .reader): Self.readerCalls.contains(call)
        case (.call, _): false
        }
    }

    /// Returns whether it can be injected when it waits for a site: at the site or, for faults of cards and their field, in the
    /// next exchange.
    public func canWait(for site: FaultSite) -> Bool {
        if fits(site) { return true }
        return switch (site, effect) {
        case (.exchange, _), (_, .transport), (_, .reader), (_, .phone): false
        default: true
        }
    }
}

public struct FaultParameter: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case integer(ClosedRange<Int>)
        case bytes(ClosedRange<Int>)
        case duration
        /// A duration, or a share of the card's own deadline.
        case timeAmount
        /// A percentage.
        case share(ClosedRange<Int>)
        case keyword([String])
        case flag
        case card
    }

    public let name: String
    public let kind: Kind
    /// The default; `nil` if omitting it has a meaning, which ``summary`` describes.
    public let standard: FaultValue?
    public let summary: String
    /// Values to draw more often than others.
    public let preferred: [FaultValue]

    public init(
        _ name: String, _ kind: Kind, _ standard: FaultValue? = nil, _ summary: String, preferred: [FaultValue] = []
    ) {
        self.name = name
        self.kind = kind
        self.standard = standard
        self.summary = summary
        self.preferred = preferred
    }
}

/// The commands and calls a fault applies to; a scenario that violates it is rejected before it runs.
public struct FaultScope: Hashable, Sendable {
    /// `nil` for all.
    public var commands: Set<CommandName>?
    /// The layers whose commands it applies to, or `nil` for all.
    public var layers: Set<CommandName.Layer>?
    /// `nil` for none.
    public var calls: Set<PCSCCall>?
    /// `nil` for none.
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

    public static let any = FaultScope()
    public static let felica = FaultScope(layers: [.felica])
    public static let ntag = FaultScope(layers: [.ntag])
    static func calls(_ calls: Set<PCSCCall>) -> FaultScope { FaultScope(calls: calls) }
    static func phone(_ events: Set<PhoneEvent>) -> FaultScope { FaultScope(phoneEvents: events) }
    /// Creates a scope of commands, given by their names in scenarios.
    public static func commands(_ names: String...) -> FaultScope {
        FaultScope(
            commands: Set(
                names.map { name in
                    guard let command = CommandName(name) else { preconditionFailure("no command is \(name)") }
                    return command
                }))
    }

    /// Returns whether it applies to a command; a phone fault is injected into the call that sends the command.
    public func fits(_ command: CommandName) -> Bool {
        commands?.contains(command) ?? true && layers?.contains(command.layer) ?? true
            && phoneEvents?.contains(.command) ?? true
    }
}

public enum FaultCatalogue {
    /// In the order of lists and documents.
    public static let all: [FaultKind] = rf + a3 + felica + ntag + mem + reader + pcsc + phone + app

    public static func named(_ name: String) -> FaultKind? {
        all.first { $0.name == name }
    }
}

import TapWire

/// A fault with what it was given: a value, so that plans can be compared, listed and shrunk.
public struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// What is mended after a fault changed an answer, so that a client finds the damage only where it looks at it.
    public enum Fix: String, Hashable, Sendable, CaseIterable {
        /// The length byte.
        case len
        /// The number of blocks, services or systems.
        case count
        /// The CRC.
        case crc
        /// The MAC, by the card, which has the key.
        case mac
    }

    /// What it is.
    public let kind: FaultKind
    /// What it was given.
    public let arguments: FaultArguments
    /// What is mended afterwards, in the order of ``Fix``.
    public let fix: [Fix]

    /// Creates a fault.
    ///
    /// - Parameters:
    ///   - kind: What it is.
    ///   - arguments: What is set about it; the rest is as the kind has it.
    ///   - fix: What is mended afterwards.
    public init(_ kind: FaultKind, _ arguments: [String: FaultValue] = [:], fix: Set<Fix> = []) {
        self.kind = kind
        self.arguments = FaultArguments(of: kind, arguments)
        self.fix = Fix.allCases.filter(fix.contains)
    }

    /// The fault in one line: `rf.delay by 30ms, fix crc`.
    public var description: String {
        let words = arguments.written.map { "\($0.name) \($0.value)" }
        let mended = fix.isEmpty ? [] : ["fix \(fix.map(\.rawValue).joined(separator: " "))"]
        let rest = (words + mended).joined(separator: ", ")
        return rest.isEmpty ? kind.name : "\(kind.name) \(rest)"
    }

    /// Whether two faults do the same.
    public static func == (left: Fault, right: Fault) -> Bool {
        left.kind.name == right.kind.name && left.arguments == right.arguments && left.fix == right.fix
    }

    /// Hashes what the fault does.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind.name)
        hasher.combine(arguments)
        hasher.combine(fix)
    }
}

/// A value that a fault is given.
public enum FaultValue: Hashable, Sendable, CustomStringConvertible {
    case integer(Int)
    /// Bytes.
    case bytes([UInt8])
    /// A duration, or a share of the card's own deadline.
    case time(TimeAmount)
    /// A word, or the name of a card.
    case word(String)
    case flag(Bool)

    /// The value as files write it.
    public var description: String {
        switch self {
        case .integer(let number): "\(number)"
        case .bytes(let bytes): Hex.text(bytes, separator: " ")
        case .time(.percent(let share)): "\(share)%"
        case .time(.duration(let duration)): DurationText.of(duration)
        case .word(let word): word
        case .flag(let flag): "\(flag)"
        }
    }
}

/// What a fault was given, and what its kind has where nothing was.
///
/// Values are checked against the parameters of the kind when a fault is made, so reading one cannot fail; asking for
/// what the kind does not have is a mistake of the program and stops it.
public struct FaultArguments: Hashable, Sendable {
    /// A value under its name.
    public struct Argument: Hashable, Sendable {
        /// The name of the parameter.
        public let name: String
        public let value: FaultValue
    }

    /// What was written, in the order of the parameters.
    public let written: [Argument]
    private let all: [Argument]

    init(of kind: FaultKind, _ values: [String: FaultValue]) {
        for name in values.keys {
            precondition(kind.parameters.contains { $0.name == name }, "\(kind.name) has no parameter \(name)")
        }
        written = kind.parameters.compactMap { parameter in
            values[parameter.name].map { Argument(name: parameter.name, value: $0) }
        }
        all = kind.parameters.compactMap { parameter in
            (values[parameter.name] ?? parameter.standard).map { Argument(name: parameter.name, value: $0) }
        }
    }

    /// A value, or nothing if it was not given and has no standard.
    public subscript(name: String) -> FaultValue? { all.first { $0.name == name }?.value }

    public func integer(_ name: String) -> Int? {
        guard case .integer(let value)? = self[name] else { return nil }
        return value
    }

    /// Bytes.
    public func bytes(_ name: String) -> [UInt8]? {
        guard case .bytes(let value)? = self[name] else { return nil }
        return value
    }

    /// A duration or a share of one.
    public func time(_ name: String) -> TimeAmount? {
        guard case .time(let value)? = self[name] else { return nil }
        return value
    }

    /// A duration, if what was given is one.
    public func duration(_ name: String) -> Duration? {
        guard case .duration(let duration)? = time(name) else { return nil }
        return duration
    }

    /// A percentage, if what was given is one.
    public func percent(_ name: String) -> Int? {
        guard case .percent(let share)? = time(name) else { return nil }
        return share
    }

    /// A word or a name.
    public func word(_ name: String) -> String? {
        guard case .word(let value)? = self[name] else { return nil }
        return value
    }

    /// Whether a switch is on.
    public func flag(_ name: String) -> Bool {
        guard case .flag(let value)? = self[name] else { return false }
        return value
    }
}

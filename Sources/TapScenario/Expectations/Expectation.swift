import TapDocument
import TapField
import TapWire

/// The expected outcome of a case, in the order of the file.
public struct Expectations: Hashable, Sendable {
    public internal(set) var items: [Expectation]
    /// All expectations as written in the file, with parameters substituted; empty if there are none.
    public internal(set) var node: Node

    /// No expectation except that the client exits with 0.
    public static let none = Expectations(items: [], node: [:])

    /// Adds the expectation that the client prints some texts of a card, in order.
    fileprivate mutating func add(printed texts: [String]) {
        let keys = ["client", "prints"]
        items.append(Expectation(path: "expect.client.prints", source: nil, demand: .prints(texts), keys: keys))
        node = node.setting(keys[...], .list(texts.map(Node.text)))
    }

    /// Removes expectations, and their keys in the file.
    mutating func remove(where isRemoved: (Expectation) -> Bool) -> [Expectation] {
        let removed = items.filter(isRemoved)
        items.removeAll(where: isRemoved)
        for item in removed { node = node.removing(item.keys[...]) ?? [:] }
        return removed
    }
}

extension ScenarioCase {
    /// The case with the additional expectation that the client prints some texts of a card, in order.
    public func expecting(printed texts: [String]) -> ScenarioCase {
        var copy = self
        copy.expectations.add(printed: texts)
        return copy
    }
}

extension Node {
    /// A map with a changed value at a path of keys.
    fileprivate func setting(_ path: ArraySlice<String>, _ value: Node) -> Node {
        guard let key = path.first else { return value }
        let map = if case .map(let map) = self { map } else { NodeMap([]) }
        let below = (map[key] ?? [:]).setting(path.dropFirst(), value)
        return .map(map.setting(NodeMap.Entry(Scalar(key), below)))
    }

    /// A map without the value at a path of keys, or `nil` if nothing is left.
    fileprivate func removing(_ path: ArraySlice<String>) -> Node? {
        guard case .map(let map) = self, let key = path.first else { return nil }
        let entries = map.entries.compactMap { entry -> NodeMap.Entry? in
            guard entry.key.text == key else { return entry }
            return entry.value.removing(path.dropFirst()).map { NodeMap.Entry(entry.key, $0) }
        }
        return entries.isEmpty ? nil : .map(NodeMap(entries, range: map.range))
    }
}

public struct Expectation: Hashable, Sendable {
    /// The location in the file, such as `expect.result  /trips/length`.
    public let path: String
    public let source: SourceReference?
    public let demand: Demand
    /// The path of keys under `expect`.
    let keys: [String]

    public enum Demand: Hashable, Sendable {
        case exit(IntegerRange)
        case within(Duration)
        case output(OutputStream, contains: String)
        /// Texts of a card that the client prints in order, in any format.
        case prints([String])
        case result(JSONPointer, Node)
        case exchanges(ExchangeList)
        /// The number of times that readers send a command.
        case count(CommandName, IntegerRange)
        /// An exchange that must not happen.
        case never(ExchangePattern)
        /// The state of a card after the run.
        case card(String, CardDemand)
        /// The allowed outcomes of the client.
        case verdict([Outcome])
        /// The actions on cards that are forbidden to the client.
        case safety(SafetyPolicy)
        case phone(PhoneDemand)
    }

    public enum OutputStream: String, Hashable, Sendable {
        case stdout
        case stderr
    }

    /// A Boolean value that indicates whether the demand concerns the state of a card after the run.
    var isOnCards: Bool {
        if case .card = demand { true } else { false }
    }

    /// A Boolean value that indicates whether the demand concerns exchanges over the air.
    var isOnExchanges: Bool {
        switch demand {
        case .exchanges, .count, .never: true
        default: false
        }
    }

    /// A Boolean value that indicates whether judging the demand requires baseline runs.
    var isOnOutcome: Bool {
        switch demand {
        case .verdict, .safety: true
        default: false
        }
    }

    /// A Boolean value that indicates whether the demand concerns an app and its phone.
    var isOnPhone: Bool {
        if case .phone = demand { true } else { false }
    }

    /// A Boolean value that indicates whether the demand concerns the exit code.
    package var isOnExit: Bool {
        if case .exit = demand { true } else { false }
    }

    /// A Boolean value that indicates whether the demand concerns output, which another client would write differently.
    package var isOnOutput: Bool {
        switch demand {
        case .output, .prints, .result: true
        default: false
        }
    }
}

public enum CardDemand: Hashable, Sendable {
    /// Everything that survives power-off is unchanged.
    case unchanged
    case authenticationFailures(IntegerRange)
    case counter(IntegerRange)
    case block(service: NodeCode, number: Int, BlockData)
    /// A page, including PWD and PACK.
    case page(Int, PageData)
    /// The protocol state, as named in the card's manual.
    case state(String)
}

/// Exchanges that must happen, and their order.
public struct ExchangeList: Hashable, Sendable {
    /// The way to match the list with the run.
    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// The run consists of exactly these exchanges.
        ///
        /// Frames of ISO/IEC 14443-3 count only if the list names one, since readers differ in how they select cards.
        case exact
        /// The exchanges happen in this order, with others in between.
        case subsequence
        /// The exchanges happen in any order, with others in between.
        case any

        public static let `default` = Order.subsequence
    }

    public let order: Order
    public let patterns: [Located]

    public struct Located: Hashable, Sendable {
        public let pattern: ExchangePattern
        public let source: SourceReference?
    }
}

/// The reaction of a client, judged by comparison with its baseline runs.
public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// The client succeeded with the result of the baseline run.
    case correct
    /// The client reported a failure, in the way its scenario describes.
    case clearError = "clear error"
    /// The client was ended by a signal that TapSim did not send, or printed a sanitizer report or a panic message.
    case crash
    /// The client was still running at a time limit.
    case hang
    /// The client kept sending commands without finishing.
    case livelock
    /// The client succeeded with a result that differs from the baseline run.
    case wrongResult = "wrong result"
    /// The client succeeded with less than is on the card or in the baseline run, and reported nothing.
    case silentLoss = "silent loss"
    /// The client did something to a card that was not requested and may be permanent.
    case safety
    /// The client used a card or a reader in a way that the manual rules out.
    case protocolMisuse = "protocol misuse"
    /// The client ended without releasing its reader resources.
    case leak
    /// The client failed in one run and not in the next with the same seed.
    case flaky

    /// A Boolean value that indicates whether the outcome is acceptable under a fault: the result is right, or the failure is
    /// reported clearly.
    public var isOK: Bool { self == .correct || self == .clearError }

    /// The definition of the outcome, as a sentence of a page that explains it.
    public var summary: String {
        switch self {
        case .correct: "The client succeeded with the result of the baseline runs."
        case .clearError: "The client reported a failure with the exit code or the text that `clear_error` defines."
        case .crash:
            "The client was ended by a signal, or by an uncaught exception, a panic or a sanitizer report. An error message and a "
                + "non-zero exit code are a clear error."
        case .hang: "The client was still running at `limits.wall` or `client.kill_after`, or waited for `limits.idle`."
        case .livelock: "The client sent more commands than `limits.exchanges` or `limits.retries_per_command` allow."
        case .wrongResult: "The client succeeded, but with another result than the baseline runs."
        case .silentLoss:
            "The client printed less than is on the card, or than in the baseline runs, and reported nothing."
        case .safety: "The client did something to a card that was not requested and may be permanent."
        case .protocolMisuse: "The client used a card or a reader in a way that the manual rules out."
        case .leak: "The client ended without releasing contexts, card handles or transactions."
        case .flaky: "The client failed, but behaved differently when the same run was repeated."
        }
    }
}

/// An action on a card that is forbidden unless the baseline runs or the scenario include it.
public enum SafetyRule: String, Hashable, Sendable, CaseIterable {
    /// Writes to static or dynamic lock bytes, which cannot be cleared.
    case lockPages = "lock_pages"
    /// Writes to the capability container, whose bits can only be set.
    case otp
    /// Writes to configuration: CFG0 and CFG1, or block MC of a FeliCa Lite.
    case configPages = "config_pages"
    /// Writes to PWD and PACK, or to the keys of a FeliCa Lite.
    case passwordPages = "password_pages"
    /// Repeated wrong passwords; AUTHLIM of them lock a tag forever.
    case passwordGuessing = "password_guessing"
    /// Resending a write with an unknown outcome without reading back, where writing twice differs from writing once.
    case blindWrites = "blind_writes"
    /// A partially written NDEF message.
    case halfWritten = "half_written"
    /// Any write to a page or block that neither the baseline runs nor the scenario write to.
    case unaskedWrites = "unasked_writes"

    /// A Boolean value that indicates whether the rule forbids writes to certain locations.
    package var isOfPlaces: Bool {
        switch self {
        case .lockPages, .otp, .configPages, .passwordPages, .unaskedWrites: true
        case .passwordGuessing, .blindWrites, .halfWritten: false
        }
    }

    /// The forbidden action, such as `writing to lock bytes`.
    public var summary: String {
        switch self {
        case .lockPages: "writing to lock bytes, which cannot be cleared"
        case .otp: "writing to the capability container, whose bits can only be set"
        case .configPages: "writing to configuration: CFG0 and CFG1, or block MC of a FeliCa Lite"
        case .passwordPages: "writing to PWD and PACK, or to the keys of a FeliCa Lite"
        case .passwordGuessing: "trying wrong passwords repeatedly"
        case .blindWrites:
            "resending a write to a cyclic or purse service, lock bits, configuration or a password without reading "
                + "back, although the card may already have executed it"
        case .halfWritten: "leaving a partially written NDEF message"
        case .unaskedWrites: "writing to any other page or block that the baseline runs do not write"
        }
    }
}

/// The safety rules of a case for its client.
public struct SafetyPolicy: Hashable, Sendable {
    public var forbidden: Set<SafetyRule>

    public init(forbidding rules: Set<SafetyRule>) {
        forbidden = rules
    }

    /// The policy if a case states none: everything except ``SafetyRule/unaskedWrites`` is forbidden.
    public static let `default` = SafetyPolicy(forbidding: Set(SafetyRule.allCases).subtracting([.unaskedWrites]))
    public static let strict = SafetyPolicy(forbidding: Set(SafetyRule.allCases))
    public static let off = SafetyPolicy(forbidding: [])
}

import TapDocument
import TapField
import TapWire

/// What has to come out of a case, in the order of the file.
public struct Expectations: Hashable, Sendable {
    public internal(set) var items: [Expectation]
    /// All of them as the file writes them, parameters filled in; an empty map if it has none.
    public internal(set) var node: Node

    /// No expectation but that the client ends with 0.
    public static let none = Expectations(items: [], node: [:])

    /// Adds that the client prints some texts of a card, one behind the other.
    fileprivate mutating func add(printed texts: [String]) {
        let keys = ["client", "prints"]
        items.append(Expectation(path: "expect.client.prints", source: nil, demand: .prints(texts), keys: keys))
        node = node.setting(keys[...], .list(texts.map(Node.text)))
    }

    /// Removes expectations, and the keys under which the file has them.
    mutating func remove(where isRemoved: (Expectation) -> Bool) -> [Expectation] {
        let removed = items.filter(isRemoved)
        items.removeAll(where: isRemoved)
        for item in removed { node = node.removing(item.keys[...]) ?? [:] }
        return removed
    }
}

extension ScenarioCase {
    /// The case that expects the client to print some texts of a card as well, one behind the other.
    public func expecting(printed texts: [String]) -> ScenarioCase {
        var copy = self
        copy.expectations.add(printed: texts)
        return copy
    }
}

extension Node {
    /// A map with another value at a path of keys.
    fileprivate func setting(_ path: ArraySlice<String>, _ value: Node) -> Node {
        guard let key = path.first else { return value }
        let map = if case .map(let map) = self { map } else { NodeMap([]) }
        let below = (map[key] ?? [:]).setting(path.dropFirst(), value)
        return .map(map.setting(NodeMap.Entry(Scalar(key), below)))
    }

    /// A map without the value at a path of keys; `nil` if nothing is left of it.
    fileprivate func removing(_ path: ArraySlice<String>) -> Node? {
        guard case .map(let map) = self, let key = path.first else { return nil }
        let entries = map.entries.compactMap { entry -> NodeMap.Entry? in
            guard entry.key.text == key else { return entry }
            return entry.value.removing(path.dropFirst()).map { NodeMap.Entry(entry.key, $0) }
        }
        return entries.isEmpty ? nil : .map(NodeMap(entries, range: map.range))
    }
}

/// One thing that has to come out.
public struct Expectation: Hashable, Sendable {
    /// Where the file states it, such as `expect.result  /trips/length`.
    public let path: String
    /// The line of the file.
    public let source: SourceReference?
    public let demand: Demand
    /// The keys below `expect` under which the file has it.
    let keys: [String]

    public enum Demand: Hashable, Sendable {
        case exit(IntegerRange)
        case within(Duration)
        /// A text that the client prints.
        case output(OutputStream, contains: String)
        /// Texts of a card that the client prints one behind the other, in whatever form.
        case prints([String])
        /// A value of the client's result.
        case result(JSONPointer, Node)
        /// Exchanges of the run.
        case exchanges(ExchangeList)
        /// How many commands of a name readers sent.
        case count(CommandName, IntegerRange)
        /// An exchange that does not happen.
        case never(ExchangePattern)
        /// What a card is like afterwards.
        case card(String, CardDemand)
        /// What may become of the client.
        case verdict([Outcome])
        /// What the client may not do to cards.
        case safety(SafetyPolicy)
        case phone(PhoneDemand)
    }

    public enum OutputStream: String, Hashable, Sendable {
        case stdout
        case stderr
    }

    /// Whether the demand is on what a card is like afterwards.
    var isOnCards: Bool {
        if case .card = demand { true } else { false }
    }

    /// Whether the demand is on what crossed the air.
    var isOnExchanges: Bool {
        switch demand {
        case .exchanges, .count, .never: true
        default: false
        }
    }

    /// Whether the demand is one that baseline runs are needed for.
    var isOnOutcome: Bool {
        switch demand {
        case .verdict, .safety: true
        default: false
        }
    }

    /// Whether the demand is on an app and its phone.
    var isOnPhone: Bool {
        if case .phone = demand { true } else { false }
    }

    /// A Boolean value that indicates whether the demand is on the exit code.
    package var isOnExit: Bool {
        if case .exit = demand { true } else { false }
    }

    /// Whether the demand is on output, which another client would write differently.
    package var isOnOutput: Bool {
        switch demand {
        case .output, .prints, .result: true
        default: false
        }
    }
}

/// What a card is like after a run.
public enum CardDemand: Hashable, Sendable {
    /// All that survives power-off is as it was.
    case unchanged
    case authenticationFailures(IntegerRange)
    case counter(IntegerRange)
    case block(service: NodeCode, number: Int, BlockData)
    /// A page, PWD and PACK included.
    case page(Int, PageData)
    /// The protocol state in the words of the card's manual.
    case state(String)
}

/// Exchanges that have to happen, and in which order.
public struct ExchangeList: Hashable, Sendable {
    /// How the list is to be found in the run.
    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// The run has these exchanges and no others.
        ///
        /// Frames of ISO/IEC 14443-3 count only where the list names one, since readers select in different ways.
        case exact
        /// In this order, others between them.
        case subsequence
        /// In any order, others between them.
        case any

        public static let `default` = Order.subsequence
    }

    /// How the list is to be found in the run.
    public let order: Order
    public let patterns: [Located]

    public struct Located: Hashable, Sendable {
        public let pattern: ExchangePattern
        public let source: SourceReference?
    }
}

/// What a client made of a run, judged by what it does without disturbance.
public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// It ended well, with the result of the baseline run.
    case correct
    /// It said that something failed, in the way its scenario states.
    case clearError = "clear error"
    /// It ended by a signal that TapSim did not send, or printed what a sanitizer or a panic of its language prints.
    case crash
    /// It was still running at a time limit.
    case hang
    /// It sent command after command and came to no end.
    case livelock
    /// It ended well, with another result than the baseline run.
    case wrongResult = "wrong result"
    /// It ended well, with the beginning of the right result and fewer items than there are.
    case silentLoss = "silent loss"
    /// It did something to a card that was not asked for and may be permanent.
    case safety
    /// It used a card or a reader in a way that their manuals exclude.
    case protocolMisuse = "protocol misuse"
    /// It ended without giving back what it held of a reader.
    case leak
    /// It failed in one run and not in the next of the same seed.
    case flaky

    /// Whether a client may do this under a fault: be right, or say clearly that it is not.
    public var isOK: Bool { self == .correct || self == .clearError }

    /// What the word means, a sentence of a page that explains it.
    public var summary: String {
        switch self {
        case .correct: "The client ended well and its result is that of the baseline runs."
        case .clearError: "The client said that it failed, by the exit code or the text that `clear_error` states."
        case .crash: "The client ended by a signal, or printed what a sanitizer or a panic of its language prints."
        case .hang: "The client was still running at `limits.wall` or `client.kill_after`, or waited for `limits.idle`."
        case .livelock: "The client sent more commands than `limits.exchanges` or `limits.retries_per_command` allow."
        case .wrongResult: "The client ended well, but its result is not that of the baseline runs."
        case .silentLoss: "The client ended well with only the beginning of the result of the baseline runs."
        case .safety: "The client did something to a card that was not asked for and may be permanent."
        case .protocolMisuse: "The client used a card or a reader in a way that their manuals exclude."
        case .leak: "The client ended without giving back contexts, card handles or transactions."
        case .flaky: "The client failed, and did something else when the same run was repeated."
        }
    }
}

/// What a client may not do to a card unless its baseline runs or its scenario ask for it.
public enum SafetyRule: String, Hashable, Sendable, CaseIterable {
    /// Writes to static or dynamic lock bytes, which cannot be cleared.
    case lockPages = "lock_pages"
    /// Writes to the capability container, whose bits can only be set.
    case otp
    /// Writes to configuration: CFG0 and CFG1, or block MC of a FeliCa Lite.
    case configPages = "config_pages"
    /// Writes to PWD and PACK, or to the keys of a FeliCa Lite.
    case passwordPages = "password_pages"
    /// Wrong passwords one after the other; AUTHLIM of them lock a tag for ever.
    case passwordGuessing = "password_guessing"
    /// A write whose outcome is unknown is sent again without reading back.
    case blindWrites = "blind_writes"
    /// An NDEF message of which only a part was written.
    case halfWritten = "half_written"
    /// Any write to a page or block that neither the baseline runs nor the scenario write to.
    case unaskedWrites = "unasked_writes"

    /// Whether it forbids writes to certain places.
    package var isOfPlaces: Bool {
        switch self {
        case .lockPages, .otp, .configPages, .passwordPages, .unaskedWrites: true
        case .passwordGuessing, .blindWrites, .halfWritten: false
        }
    }

    /// What it forbids, the end of a sentence that begins with the client.
    public var summary: String {
        switch self {
        case .lockPages: "writes to lock bytes, which cannot be cleared"
        case .otp: "writes to the capability container, whose bits can only be set"
        case .configPages: "writes to configuration: CFG0 and CFG1, or block MC of a FeliCa Lite"
        case .passwordPages: "writes to PWD and PACK, or to the keys of a FeliCa Lite"
        case .passwordGuessing: "tries wrong passwords one after the other"
        case .blindWrites:
            "sends a write again without reading back, though the card may have carried it out: a cyclic or purse service "
                + "takes it twice, and another card may lie there by now"
        case .halfWritten: "leaves an NDEF message of which only a part was written"
        case .unaskedWrites: "writes to any other page or block that the baseline runs do not write to"
        }
    }
}

/// The rules of safety a case holds its client to.
public struct SafetyPolicy: Hashable, Sendable {
    public var forbidden: Set<SafetyRule>

    public init(forbidding rules: Set<SafetyRule>) {
        forbidden = rules
    }

    /// What holds where a case states nothing: everything but ``SafetyRule/unaskedWrites``.
    public static let `default` = SafetyPolicy(forbidding: Set(SafetyRule.allCases).subtracting([.unaskedWrites]))
    public static let strict = SafetyPolicy(forbidding: Set(SafetyRule.allCases))
    public static let off = SafetyPolicy(forbidding: [])
}

import TapWire

/// The trigger of a timeline step or a fault: the nth event of a kind.
///
/// Source: scenario format 1, `when`.
public struct EventTrigger: Hashable, Sendable {
    public var event: EventPattern
    /// The index of the event among the matching events, counted from 1.
    public var nth: Int

    public init(_ event: EventPattern, nth: Int = 1) {
        self.event = event
        self.nth = nth
    }

    /// Creates a trigger for the `nth` command with a name, regardless of its arguments.
    public static func command(_ name: CommandName, nth: Int = 1) -> EventTrigger {
        EventTrigger(.command(CommandPattern(name)), nth: nth)
    }
}

/// A kind of event that a trigger can wait for.
public enum EventPattern: Hashable, Sendable {
    case exchange
    case command(CommandPattern)
    /// A card arrives at the reader or leaves it; any card if `name` is `nil`.
    case card(CardEvent, name: String?)
    /// An event of a reader; any reader if `name` is `nil`.
    case reader(ReaderEvent, name: String?)
    case client(ClientEvent)
    case call(PCSCCall)
    case phone(PhoneEvent)

    func matches(_ event: WorldEvent) -> Bool {
        switch (self, event) {
        case (.exchange, .command): true
        case (.command(let pattern), .command(let facts)): pattern.matches(facts)
        case (.card(let wanted, let name), .card(let found, let card)): wanted == found && (name ?? card) == card
        case (.reader(let wanted, let name), .reader(let found, let reader)):
            wanted == found && (name ?? reader) == reader
        case (.client(let wanted), .client(let found)): wanted.matches(found)
        case (.call(let wanted), .call(let found)): wanted == found
        case (.phone(let wanted), .phone(let found)): wanted.matches(found)
        default: false
        }
    }

    public var isExchange: Bool {
        switch self {
        case .exchange, .command: true
        case .card, .reader, .client, .call, .phone: false
        }
    }
}

/// A command with arguments, as written in a trigger.
public struct CommandPattern: Hashable, Sendable, CustomStringConvertible {
    public var name: CommandName
    /// The arguments, all of which must match.
    public var arguments: [CommandArgument]

    public init(_ name: CommandName, _ arguments: [CommandArgument] = []) {
        self.name = name
        self.arguments = arguments
    }

    /// The pattern as text: `felica.read service 090F blocks 0..11`.
    public var description: String { ([name.rawValue] + arguments.map(\.description)).joined(separator: " ") }

    func matches(_ facts: CommandFacts) -> Bool {
        guard facts.name == name else { return false }
        let services = arguments.compactMap { argument in
            if case .service(let code) = argument { code } else { nil }
        }
        let service = services.count == 1 && facts.services.contains(services[0]) ? services[0] : nil
        return arguments.allSatisfy { facts.difference(from: $0, service: service) == nil }
    }
}

public enum CardEvent: String, Hashable, Sendable, CaseIterable {
    case tapped
    case removed
}

public enum ReaderEvent: String, Hashable, Sendable, CaseIterable {
    /// A client connected to the card in it.
    case connected
    /// A client disconnected from the card.
    case disconnected
    case fieldOn = "field_on"
    case fieldOff = "field_off"
    case plugged
    case unplugged
}

public enum ClientEvent: Hashable, Sendable {
    case started
    /// It reported that it is ready.
    case ready
    /// It printed a line; a trigger matches a line that contains its text.
    case line(String)
    case exited

    func matches(_ event: ClientEvent) -> Bool {
        switch (self, event) {
        case (.line(let part), .line(let line)): line.contains(part)
        default: self == event
        }
    }
}

/// An event of a run, for comparison with triggers.
package enum WorldEvent: Sendable {
    /// An exchange begins with a command.
    case command(CommandFacts)
    case card(CardEvent, name: String)
    case reader(ReaderEvent, name: String)
    case client(ClientEvent)
    case call(PCSCCall)
    case phone(PhoneEvent)
}

/// A range of integers that includes both ends.
public struct IntegerRange: Hashable, Sendable, CustomStringConvertible {
    public let lower: Int
    /// `nil` for no upper end.
    public let upper: Int?

    /// Exactly 1.
    public static let once = IntegerRange(1, through: 1)
    /// 1 or more.
    public static let always = IntegerRange(1, through: nil)

    public init(_ lower: Int, through upper: Int?) {
        self.lower = lower
        self.upper = upper
    }

    public func contains(_ number: Int) -> Bool {
        number >= lower && number <= upper ?? .max
    }

    /// The range as written in scenarios: `0..11`, `1..` or `5`.
    public var description: String {
        switch upper {
        case lower: "\(lower)"
        case let upper?: "\(lower)..\(upper)"
        case nil: "\(lower).."
        }
    }
}

/// An event between an app and its phone's NFC, named as in scenarios; ``summary`` describes when it happens.
///
/// Source: Core NFC, NFCReaderSession, NFCTagReaderSession and NFCNDEFTag.
public enum PhoneEvent: String, Hashable, Sendable, CaseIterable {
    case available
    case began
    case activated
    case detected
    case connected
    case restarted
    case alert
    case ended
    case call
    case queryNDEF = "query_ndef"
    case readNDEF = "read_ndef"
    case writeNDEF = "write_ndef"
    case lockNDEF = "lock_ndef"
    case command

    /// Events in which the app calls a card.
    static let calls: Set<PhoneEvent> = [.call, .queryNDEF, .readNDEF, .writeNDEF, .lockNDEF, .command]
    static let open: Set<PhoneEvent> = calls.union([.activated, .detected, .connected, .restarted, .alert])

    /// Returns whether a trigger for this event matches `event`.
    func matches(_ event: PhoneEvent) -> Bool {
        switch self {
        case .available: event == .available || event == .began
        case .call: Self.calls.contains(event)
        default: self == event
        }
    }
}

extension PhoneEvent {
    /// The time at which it happens, as half a sentence for documentation.
    public var summary: String {
        switch self {
        case .available: "the app asks whether the phone reads cards (`readingAvailable`), or begins a session"
        case .began: "the app begins a session (`begin`)"
        case .activated: "the session becomes active: its sheet is shown and the phone looks for cards"
        case .detected: "the phone has found cards and is about to notify the app"
        case .connected: "the app connects to a card (`connect`) that has answered"
        case .restarted: "the app makes the phone look for cards again (`restartPolling`)"
        case .alert: "the app changes the text on the sheet (`alertMessage`)"
        case .ended: "the session has ended, for whatever reason"
        case .call: "the app makes any call to a card, including those below"
        case .queryNDEF: "the app asks for the NDEF status (`queryNDEFStatus`)"
        case .readNDEF: "the app reads the NDEF message (`readNDEF`)"
        case .writeNDEF: "the app writes the NDEF message (`writeNDEF`)"
        case .lockNDEF: "the app makes the card read-only (`writeLock`)"
        case .command: "the app sends a FeliCa or MIFARE command"
        }
    }
}

/// A PC/SC function that a program calls, named as in scenarios.
///
/// Functions that the library answers from reader states, such as SCardListReaders, do not reach the service and are not
/// included.
public enum PCSCCall: String, Hashable, Sendable, CaseIterable {
    case establishContext = "establish_context"
    case releaseContext = "release_context"
    /// SCardGetStatusChange, if it waits.
    case getStatusChange = "get_status_change"
    case cancel
    case connect
    case reconnect
    case disconnect
    case beginTransaction = "begin_transaction"
    case endTransaction = "end_transaction"
    case transmit
    case control
    case status
    case getAttribute = "get_attrib"
    case setAttribute = "set_attrib"

    /// The name in C, such as `SCardConnect`.
    public var function: String {
        "SCard" + rawValue.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

import TapWire

/// What a step of the timeline or a fault waits for: an event of the run, and which one of its kind.
///
/// Source: scenario format 1, `when`.
public struct EventTrigger: Hashable, Sendable {
    /// The kind of event that is counted.
    public var event: EventPattern
    /// Which of the events that fit, from 1.
    public var nth: Int

    public init(_ event: EventPattern, nth: Int = 1) {
        self.event = event
        self.nth = nth
    }

    /// The `nth` command of a name, whatever its arguments.
    public static func command(_ name: CommandName, nth: Int = 1) -> EventTrigger {
        EventTrigger(.command(CommandPattern(name)), nth: nth)
    }
}

/// A kind of event that a trigger can wait for.
public enum EventPattern: Hashable, Sendable {
    /// Any exchange.
    case exchange
    /// An exchange with a command.
    case command(CommandPattern)
    /// A card comes before the reader or leaves it; any card where none is named.
    case card(CardEvent, name: String?)
    /// Something happens to a reader; any reader where none is named.
    case reader(ReaderEvent, name: String?)
    /// Something happens to the client.
    case client(ClientEvent)
    /// A call of PC/SC.
    case call(PCSCCall)
    /// Something happens between an app and its phone.
    case phone(PhoneEvent)

    /// Whether an event is of this kind.
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

    /// Whether the events are exchanges.
    public var isExchange: Bool {
        switch self {
        case .exchange, .command: true
        case .card, .reader, .client, .call, .phone: false
        }
    }
}

/// A command with arguments, as a trigger states it.
public struct CommandPattern: Hashable, Sendable, CustomStringConvertible {
    public var name: CommandName
    /// What its arguments are; all of them have to fit.
    public var arguments: [CommandArgument]

    public init(_ name: CommandName, _ arguments: [CommandArgument] = []) {
        self.name = name
        self.arguments = arguments
    }

    /// The pattern in words: `felica.read service 090F blocks 0..11`.
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

/// What can happen to a card.
public enum CardEvent: String, Hashable, Sendable, CaseIterable {
    /// It comes before the reader.
    case tapped
    /// It leaves the reader.
    case removed
}

/// What can happen to a reader.
public enum ReaderEvent: String, Hashable, Sendable, CaseIterable {
    /// A client connects to the card in it.
    case connected
    /// A client lets go of the card.
    case disconnected
    /// Its field is switched on.
    case fieldOn = "field_on"
    /// Its field is switched off.
    case fieldOff = "field_off"
    /// It is plugged in.
    case plugged
    /// It is unplugged.
    case unplugged
}

/// What can happen to a client.
public enum ClientEvent: Hashable, Sendable {
    /// It is started.
    case started
    /// It says that it is ready.
    case ready
    /// It prints a line; a trigger waits for a line that contains its text.
    case line(String)
    /// It ends.
    case exited

    func matches(_ event: ClientEvent) -> Bool {
        switch (self, event) {
        case (.line(let part), .line(let line)): line.contains(part)
        default: self == event
        }
    }
}

/// An event of a run, as triggers are held against it.
package enum WorldEvent: Sendable {
    /// An exchange begins with a command.
    case command(CommandFacts)
    /// A card has come or gone.
    case card(CardEvent, name: String)
    /// Something has happened to a reader.
    case reader(ReaderEvent, name: String)
    /// Something has happened to the client.
    case client(ClientEvent)
    /// A program calls PC/SC.
    case call(PCSCCall)
    /// Something has happened between an app and its phone.
    case phone(PhoneEvent)
}

/// Whole numbers from a lower end on, both ends included.
public struct IntegerRange: Hashable, Sendable, CustomStringConvertible {
    /// The lower end.
    public let lower: Int
    /// The upper end, or `nil` if there is none.
    public let upper: Int?

    /// One, no more and no less.
    public static let once = IntegerRange(1, through: 1)
    /// One and more.
    public static let always = IntegerRange(1, through: nil)

    public init(_ lower: Int, through upper: Int?) {
        self.lower = lower
        self.upper = upper
    }

    /// Whether a number lies in the range.
    public func contains(_ number: Int) -> Bool {
        number >= lower && number <= upper ?? .max
    }

    /// The range as scenarios write it: `0..11`, `1..` or `5`.
    public var description: String {
        switch upper {
        case lower: "\(lower)"
        case let upper?: "\(lower)..\(upper)"
        case nil: "\(lower).."
        }
    }
}

/// Something that happens between an app and the NFC of its phone, in the words of scenarios.
///
/// Source: Core NFC, NFCReaderSession, NFCTagReaderSession and NFCNDEFTag.
public enum PhoneEvent: String, Hashable, Sendable, CaseIterable {
    /// The app asks whether the phone reads cards, by `readingAvailable` or by beginning a session.
    case available
    /// The app begins a session.
    case began
    /// The session has become active: its sheet is shown and the phone looks for cards.
    case activated
    /// The phone has found cards, of which the app is told next.
    case detected
    /// The app connects to a card, which has answered.
    case connected
    /// The app lets the phone look for cards again.
    case restarted
    /// The app shows another text on the sheet.
    case alert
    /// The session has ended, for whatever reason.
    case ended
    /// The app makes any call of a card.
    case call
    /// The app asks for the state of the NDEF message.
    case queryNDEF = "query_ndef"
    /// The app reads the NDEF message.
    case readNDEF = "read_ndef"
    /// The app writes the NDEF message.
    case writeNDEF = "write_ndef"
    /// The app makes the card read-only.
    case lockNDEF = "lock_ndef"
    /// The app sends a command of FeliCa or of MIFARE.
    case command

    /// Events in which the app makes a call of a card.
    static let calls: Set<PhoneEvent> = [.call, .queryNDEF, .readNDEF, .writeNDEF, .lockNDEF, .command]
    /// Events while the sheet of a session is shown.
    static let open: Set<PhoneEvent> = calls.union([.activated, .detected, .connected, .restarted, .alert])

    /// Whether a trigger for this event waits for another one as well.
    func matches(_ event: PhoneEvent) -> Bool {
        switch self {
        case .available: event == .available || event == .began
        case .call: Self.calls.contains(event)
        default: self == event
        }
    }
}

extension PhoneEvent {
    /// When it happens, half a sentence for documents.
    public var summary: String {
        switch self {
        case .available: "the app asks whether the phone reads cards (`readingAvailable`), or begins a session"
        case .began: "the app begins a session (`begin`)"
        case .activated: "the session has become active: its sheet is shown and the phone looks for cards"
        case .detected: "the phone has found cards, of which the app is told next"
        case .connected: "the app connects to a card (`connect`), which has answered"
        case .restarted: "the app lets the phone look for cards again (`restartPolling`)"
        case .alert: "the app shows another text on the sheet (`alertMessage`)"
        case .ended: "the session has ended, for whatever reason"
        case .call: "the app makes any call of a card, those below among them"
        case .queryNDEF: "the app asks for the state of the NDEF message (`queryNDEFStatus`)"
        case .readNDEF: "the app reads the NDEF message (`readNDEF`)"
        case .writeNDEF: "the app writes the NDEF message (`writeNDEF`)"
        case .lockNDEF: "the app makes the card read-only (`writeLock`)"
        case .command: "the app sends a command of FeliCa or of MIFARE"
        }
    }
}

/// A function of PC/SC that a program calls, in the words of scenarios.
///
/// Functions that the library carries out from the states of readers, such as SCardListReaders, reach no service and
/// are none of these.
public enum PCSCCall: String, Hashable, Sendable, CaseIterable {
    /// SCardEstablishContext.
    case establishContext = "establish_context"
    /// SCardReleaseContext.
    case releaseContext = "release_context"
    /// SCardGetStatusChange, where it waits.
    case getStatusChange = "get_status_change"
    /// SCardCancel.
    case cancel
    /// SCardConnect.
    case connect
    /// SCardReconnect.
    case reconnect
    /// SCardDisconnect.
    case disconnect
    /// SCardBeginTransaction.
    case beginTransaction = "begin_transaction"
    /// SCardEndTransaction.
    case endTransaction = "end_transaction"
    /// SCardTransmit.
    case transmit
    /// SCardControl.
    case control
    /// SCardStatus.
    case status
    /// SCardGetAttrib.
    case getAttribute = "get_attrib"
    /// SCardSetAttrib.
    case setAttribute = "set_attrib"
}

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

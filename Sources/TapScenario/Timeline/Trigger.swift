import TapDocument
import TapField
import TapWire

/// The keys of `when`: what a step of the timeline or a fault waits for.
enum TriggerLanguage {
    private enum Kind: String {
        case command
        case event
        case exchange
        case call
        case phone
    }

    /// The words of events that are no commands.
    enum EventWord: String, CaseIterable {
        case cardTapped = "card.tapped"
        case cardRemoved = "card.removed"
        case readerConnected = "reader.connected"
        case readerDisconnected = "reader.disconnected"
        case readerFieldOn = "reader.field_on"
        case readerFieldOff = "reader.field_off"
        case readerPlugged = "reader.plugged"
        case readerUnplugged = "reader.unplugged"
        case clientStarted = "client.started"
        case clientReady = "client.ready"
        case clientLine = "client.line"
        case clientExited = "client.exited"
    }

    /// A command alone, or a map.
    static let shape = Shape.variants([.command, .map(table)])

    static let table = KeyTable(
        "a trigger",
        [
            Key("command", .command, "A command; a fault is injected in its exchange, a step follows its end."),
            Key("args", .map(arguments), "What the arguments of the command are.", synonyms: ["arguments", "with"]),
            Key("event", .word(EventWord.self), "What happens to a card, a reader or the client.", synonyms: ["on"]),
            Key("card", .cardName, "The card of a `card.` event; any without it."),
            Key("reader", .name("the name of a reader"), "The reader of a `reader.` event; any without it."),
            Key("line", .text, "What the line of a `client.line` event contains.", synonyms: ["text"]),
            Key("exchange", .integer(1...10_000_000), "The exchange with this number in the run, whatever it is."),
            Key("call", .word(PCSCCall.self), "A call of PC/SC, for faults of readers and services."),
            Key(
                "phone", .word(PhoneEvent.self), "What happens between an app with Core NFC and its phone.",
                synonyms: ["app", "session"]),
            Key(
                "nth", .integer(1...1_000_000), "Which one of those that fit, from 1; without it the first.",
                synonyms: ["n", "count", "occurrence"]),
        ], exactlyOne: ["command", "event", "exchange", "call", "phone"])

    private static let arguments = KeyTable(
        "a map of arguments", ArgumentLanguage.keys, atMostOne: ArgumentLanguage.atMostOne)

    static func decode(_ value: ValueReader, _ names: CardNames, into diagnostics: inout Diagnostics) -> EventTrigger {
        guard value.kind == .map else { return .command(value.command) }
        let map = value.map
        let nth = map["nth"]?.integer ?? 1
        let (kind, chosen) = map.chosen(as: Kind.self)
        checkCompany(of: kind, map, into: &diagnostics)
        switch kind {
        case .command:
            let arguments = map["args"].map {
                ArgumentLanguage.decode($0.map, of: chosen.command, into: &diagnostics)
            }
            return EventTrigger(.command(CommandPattern(chosen.command, arguments ?? [])), nth: nth)
        case .exchange: return EventTrigger(.exchange, nth: chosen.integer)
        case .call: return EventTrigger(.call(chosen.word(as: PCSCCall.self)), nth: nth)
        case .phone: return EventTrigger(.phone(chosen.word(as: PhoneEvent.self)), nth: nth)
        case .event: return EventTrigger(event(chosen, map, names, &diagnostics), nth: nth)
        }
    }

    /// Reports keys that mean nothing beside the one that says what is waited for.
    private static func checkCompany(of kind: Kind, _ map: MapReader, into diagnostics: inout Diagnostics) {
        let allowed: [String] =
            switch kind {
            case .command: ["command", "args", "nth"]
            case .exchange: ["exchange"]
            case .call: ["call", "nth"]
            case .phone: ["phone", "nth"]
            case .event: ["event", "card", "reader", "line", "nth"]
            }
        for entry in map.entries where !allowed.contains(entry.name) {
            diagnostics.report(
                Diagnostic(
                    .misplacedKey, "`\(entry.name)` means nothing beside `\(kind.rawValue)`", at: entry.value.node,
                    hint: "beside it stand \(allowed.dropFirst().joined(separator: ", "))"))
        }
    }

    private static func event(
        _ value: ValueReader, _ map: MapReader, _ names: CardNames, _ diagnostics: inout Diagnostics
    ) -> EventPattern {
        let card = map["card"].map { names.card($0, into: &diagnostics) }
        let reader = map["reader"].map { names.reader($0, into: &diagnostics) }
        return switch value.word(as: EventWord.self) {
        case .cardTapped: .card(.tapped, name: card)
        case .cardRemoved: .card(.removed, name: card)
        case .readerConnected: .reader(.connected, name: reader)
        case .readerDisconnected: .reader(.disconnected, name: reader)
        case .readerFieldOn: .reader(.fieldOn, name: reader)
        case .readerFieldOff: .reader(.fieldOff, name: reader)
        case .readerPlugged: .reader(.plugged, name: reader)
        case .readerUnplugged: .reader(.unplugged, name: reader)
        case .clientStarted: .client(.started)
        case .clientReady: .client(.ready)
        case .clientLine: .client(.line(map["line"]?.text ?? ""))
        case .clientExited: .client(.exited)
        }
    }
}

extension EventTrigger {
    /// The trigger as a file writes it.
    var node: Node {
        switch event {
        case .exchange: ["exchange": .number(nth)]
        case .command(let pattern) where pattern.arguments.isEmpty && nth == 1: .text(pattern.name.rawValue)
        case .command(let pattern):
            .map([
                "command": .text(pattern.name.rawValue),
                "args": pattern.arguments.isEmpty ? nil : .map(pattern.arguments.map(\.entry)), "nth": nthNode,
            ])
        case .card(let event, let name): qualified("card.\(event.rawValue)", ("card", name))
        case .reader(let event, let name): qualified("reader.\(event.rawValue)", ("reader", name))
        case .client(.line(let text)): qualified("client.line", ("line", text))
        case .client(.started): qualified("client.started", nil)
        case .client(.ready): qualified("client.ready", nil)
        case .call(let call): .map(["call": .text(call.rawValue), "nth": nthNode])
        case .phone(let event): .map(["phone": .text(event.rawValue), "nth": nthNode])
        case .client(.exited): qualified("client.exited", nil)
        }
    }

    private var nthNode: Node? { nth == 1 ? nil : .number(nth) }

    private func qualified(_ event: String, _ qualifier: (key: String, value: String?)?) -> Node {
        var entries: [(key: String, value: Node)] = [("event", .text(event))]
        if let qualifier, let value = qualifier.value { entries.append((qualifier.key, .text(value))) }
        if let nthNode { entries.append(("nth", nthNode)) }
        return .map(entries)
    }
}

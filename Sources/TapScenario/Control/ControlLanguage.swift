import TapDocument
/// A request of a program to a field that other programs use.
public enum ControlRequest: Hashable, Sendable {
    /// Presents a card to a reader, by default the first.
    case tap(String, reader: String? = nil)
    /// Removes a card from the reader, or all cards.
    case remove(String?)
    /// Removes a card and, after a gap, presents another card or the same card again.
    case swap(out: String, in: String, gap: Duration)
    /// Replaces a card by a card with other values for some of its keys.
    case set(card: String, values: Node)
    /// Restores the initial state.
    case reset
    /// Returns the last exchanges, optionally limited in number.
    case journal(last: Int?)
    /// Checks the given expectations, or those of the scenario.
    case verify(Expectations?)
    case status
    /// Plugs in a reader, by default the first.
    case plug(String?)
    /// Unplugs a reader, by default the first.
    case unplug(String?)
    case phone(PhoneAct)
    /// Returns page, trace and case as texts, as `tapsim run` saves them, with the reason and the test's name.
    case keep(because: String?, of: String?)
    /// Ends the service. If it lingers, connected programs may end their connections first.
    case stop(lingers: Bool)
}

public enum PhoneAct: Hashable, Sendable {
    case cancel
    /// Leaves the app, which moves to the background.
    case background
    case radio(isOn: Bool)
}

/// The language for steering a field that other programs use: each request is a map with exactly one of these keys.
///
/// Cards, durations and expectations are written as in a scenario file: `{"swap": {"out": "suica", "in": "tag"}}`.
public enum ControlLanguage {
    private enum Verb: String, CaseIterable {
        case tap, remove, swap, set, reset, journal, verify, status, plug, unplug, phone, keep, stop
    }

    /// The maximum number of exchanges in a journal, which has the newest ones.
    public static let maximumJournal = 10_000

    private static let table = KeyTable(
        "a request", Verb.allCases.map(key) + [askedBy.key], exactlyOne: Verb.allCases.map(\.rawValue))

    private static func key(of verb: Verb) -> Key {
        let name = verb.rawValue
        return switch verb {
        case .tap: TimelineVerb.tap.key
        case .remove:
            Key(
                name, .variants([.cardName, .map(plain)]), "Remove a card from the reader; with {}, all cards.",
                synonyms: ["take", "eject"])
        case .swap:
            Key(name, .map(TimelineVerb.swapTable), "Remove a card and present another one.", synonyms: ["replace"])
        case .set: Key(name, .map(set), "Replace a card by one with other values.", synonyms: ["change"])
        case .reset: Key(name, .map(plain), "Restore the initial state.", synonyms: ["restart"])
        case .journal: Key(name, .map(journal), "The last exchanges.", synonyms: ["exchanges", "log"])
        case .verify:
            Key(
                name, .map(ExpectLanguage.table.keys), "Check expectations; with {}, those of the scenario.",
                synonyms: ["expect", "assert"])
        case .status: Key(name, .map(plain), "Return the current state.")
        case .plug: Key(name, .variants([.readerName, .map(plain)]), "Plug in a reader; with {}, the first.")
        case .unplug: Key(name, .variants([.readerName, .map(plain)]), "Unplug a reader; with {}, the first.")
        case .phone:
            Key(
                name, .variants([act.shape, .map(phone)]),
                "An action of the phone's user: `cancel` ends the session, `background` leaves the app.")
        case .keep:
            Key(
                name, .map(keep), "Return page, trace and case as texts, by file name.",
                synonyms: ["trace", "save"])
        case .stop: Key(name, .map(stop), "End the service.", synonyms: ["quit", "exit"])
        }
    }

    private static let plain = KeyTable("a request without values", [])

    private static let card = TypedKey("card", .value(.cardName), "The card.", isRequired: true)
    private static let values = TypedKey(
        "values", .value(.free), "Keys of the card with their values, as in a file.", isRequired: true)
    private static let set = KeyTable("a request to set values", [card.key, values.key])

    private static let act = FieldForm<PhoneAct>.words(["cancel": .cancel, "background": .background])
    private static let radio = TypedKey(
        "radio", .words(["on": true, "off": false]), "Switch NFC on or off.", isRequired: true, synonyms: ["nfc"])
    private static let phone = KeyTable("a request to a phone", [radio.key])

    private static let last = TypedKey(
        "last", FieldForm<Int>.integer(1...maximumJournal),
        "The maximum number of exchanges, of which the newest are returned.",
        synonyms: ["count", "n"])
    private static let journal = KeyTable("a request for exchanges", [last.key])

    private static let because = TypedKey(
        "because", .text, "The reason for saving, such as the failed assertion of a test.")
    private static let test = TypedKey("of", .text, "The test that uses the cards.", synonyms: ["test"])
    private static let keep = KeyTable("a request to keep what happened", [because.key, test.key])

    private static let linger = TypedKey(
        "linger", .boolean,
        "Let connected programs end their connections first, without starting anything new.")
    private static let stop = KeyTable("a request to end", [linger.key])

    private static let askedBy = TypedKey(
        "asked_by", .text,
        "The source of the expectations of `verify`, for failure messages: a file, or `--` for command line options.")

    /// Decodes a request.
    ///
    /// - Returns: The request, or `nil` if there is an error.
    public static func decode(
        _ node: Node, for scenarioCase: ScenarioCase, into diagnostics: inout Diagnostics
    ) -> ControlRequest? {
        var found = Diagnostics()
        var names = CardNames(scenarioCase.cards.map { ($0.name, $0.definition) })
        names.readers = scenarioCase.readersOrDefault.map(\.name)
        let request = table.read(node, into: &found).map { decode($0, names, into: &found) }
        for diagnostic in found.found { diagnostics.report(diagnostic) }
        return found.hasErrors ? nil : request
    }

    private static func decode(
        _ map: MapReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> ControlRequest {
        switch map.chosen(as: Verb.self) {
        case (.tap, let value):
            let (card, reader) = TimelineVerb.tap(value, names, into: &diagnostics)
            return .tap(card, reader: reader)
        case (.remove, let value) where value.kind == .map: return .remove(nil)
        case (.remove, let value): return .remove(names.card(value, into: &diagnostics))
        case (.swap, let value):
            let (out, incoming, gap) = TimelineVerb.swap(value.map, names, into: &diagnostics)
            return .swap(out: out, in: incoming, gap: gap)
        case (.set, let value):
            return .set(
                card: names.card(value.map.required(card), into: &diagnostics), values: value.map.required(values).node)
        case (.reset, _): return .reset
        case (.journal, let value): return .journal(last: value.map[last])
        case (.verify, let value):
            var expectations = ExpectDecoder.decode(value.map, names, into: &diagnostics)
            if let asker = map[askedBy] { expectations.items = expectations.items.map { $0.asked(by: asker) } }
            return .verify(expectations.items.isEmpty ? nil : expectations)
        case (.status, _): return .status
        case (.plug, let value): return .plug(reader(value, names, into: &diagnostics))
        case (.unplug, let value): return .unplug(reader(value, names, into: &diagnostics))
        case (.phone, let value): return .phone(act(value))
        case (.keep, let value): return .keep(because: value.map[because], of: value.map[test])
        case (.stop, let value): return .stop(lingers: value.map[linger] ?? false)
        }
    }

    private static func act(_ value: ValueReader) -> PhoneAct {
        guard value.kind == .map else { return act.read(value) }
        return .radio(isOn: value.map[radio] ?? true)
    }

    private static func reader(
        _ value: ValueReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> String? {
        value.kind == .map ? nil : names.reader(value, into: &diagnostics)
    }
}

extension Expectation {
    /// The asker that stands for the options of a command line.
    private static let options = "--"

    /// The expectation with the path replaced by the option or the file key that asked for it.
    fileprivate func asked(by asker: String) -> Expectation {
        let words =
            switch demand {
            case .count(let command, let range) where asker == Self.options: "--count \(command)=\(range)"
            case .never(let pattern) where asker == Self.options: "--never \(pattern)"
            default: asker == Self.options ? path : "\(path)  in \(asker)"
            }
        return Expectation(path: words, source: nil, demand: demand, keys: keys)
    }
}

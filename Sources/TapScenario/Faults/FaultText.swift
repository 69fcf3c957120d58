import TapDocument
import TapField
import TapWire

extension FaultParameter {
    /// The allowed values, as described in errors of scenario files.
    public var valuesText: String { shape.noun }

    /// Parses a value written as in files; returns `nil` if the parameter does not allow it.
    public func value(of text: String) -> FaultValue? {
        switch kind {
        case .integer(let bounds): (try? IntegerRule(bounds).parse(text)).map { .integer($0) }
        case .bytes(let counts): (try? HexRule([counts]).parse(text)).map { .bytes($0) }
        case .duration: (try? DurationRule().parse(text)).map { .time(.duration($0)) }
        case .timeAmount: (try? TimeAmountRule().parse(text)).map { .time($0) }
        case .share(let bounds): (try? ShareRule(bounds).parse(text)).map { .time(.percent($0)) }
        case .keyword(let words): words.contains(text) ? .keyword(text) : nil
        case .flag: Bool(text).map { .flag($0) }
        case .card: .keyword(text)
        }
    }

    /// The default as files write it, or `nil` if omitting the parameter has a meaning of its own.
    public var standardText: String? {
        guard let standard else { return nil }
        switch standard {
        case .time(.duration(let duration)): return DurationRule.text(duration)
        case .bytes(let bytes): return "\"\(Hex.text(bytes, separator: " "))\""
        default: return "\(standard)"
        }
    }
}

extension FaultKind {
    /// A command, a PC/SC call or a phone event at which the fault can be injected, as files write it.
    public var exampleCommand: String {
        if let calls = scope.calls {
            let call = calls.contains(.transmit) ? .transmit : PCSCCall.allCases.first(where: calls.contains)
            return "{call: \((call ?? .transmit).rawValue)}"
        }
        if let events = scope.phoneEvents {
            let event = ([.connected, .readNDEF] + PhoneEvent.allCases).first(where: events.contains)
            return "{phone: \((event ?? .connected).rawValue)}"
        }
        let common = ["felica.read", "ntag.read"].compactMap(CommandName.init)
        return (common + CommandName.all).first(where: scope.fits)?.rawValue ?? common[0].rawValue
    }

    /// The location of the fault and its exchanges, as a phrase: `in the answer, at commands of felica`.
    public var placeText: String { "\(effect.placeText), \(scope.text)\(times == .always ? ", every time" : "")" }
}

extension FaultEffect {
    /// The location of the fault, as a phrase.
    fileprivate var placeText: String {
        switch layer {
        case "image": "in the memory of the card, before the tap"
        case "transport": "in the PC/SC service"
        default: "in the \(layer)"
        }
    }
}

extension FaultScope {
    private static let mostNamed = 12

    /// The events at which the fault can be injected, as a phrase.
    var text: String {
        if let calls { return FaultKind.text(of: calls) }
        if let phoneEvents { return FaultKind.text(of: phoneEvents) }
        if let commands, commands.count > Self.mostNamed {
            let layers = Set(commands.map { "`\($0.layer.rawValue).`" })
            return "at most of the commands of \(ListText.choice(layers.sorted()))"
        }
        if let commands {
            return "at \(ListText.choice(CommandName.all.filter(commands.contains).map { "`\($0)`" }))"
        }
        guard let layers else { return "at every command" }
        return "at commands of \(ListText.choice(layers.map { "`\($0.rawValue).`" }.sorted()))"
    }
}

extension FaultKind {
    var phoneText: String {
        effect.layer == "phone" ? scope.text : "\(callText), which a phone does not make"
    }

    /// Events of a phone, as a phrase.
    static func text(of events: Set<PhoneEvent>) -> String {
        let names = PhoneEvent.allCases.filter(events.contains).map { "`\($0.rawValue)`" }
        return "at the phone's \(ListText.choice(names))"
    }

    var callText: String {
        effect.layer == "phone" ? scope.text : Self.text(of: scope.calls ?? Self.readerCalls)
    }

    /// Calls of PC/SC, as a phrase.
    static func text(of calls: Set<PCSCCall>) -> String {
        guard calls.count < PCSCCall.allCases.count else { return "at every PC/SC call" }
        let names = PCSCCall.allCases.filter(calls.contains).map { "`\($0.rawValue)`" }
        return "at the call \(ListText.choice(names))"
    }
}

public import TapField
import TapWire

extension FaultParameter {
    /// What values it takes, as errors of scenario files say it.
    public var valuesText: String { shape.noun }

    /// What it is where nothing is written, as files write it; nothing if its absence has a meaning.
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
    /// A command in whose exchange it can strike, a call of PC/SC or an event of a phone, as files write it.
    public var exampleCommand: String {
        if let calls = scope.calls {
            let call = calls.contains(.transmit) ? .transmit : PCSCCall.allCases.first(where: calls.contains)
            return "{call: \((call ?? .transmit).rawValue)}"
        }
        if let events = scope.phoneEvents {
            let event = ([.connected, .readNDEF] + PhoneEvent.allCases).first(where: events.contains)
            return "{phone: \((event ?? .connected).rawValue)}"
        }
        let usual = ["felica.read", "ntag.read"].compactMap(CommandName.init)
        return (usual + CommandName.all).first(where: scope.fits)?.rawValue ?? usual[0].rawValue
    }

    /// Where it strikes and in which exchanges, for a sentence: `in the answer, at commands of felica`.
    public var placeText: String { "\(effect.placeText), \(scope.text)\(times == .always ? ", every time" : "")" }
}

extension FaultEffect {
    /// Where it strikes, in words.
    fileprivate var placeText: String {
        switch layer {
        case "image": "in the memory of the card before it is tapped"
        case "door": "in the PC/SC service"
        default: "in the \(layer)"
        }
    }
}

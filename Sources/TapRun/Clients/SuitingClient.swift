import TapCards
public import TapScenario
import TapWire

extension BuiltinClient {
    /// The built-in client for a run that names none: the one that reads most of the first card.
    public static func suiting(_ cards: [ScenarioCase.NamedCard]) -> BuiltinClient {
        switch cards.first?.definition {
        case .felica(let template, _)?:
            let codes = template.definition.systems.map(\.code)
            if codes.contains(.transit) { return .transitHistory() }
            return codes.contains(.commonArea) ? .emoney : .dump(password: nil)
        case .ntag(let template)?:
            let container = try? CapabilityContainer(parsing: template.definition.capabilityContainer.bytes)
            return container?.announcesNDEF == true ? .ndef(password: nil) : .dump(password: nil)
        case nil: return .dump(password: nil)
        }
    }
}

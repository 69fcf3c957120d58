import TapCards
public import TapScenario
import TapWire

extension BuiltinClient {
    /// The built-in client for a run that names none: the one that reads most of the first card, with
    /// the PWD of a tag that is not read without it.
    public static func suiting(_ cards: [ScenarioCase.NamedCard]) -> BuiltinClient {
        switch cards.first?.definition {
        case .felica(let template, _)?:
            let codes = template.definition.systems.map(\.code)
            if codes.contains(.transit) { return .transitHistory() }
            return codes.contains(.commonArea) ? .emoney : .dump(password: nil)
        case .ntag(let template)?:
            let container = try? CapabilityContainer(parsing: template.definition.capabilityContainer.bytes)
            let password = template.definition.passwordForReading
            return container?.announcesNDEF == true ? .ndef(password: password) : .dump(password: password)
        case nil: return .dump(password: nil)
        }
    }
}

extension NTAGDefinition {
    /// PWD, where pages cannot be read without it.
    fileprivate var passwordForReading: [UInt8]? {
        let isProtected = configuration.access.prot && Int(configuration.auth0) < product.layout.pageCount
        return isProtected ? password.bytes : nil
    }
}

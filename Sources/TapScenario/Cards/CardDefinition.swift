import TapCards
import TapWire

/// A card of a scenario, checked: making its engine cannot fail.
public enum CardDefinition: Hashable, Sendable {
    /// A FeliCa Standard card with the chip it was made for.
    case felica(FeliCaTemplate, ic: String)
    /// An NTAG213, NTAG215 or NTAG216.
    case ntag(NTAGTemplate)

    /// A new card as the definition has it, outside a field.
    public func makeEngine() -> any CardEngine {
        switch self {
        case .felica(let template, _): FeliCaCard(template)
        case .ntag(let template): NTAGCard(template)
        }
    }

    /// The name of the IC, such as `RC-S962`, `NTAG215` or `vector-s`.
    public var icName: String {
        switch self {
        case .felica(_, let ic): ic
        case .ntag(let template): template.definition.product.rawValue
        }
    }

    /// The family of cards it belongs to.
    public var family: CardFamily {
        switch self {
        case .felica: .felica
        case .ntag: .ntag
        }
    }

    /// The technology by which it is read: `FeliCa` or `NFC Type A`.
    public var technologyName: String {
        switch self {
        case .felica: "FeliCa"
        case .ntag: "NFC Type A"
        }
    }

    /// The identifier a reader finds first: the IDm of system 0, or the UID.
    public var identifier: [UInt8] {
        switch self {
        case .felica(let template, _):
            (template.definition.systems.first?.idm ?? template.definition.idm).rawValue.octets
        case .ntag(let template): template.definition.uid.bytes
        }
    }

    /// The card as a map of the card language without a template; read again, it gives an equal definition.
    public var node: Node {
        switch self {
        case .felica(let template, let ic): .of(template.definition, ic: ic)
        case .ntag(let template): .of(template.definition)
        }
    }
}

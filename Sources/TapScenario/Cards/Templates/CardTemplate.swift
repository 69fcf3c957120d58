import TapCards
import TapWire

/// The kinds of cards that are filled in around what a file says.
enum CardTemplate: String, CaseIterable {
    case suica, icoca, pasmo, toica, manaca, kitaca, sugoca, nimoca, hayakaken, pitapa
    case edy, nanaco, waon
    case ndef, blank

    /// What a tag of the template ``ndef`` says where `ndef` is not written.
    static let defaultURI = "https://example.com"

    /// The family of its cards.
    var family: CardFamily {
        switch self {
        case .ndef, .blank: .ntag
        default: .felica
        }
    }

    /// The IC of its cards where `ic` is not written.
    var defaultIC: String { family == .felica ? "RC-S962" : "NTAG215" }

    /// Keys of applications that it has.
    var keys: [String] {
        switch self {
        case .ndef, .blank: []
        case .edy: ["balance", "trips", "history", "number"]
        case .nanaco: ["balance", "trips", "history", "number", "points"]
        case .waon: ["balance", "trips", "history", "history_blocks", "number", "points"]
        default: ["balance", "trips", "history", "gates"]
        }
    }

    /// Words that `kind` of a history record can be.
    var historyKinds: [String] {
        switch self {
        case .ndef, .blank: []
        case .edy: HistoryTables.names(EdyHistoryRecord.TransactionType.self)
        case .nanaco: HistoryTables.names(NanacoHistoryRecord.TransactionType.self)
        case .waon: HistoryTables.names(WAONHistoryRecord.TransactionType.self)
        default: TransitHistoryRecord.Kind.allCases.map(\.rawValue)
        }
    }

    var summary: String {
        switch self {
        case .edy: "An Edy card: number, balance and six history records in the common area."
        case .nanaco: "A nanaco card: number, balance, points and five history records in the common area."
        case .waon: "A WAON card: number, balance, points and three history records in the common area."
        case .ndef: "An NTAG that holds an NDEF message."
        case .blank: "An NTAG as it is delivered."
        default: "A transit card of \(issuer): balance, twenty history records, gates and entry information."
        }
    }

    /// Who issues the card.
    private var issuer: String {
        switch self {
        case .icoca: "JR West"
        case .pasmo: "the private railways of Kanto"
        case .toica: "JR Central"
        case .manaca: "the railways of Nagoya"
        case .kitaca: "JR Hokkaido"
        case .sugoca: "JR Kyushu"
        case .nimoca: "Nishitetsu"
        case .hayakaken: "the subway of Fukuoka"
        case .pitapa: "the private railways of Kansai"
        default: "JR East"
        }
    }
}

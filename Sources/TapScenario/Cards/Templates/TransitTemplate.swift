import TapCards
import TapWire

/// What is common to transit cards, and what differs from issuer to issuer.
struct TransitTemplate {
    /// Records the history holds.
    static let historyCount = TransitServices.history.blockCount
    /// Records the log of gates holds.
    static let gateCount = TransitServices.gates.blockCount

    /// Which cards the card belongs to.
    let cardType: TransitBalance.CardType
    /// Where the card pays.
    let area: TransitBalance.Area
    /// The first two bytes of the issue ID.
    ///
    /// Source: felica-rs, letters of printed card numbers.
    let issuer: UInt16
    /// Lines on which the card travels, within the half that JR or other railways have; the stations are made up.
    let lines: [UInt8]

    private init(_ cardType: TransitBalance.CardType, _ area: UInt8, _ issuer: UInt16, isJR: Bool) {
        self.cardType = cardType
        self.area = TransitBalance.Area(area)
        self.issuer = issuer
        lines = isJR ? [0x01, 0x25, 0x02] : [0xE3, 0xCE, 0x81]
    }

    /// The region byte of history records: the area in its two highest bits.
    var region: UInt8 { area.rawValue << 6 }

    /// What is special to the cards of a template.
    ///
    /// Card type and area are as public decoders name them; for Kitaca no source tells, so it has those of its group.
    static func of(_ template: CardTemplate) -> TransitTemplate {
        switch template {
        case .icoca: TransitTemplate(.icoca, 2, 0x0105, isJR: true)
        case .pasmo: TransitTemplate(.suica, 0, 0x0252, isJR: false)
        case .toica: TransitTemplate(.suica, 1, 0x0104, isJR: true)
        case .manaca: TransitTemplate(.suica, 1, 0x0387, isJR: false)
        case .kitaca: TransitTemplate(.suica, 3, 0x0102, isJR: true)
        case .sugoca: TransitTemplate(.suica, 3, 0x0107, isJR: true)
        case .nimoca: TransitTemplate(.suica, 3, 0x05D5, isJR: false)
        case .hayakaken: TransitTemplate(.suica, 3, 0x05D7, isJR: false)
        case .pitapa: TransitTemplate(.suica, 2, 0x04AD, isJR: false)
        default: TransitTemplate(.suica, 0, 0x0103, isJR: true)
        }
    }
}

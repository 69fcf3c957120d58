import TapCards
import TapField
import TapImages

extension CardDefinition {
    /// What a dump of the card would have: all but what no reader is told.
    package func image(_ format: ImageFormat) -> CardImage {
        switch self {
        case .felica(let template, _): CardImage(.felica(FeliCaImage(template.definition)), format)
        case .lite(let template, _): CardImage(.lite(LiteImage(template.definition)), format)
        case .ntag(let template): CardImage(.tag(TagImage(template.definition)), format)
        }
    }

    /// The card with another balance in the blocks of its application; `nil` for a card that has none.
    ///
    /// A card of a template has its balance under a key; one of a dump has it in its blocks alone.
    package func withBalance(_ amount: UInt32) -> CardDefinition? {
        guard case .felica(let template, _) = self else { return nil }
        var card = FeliCaCard(template)
        return card.setBalance(amount) ? after(card) : nil
    }
}

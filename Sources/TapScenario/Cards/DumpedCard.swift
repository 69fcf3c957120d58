import TapCards
import TapField
import TapImages

extension CardDefinition {
    /// A dump of the card, without data that no reader can obtain.
    package func image(_ format: ImageFormat) -> CardImage {
        switch self {
        case .felica(let template, _): CardImage(.felica(FeliCaImage(template.definition)), format)
        case .lite(let template, _): CardImage(.lite(LiteImage(template.definition)), format)
        case .ntag(let template): CardImage(.tag(TagImage(template.definition)), format)
        }
    }

    /// The card with another balance in the blocks of its application, or `nil` for a card without a balance.
    ///
    /// Cards of a template store their balance under a key; those of a dump only have it in their blocks.
    package func withBalance(_ amount: UInt32) -> CardDefinition? {
        guard case .felica(let template, _) = self else { return nil }
        var card = FeliCaCard(template)
        return card.setBalance(amount) ? after(card) : nil
    }
}

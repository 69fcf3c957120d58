import TapCards
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
}

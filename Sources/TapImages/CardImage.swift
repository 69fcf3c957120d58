import TapCards
import TapDocument
import TapWire

/// What a dump tells of a card: what was read of it, and what was not.
///
/// It is what all formats of dumps have in common. A card of a scenario is made of it under the key `image`.
package struct CardImage: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case tag(TagImage)
        case lite(LiteImage)
        case felica(FeliCaImage)
    }

    /// Most bytes of a dump.
    ///
    /// The largest tag takes a hundredth of it as text; the scan of a phone with a thousand services, half.
    package static let maximumBytes = DocumentLimits.scenario.maximumBytes

    package let format: ImageFormat
    package let content: Content

    package init(_ content: Content, _ format: ImageFormat) {
        self.format = format
        self.content = content
    }

    /// The IC, if the dump tells it.
    package var ic: CatalogueIC? {
        switch content {
        case .tag(let tag): tag.product.map { CatalogueIC(product: .ntag($0)) }
        case .lite(let card): card.ic.map { CatalogueIC(product: .lite($0)) }
        case .felica(let card): card.ic.map { CatalogueIC(product: .felica($0)) }
        }
    }

    package var family: CardFamily {
        switch content {
        case .tag: .ntag
        case .lite: .lite
        case .felica: .felica
        }
    }

    /// What the card has and the dump does not.
    ///
    /// - Parameter ic: The IC, where the dump does not tell it.
    package func notes(_ ic: CatalogueIC? = nil) -> [ImageNote] {
        switch content {
        case .tag(let tag):
            guard case .ntag(let product)? = (ic ?? self.ic)?.product else { return [] }
            return tag.notes(on: product)
        case .lite(let card): return card.notes
        case .felica(let card): return card.notes
        }
    }
}

/// Something that a card has and its dump does not, or the other way round, and what is done about it.
package struct ImageNote: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// It was not read, and readers can notice what stands in its place.
        case unread
        /// The password or the key of the card, which no reader is told.
        case secret
        /// No dump of this format holds it.
        case notHeld
        /// The dump says it, and the card cannot have it.
        case leftOut
    }

    package let kind: Kind
    /// What is not there, half a sentence.
    package let message: String
    /// What stands in its place, and how to tell it; half a sentence.
    package let hint: String

    package init(_ kind: Kind, _ message: String, hint: String) {
        self.kind = kind
        self.message = message
        self.hint = hint
    }

    package var text: String { "\(message); \(hint)" }
}

/// Why a file is no dump of a card, or why a card does not go into a format.
package struct ImageProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, half a sentence.
    package let message: String
    /// What to do about it, half a sentence.
    package let hint: String
    /// The line of a text, from 1.
    package let line: Int?

    package init(_ message: String, line: Int? = nil, hint: String) {
        self.message = message
        self.hint = hint
        self.line = line
    }

    package var description: String { "\(line.map { "line \($0): " } ?? "")\(message)" }
}

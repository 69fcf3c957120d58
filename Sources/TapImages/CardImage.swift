import TapCards
import TapDocument

/// The contents of a card dump, and the parts that were not read.
///
/// All dump formats map to this type. The key `image` of a scenario builds a card from it.
package struct CardImage: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case tag(TagImage)
        case lite(LiteImage)
        case felica(FeliCaImage)
    }

    /// The maximum size of a dump in bytes.
    ///
    /// As text, the largest tag takes a hundredth of it, and a scan of a phone with a thousand services takes half.
    package static let maximumBytes = DocumentLimits.scenario.maximumBytes

    package let format: ImageFormat
    package let content: Content

    package init(_ content: Content, _ format: ImageFormat) {
        self.format = format
        self.content = content
    }

    /// The IC, if the dump states it.
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

    /// The parts of the card that are missing from the dump.
    ///
    /// - Parameter ic: The IC, if the dump does not state it.
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

/// A difference between a card and its dump, and how it is handled.
package struct ImageNote: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A part that was not read, with a placeholder that readers can notice.
        case unread
        /// The password or the key of the card, which no reader can read.
        case secret
        /// A part that this dump format cannot store.
        case notHeld
        /// A statement of the dump that does not apply to the card.
        case leftOut
    }

    package let kind: Kind
    /// The missing part, as a clause.
    package let message: String
    /// The placeholder and a way to supply the real value, as a clause.
    package let hint: String

    package init(_ kind: Kind, _ message: String, hint: String) {
        self.kind = kind
        self.message = message
        self.hint = hint
    }

    package var text: String { "\(message); \(hint)" }
}

/// The reason why a file is not a dump of a card, or why a card does not fit a format.
package struct ImageProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem, as a clause.
    package let message: String
    /// The remedy, as a clause.
    package let hint: String
    /// The line of a text file, counted from 1.
    package let line: Int?

    package init(_ message: String, line: Int? = nil, hint: String) {
        self.message = message
        self.hint = hint
        self.line = line
    }

    package var description: String { "\(line.map { "line \($0): " } ?? "")\(message)" }
}

import TapCards
import TapWire

/// The description of a template in lists and explanations: the contents it fills in, and how much is known of real cards.
public struct CardTemplateInfo: Hashable, Sendable {
    public struct Generation: Hashable, Sendable {
        /// The number, counted from 1, in the order of the source.
        public let number: Int
        /// The IC of such a card, with its source.
        public let ic: Fact<String>
        /// A Boolean value that indicates whether this generation is used if `generation` is omitted.
        public let isDefault: Bool
        /// A Boolean value that indicates whether the node list is inferred because none is public.
        public let isInferred: Bool
        public let systems: [System]
        /// The order of the systems, with its source, or `nil` for a card with one system.
        public let systemOrder: Fact<String>?
        /// The number of services with their own blocks.
        public let storeCount: Int
        /// The number of those services whose block count is known from a source.
        public let countedStoreCount: Int
    }

    /// A system with its areas, `first-last`, and services in the order of the card.
    public struct System: Hashable, Sendable {
        public let code: String
        public let nodes: [String]
    }

    public let name: String
    /// The IC of such a card if both `ic` and `generation` are omitted.
    public let icName: String
    /// The IC families it works with, starting with the family of ``icName``.
    public let families: [CardFamily]
    public let summary: String
    /// Keys that describe its contents.
    public let keys: [String]
    /// A Boolean value that indicates whether the template generates contents, such as a balance and a history.
    ///
    /// Otherwise all blocks are zero.
    public let hasContents: Bool
    private let template: CardTemplate

    init(_ template: CardTemplate) {
        self.template = template
        name = template.rawValue
        icName = template.defaultIC(generation: nil)
        families = template.families
        summary = template.summary
        keys = template.keys
        hasContents = template.hasContents
    }

    /// The generations of its cards; NTAG21x templates have none.
    public var generations: [Generation] {
        template.generations.enumerated().map { index, generation in
            let directory = generation.directory
            let stores = directory.countedStores
            return Generation(
                number: index + 1, ic: generation.ic, isDefault: index + 1 == template.defaultGeneration,
                isInferred: generation.isInferred, systems: directory.systems.map { System($0) },
                systemOrder: generation.systemOrder, storeCount: stores.all, countedStoreCount: stores.known)
        }
    }
}

extension CardTemplateInfo.System {
    fileprivate init(_ system: CardDirectory.System) {
        let areas = system.areas.map { (code: $0.code, text: "\($0.code)-\($0.end)") }
        let nodes = areas + system.services.map { (code: $0, text: "\($0)") }
        code = "\(system.code)"
        self.nodes = nodes.sorted { $0.code.rawValue < $1.code.rawValue }.map(\.text)
    }
}

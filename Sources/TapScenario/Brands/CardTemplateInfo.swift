import TapCards
import TapWire

/// What lists and explanations tell about a template: what is filled in, and how much of it is known of real cards.
public struct CardTemplateInfo: Hashable, Sendable {
    /// A generation of its cards.
    public struct Generation: Hashable, Sendable {
        /// From 1 on, in the order of the source.
        public let number: Int
        /// The IC of such a card, and who says so.
        public let ic: Fact<String>
        /// Whether it is the one where `generation` is not written.
        public let isDefault: Bool
        /// Whether no list of its nodes is public.
        public let isInferred: Bool
        public let systems: [System]
        /// The order of the systems, and who says so; `nil` for a card with one system.
        public let systemOrder: Fact<String>?
        /// Services with blocks of their own.
        public let storeCount: Int
        /// Those of them of which a source tells the number of blocks.
        public let countedStoreCount: Int
    }

    /// A system with its areas, `first-last`, and services in the order of the card.
    public struct System: Hashable, Sendable {
        public let code: String
        public let nodes: [String]
    }

    public let name: String
    /// The IC of such a card where neither `ic` nor `generation` is written.
    public let icName: String
    /// The families of ICs it goes with, first that of ``icName``.
    public let families: [CardFamily]
    public let summary: String
    /// Keys that say what is on it.
    public let keys: [String]
    /// Whether balance, history and the like are made up; else all blocks are zeros.
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

    /// The generations of its cards; those of NTAG21x have none.
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

import TapWire

/// All that anybody may read of a FeliCa card.
public struct FeliCaDump: Hashable, Sendable {
    /// A system of the card.
    public struct System: Hashable, Sendable {
        /// System code and IDm.
        public let identity: FeliCaSystem
        /// Whether the card listed its nodes; if not, the services are those known that it says it has.
        public let listsNodes: Bool
        /// The areas in ascending order, the root first; none where the card lists no nodes.
        public let areas: [Area]
        /// The services in ascending order.
        public let services: [Service]
    }

    /// An area.
    public struct Area: Hashable, Sendable {
        /// The area code.
        public let code: NodeCode
        /// The last service code the area can hold.
        public let end: NodeCode
    }

    /// A service.
    public struct Service: Hashable, Sendable {
        /// The service code.
        public let code: NodeCode
        /// What it holds.
        public let content: Content
    }

    /// What a service holds.
    public enum Content: Hashable, Sendable {
        /// The blocks from block 0 on.
        case blocks([BlockData])
        /// Something that only authentication opens.
        case locked
        /// The card refused to read it though its attribute allows it.
        case refused(StatusFlags)
    }

    /// IDm of system 0.
    public let idm: IDm
    public let pmm: PMm
    /// Whether the card listed its systems; if not, there is only the one that answered Polling.
    public let listsSystems: Bool
    /// The systems from system 0 upward.
    public let systems: [System]
}

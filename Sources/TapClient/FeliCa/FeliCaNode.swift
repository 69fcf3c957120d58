import TapWire

/// A node of a system, as Search Service Code lists it.
public enum FeliCaNode: Hashable, Sendable {
    /// An area and the last service code it can hold.
    case area(NodeCode, end: NodeCode)
    /// A service.
    case service(NodeCode)
}

import TapWire

/// An area: a range of codes with a key.
public struct FeliCaAreaDefinition: Hashable, Sendable {
    /// The area code, which is also where the area begins.
    public var code: NodeCode
    /// The last service code of the area.
    public var end: NodeCode
    /// Area key and its versions.
    public var keys: FeliCaKeys
    /// Blocks assigned to the area, or nothing for as many as its services and areas take.
    public var assignedBlocks: UInt16?
    /// The two bytes of unpublished meaning that Get Area Information reports, the first on the wire highest.
    public var information: UInt16

    public init(
        _ code: NodeCode, end: NodeCode, keys: FeliCaKeys = FeliCaKeys(), assignedBlocks: UInt16? = nil,
        information: UInt16 = 0
    ) {
        self.code = code
        self.end = end
        self.keys = keys
        self.assignedBlocks = assignedBlocks
        self.information = information
    }

    /// The root area, 0000 to FFFE.
    public static func root(keys: FeliCaKeys = FeliCaKeys()) -> FeliCaAreaDefinition {
        FeliCaAreaDefinition(.root, end: .lastService, keys: keys)
    }
}

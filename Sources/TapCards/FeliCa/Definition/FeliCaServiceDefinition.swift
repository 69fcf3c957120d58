import TapWire

/// A service: a way to use blocks, which services with the same number and kind share.
public struct FeliCaServiceDefinition: Hashable, Sendable {
    /// The service code.
    public var code: NodeCode
    /// Service key and its versions; a service that needs no authentication has versions as well.
    public var keys: FeliCaKeys
    /// The blocks as the card is issued; ignored where a service of the same number and kind comes before this one.
    public var blocks: [BlockData]
    /// Limits of a purse, where it has any.
    public var purseLimits: PurseLimits?
    /// Whether the service is used with MAC communication.
    public var hasMACCommunication: Bool

    public init(
        _ code: NodeCode, keys: FeliCaKeys = FeliCaKeys(), blocks: [BlockData], purseLimits: PurseLimits? = nil,
        hasMACCommunication: Bool = false
    ) {
        self.code = code
        self.keys = keys
        self.blocks = blocks
        self.purseLimits = purseLimits
        self.hasMACCommunication = hasMACCommunication
    }
}

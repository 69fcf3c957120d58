/// The keys of a node, one for each cipher, with their versions.
public struct FeliCaKeys: Hashable, Sendable {
    /// Version of the DES key, or nothing for a node that has none.
    public var desVersion: UInt16?
    /// The DES key: 8 bytes, or 16 for DES-112; nothing where it is not known or not needed.
    public var desKey: [UInt8]?
    /// Version of the AES key, or nothing for a node that has none.
    public var aesVersion: UInt16?
    /// The AES key, 16 bytes; nothing where it is not known or not needed.
    public var aesKey: [UInt8]?

    /// Creates the keys of a node, by default of a DES card at version 0000.
    public init(
        desVersion: UInt16? = 0, desKey: [UInt8]? = nil, aesVersion: UInt16? = nil, aesKey: [UInt8]? = nil
    ) {
        self.desVersion = desVersion
        self.desKey = desKey
        self.aesVersion = aesVersion
        self.aesKey = aesKey
    }
}

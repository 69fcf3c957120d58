import TapWire

/// The container a phone keeps its cards in.
public struct FeliCaContainer: Hashable, Sendable {
    /// IDm of the container.
    public var idm: IDm
    /// Format version, carrier and phone model, as Get Container Issue Information sends them.
    public var issueInformation: BlockData
    /// The properties by index from 0, as Get Container Property sends them.
    public var properties: [[UInt8]]

    /// Creates a container, by default with the two properties seen on Mobile FeliCa 4.1.
    public init(idm: IDm, issueInformation: BlockData = .zero, properties: [[UInt8]] = [[0x01], [0x20]]) {
        self.idm = idm
        self.issueInformation = issueInformation
        self.properties = properties
    }
}

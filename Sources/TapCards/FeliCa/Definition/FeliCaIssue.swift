/// What the issuer of a system wrote into it: issue ID and issue parameter, eight bytes each, byte 0 highest.
public struct FeliCaIssue: Hashable, Sendable {
    /// The issue ID, IDi.
    public var id: UInt64
    /// The issue parameter, PMi.
    public var parameter: UInt64

    public init(id: UInt64 = 0, parameter: UInt64 = 0) {
        self.id = id
        self.parameter = parameter
    }
}

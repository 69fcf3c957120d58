import TapWire

/// One logical system: its code, keys, areas and services.
public struct FeliCaSystemDefinition: Hashable, Sendable {
    /// The system code.
    public var code: SystemCode
    /// IDm of the system, or nothing for the card's with the number of the system.
    public var idm: IDm?
    /// System key and its versions.
    public var keys: FeliCaKeys
    /// Issue ID (IDi) and issue parameter (PMi), which only a session reveals.
    public var issue: FeliCaIssue
    /// The areas in any order, the root area among them.
    public var areas: [FeliCaAreaDefinition]
    /// The services in any order; of services that share number and kind the first one gives the blocks.
    public var services: [FeliCaServiceDefinition]

    public init(
        code: SystemCode, idm: IDm? = nil, keys: FeliCaKeys = FeliCaKeys(), issue: FeliCaIssue = FeliCaIssue(),
        areas: [FeliCaAreaDefinition], services: [FeliCaServiceDefinition]
    ) {
        self.code = code
        self.idm = idm
        self.keys = keys
        self.issue = issue
        self.areas = areas
        self.services = services
    }
}

extension FeliCaSystemDefinition {
    /// All keys of the system and its nodes.
    var allKeys: [FeliCaKeys] { [keys] + areas.map(\.keys) + services.map(\.keys) }

    /// Which ciphers the keys of the system are for, as Request Service v2 says it.
    var encryption: RequestServiceV2.EncryptionIdentifier {
        let hasAES = allKeys.contains { $0.aesVersion != nil }
        let hasDES = allKeys.contains { $0.desVersion != nil }
        let hasLongDES = allKeys.contains { $0.desKey?.count == 16 }
        return switch (hasAES, hasDES) {
        case (true, false): .aes128
        case (true, true): hasLongDES ? .aesAndDES112 : .aesAndDES56
        case (false, _): hasLongDES ? .des112 : .des56
        }
    }
}

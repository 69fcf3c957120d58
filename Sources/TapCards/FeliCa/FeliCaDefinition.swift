import TapWire

/// The content of a FeliCa Standard card: a plain value that is compiled into a ``FeliCaTemplate``, which rejects impossible
/// cards.
///
/// Source: FeliCa Card User's Manual, excerpted edition, "file system".
public struct FeliCaCardDefinition: Hashable, Sendable {
    /// IDm of system 0; other systems use it with their number in the upper digit, unless they have their own.
    public var idm: IDm
    /// PMm, the same for all systems.
    public var pmm: PMm
    public var profile: FeliCaProfile
    public var time = FeliCaTime.typical
    /// The switches of the profile that no source documents for the IC; empty for a card that is not a chip.
    public var assumptions = CardAssumptions()
    public var systems: [FeliCaSystemDefinition]
    /// The container; cards without one are silent to the container commands.
    public var container: FeliCaContainer?
    /// The reports of the chip, used if the card states no others.
    public var chip = FeliCaChipReports()
    /// The answer to Request Product Information, or `nil` for the chip's own.
    public var productInformation: RequestProductInformation.Information?
    /// The answer to Request Specification Version, or `nil` for the one that follows from chip and keys.
    public var specificationVersion: RequestSpecificationVersion.Versions?
    public var systemStatus: GetSystemStatus.Status
    /// The card's challenge in every authentication, 8 or 16 bytes; `nil` to draw a new one each time.
    ///
    /// With DES keys, only the first eight bytes count. With a fixed challenge, challenge 3C is zero.
    public var challenge: [UInt8]?
    /// The number of Write commands the memory takes before it warns; `nil` for no limit.
    public var rewriteLimit: UInt32?

    /// Creates a card with systems on a chip of specification 5.0.0 without product information and options.
    public init(idm: IDm, pmm: PMm, profile: FeliCaProfile = FeliCaProfile(), systems: [FeliCaSystemDefinition]) {
        self.idm = idm
        self.pmm = pmm
        self.profile = profile
        self.systems = systems
        systemStatus = GetSystemStatus.Status()
    }
}

/// The reports of a chip, used if a card does not state its own.
public struct FeliCaChipReports: Hashable, Sendable {
    /// The answer to Request Product Information.
    public var productInformation: [UInt8]
    /// The option list of Request Specification Version on a card with DES keys: DES first.
    public var options: [RequestSpecificationVersion.Version]

    public init(productInformation: [UInt8] = [], options: [RequestSpecificationVersion.Version] = []) {
        self.productInformation = productInformation
        self.options = options
    }
}

extension FeliCaCardDefinition {
    /// The answer of a phone to Get Container ID.
    ///
    /// Source: a phone in pull request 3112 of Proxmark3 has the IDm 0140… and the container F140….
    package var containerIDm: IDm { container?.idm ?? idm.ofSystem(0xF) }

    package var reportedProductInformation: RequestProductInformation.Information {
        productInformation ?? RequestProductInformation.Information(data: chip.productInformation)
    }

    /// The answer of the card to Request Specification Version.
    ///
    /// It includes the DES option if a system has DES keys, so that it agrees with Request Service v2. A list without options
    /// is empty. Source: logs in pull requests 3228, 3247 and 3248 of Proxmark3; metrodroid, pull request 711.
    package var reportedVersions: RequestSpecificationVersion.Versions {
        if let specificationVersion { return specificationVersion }
        let absent = RequestSpecificationVersion.Version(0)
        let hasDES = systems.contains { $0.encryption != .aes128 }
        var options = chip.options
        if !hasDES, !options.isEmpty { options[0] = absent }
        while options.last == absent { options.removeLast() }
        return RequestSpecificationVersion.Versions(basic: Self.specification, options: options)
    }

    /// Version 5.0.0 of the card specification, as in every log of such a chip.
    private static let specification = RequestSpecificationVersion.Version(0x8500)
}

/// The time a card takes to answer commands other than Polling.
public enum FeliCaTime: String, Hashable, Sendable, CaseIterable {
    /// A quarter of the maximum time in the PMm, a sixteenth for reads, and longer where a chip is known to take longer.
    case typical
    /// The maximum time in the PMm.
    case pmm
    /// The maximum time in the PMm, and longer where a chip is known to take longer.
    case worst
}

public struct FeliCaSystemDefinition: Hashable, Sendable {
    public var code: SystemCode
    /// IDm of the system, or `nil` for the card's IDm with the number of the system.
    public var idm: IDm?
    public var keys: FeliCaKeys
    /// Issue ID (IDi) and issue parameter (PMi), which only a session reveals.
    public var issue: FeliCaIssue
    /// In any order, including the root area.
    public var areas: [FeliCaAreaDefinition]
    /// In any order; among services that share number and kind, the first provides the blocks.
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
    var allKeys: [FeliCaKeys] { [keys] + areas.map(\.keys) + services.map(\.keys) }

    /// Passes all keys, with the codes of their nodes, to a closure that may change them.
    mutating func changeKeys(_ change: (NodeCode, inout FeliCaKeys) -> Void) {
        change(.system, &keys)
        for index in areas.indices { change(areas[index].code, &areas[index].keys) }
        for index in services.indices { change(services[index].code, &services[index].keys) }
    }

    /// The ciphers of the system's keys, as Request Service v2 reports them.
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

public struct FeliCaAreaDefinition: Hashable, Sendable {
    /// Also the first code of the area.
    public var code: NodeCode
    public var end: NodeCode
    public var keys: FeliCaKeys
    /// Blocks assigned to the area, or `nil` for as many as its services and areas use.
    public var assignedBlocks: UInt16?
    /// The two bytes that Get Area Information reports, most significant byte first on the wire; their meaning is unpublished.
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

/// A service: a way to access blocks, which services with the same number and kind share.
public struct FeliCaServiceDefinition: Hashable, Sendable {
    public var code: NodeCode
    /// Service key and its versions; a service that needs no authentication also has versions.
    public var keys: FeliCaKeys
    /// The blocks as issued; ignored if an earlier service has the same number and kind.
    public var blocks: [BlockData]
    public var purseLimits: PurseLimits?
    /// A Boolean value that indicates whether the service uses MAC communication.
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

/// The keys of a node, one for each cipher, with their versions.
public struct FeliCaKeys: Hashable, Sendable {
    /// Version of the DES key, or `nil` for a node without one.
    public var desVersion: UInt16?
    /// The DES key: 8 bytes, or 16 for DES-112; `nil` if unknown or not needed.
    public var desKey: [UInt8]?
    /// Version of the AES key, or `nil` for a node without one.
    public var aesVersion: UInt16?
    /// The AES key, 16 bytes; `nil` if unknown or not needed.
    public var aesKey: [UInt8]?

    /// Creates the keys of a node; by default those of a DES card at version 0000.
    public init(
        desVersion: UInt16? = 0, desKey: [UInt8]? = nil, aesVersion: UInt16? = nil, aesKey: [UInt8]? = nil
    ) {
        self.desVersion = desVersion
        self.desKey = desKey
        self.aesVersion = aesVersion
        self.aesKey = aesKey
    }
}

/// The container in which a phone stores its cards.
public struct FeliCaContainer: Hashable, Sendable {
    /// IDm of the container, or `nil` for the card's IDm with system number F.
    public var idm: IDm?
    /// Format version, carrier and phone model, as Get Container Issue Information sends them.
    public var issueInformation: BlockData
    /// The properties by index from 0, as Get Container Property sends them.
    public var properties: [[UInt8]]

    /// Creates a container, by default with the two properties seen on Mobile FeliCa 4.1.
    public init(idm: IDm? = nil, issueInformation: BlockData = .zero, properties: [[UInt8]] = [[0x01], [0x20]]) {
        self.idm = idm
        self.issueInformation = issueInformation
        self.properties = properties
    }
}

/// The issuer's data in a system: issue ID and issue parameter, eight bytes each, most significant byte first.
public struct FeliCaIssue: Hashable, Sendable {
    public var id: UInt64
    public var parameter: UInt64

    public init(id: UInt64 = 0, parameter: UInt64 = 0) {
        self.id = id
        self.parameter = parameter
    }
}

import TapCards
import TapDocument
import TapWire

/// The maps under `systems`, and the other maps of FeliCa cards.
enum FeliCaTables {
    // MARK: Systems

    static let system = FieldTable(
        "a system", FeliCaSystemDefinition(code: SystemCode(0), areas: [], services: []),
        [
            .init(
                "idm", \.idm, .idm, "The IDm of the system. Default: the IDm of the card with the number of the system."
            ),
            .init(
                "issue", \.issue, issue,
                "The issue ID and issue parameter, which only an authenticated session reveals.",
                isWritten: { $0.issue != FeliCaIssue() }),
        ], keys.map { $0.within(\.keys) },
        [
            .init(areas) { .map($0.areas.map { (key: $0.code.description, value: node(of: $0)) }) },
            .init(services) { system in
                let services = system.services.map { (key: $0.code.description, value: node(of: $0)) }
                return services.isEmpty ? nil : .map(services)
            },
        ])

    static let areas = TypedKey(
        "areas",
        .value(.map(of: CodeRule("an area code"), to: .variants([.code("an end service code"), .map(area.keys)]))),
        "Areas by code, each with its end. The root area always exists.", synonyms: ["area"])

    static let services = TypedKey(
        "services",
        .value(
            .map(
                of: KnownCodes.serviceRule,
                to: .variants([blockCount, .list(of: .hex(16)), .map(service.keys)]))),
        "Services by code: the number of blocks, the blocks themselves, or a map.",
        synonyms: ["service", "service_code", "service_codes"])

    private static let issue = FieldTable(
        "an issue", FeliCaIssue(),
        [
            .init("id", \.id, .eightBytes, "The issue ID, IDi.", hasDefault: false, synonyms: ["idi"]),
            .init(
                "parameter", \.parameter, .eightBytes, "The issue parameter, PMi.", hasDefault: false, synonyms: ["pmi"]
            ),
        ])

    /// Keys and their versions, which systems, areas and services have.
    private static let keys: [TapDocument.Field<FeliCaKeys>] = [
        .init(
            "key", \.desKey, .hex(8...8, 16...16),
            "The DES key. Default: zeros. 16 bytes make a DES-112 key, with which TapSim does not authenticate.",
            synonyms: ["des_key"]),
        .init(
            "key_version", \.desVersion, keyVersion, "The version of the DES key, or `none`. Default: 0000.",
            synonyms: ["version", "des_key_version"], isWritten: { $0.desVersion != 0 }),
        .init("aes_key", \.statedAESKey, .hex(16...16), "The AES key. Default: zeros."),
        .init(
            "aes_key_version", \.aesVersion, keyVersion, "The version of the AES key. Default: none.",
            isWritten: { $0.aesVersion != nil || $0.aesKey != nil }),
    ]

    private static let keyVersion = FieldForm<UInt16?>(
        .scalar(KeyVersionRule()), read: { $0.read(KeyVersionRule.self) },
        node: { .text($0.map { Hex.digits($0, width: 4) } ?? "none") })

    // MARK: Areas and services

    static let area = FieldTable(
        "an area", FeliCaAreaDefinition.root(),
        [.init(end, \.end)], keys.map { $0.within(\.keys) },
        [
            .init(
                "blocks", \.assignedBlocks, .integer(0...0xFFFF),
                "The number of blocks assigned to the area. Default: as many as it needs.",
                synonyms: ["assigned_blocks"]),
            .init(
                "information", \.information, .code("two bytes"),
                "The two bytes of Get Area Information, in the order of transmission.", hasDefault: false,
                isWritten: { $0.information != 0 }),
        ])

    static let end = TypedKey(
        "end", FieldForm.code("an end service code").converted({ NodeCode($0) }, back: \.rawValue),
        "The last service code of the area.")

    /// An area as a file writes it: only its end if that is all it needs.
    private static func node(of area: FeliCaAreaDefinition) -> Node {
        let entries = self.area.entries(area)
        return entries.count == 1 ? entries[0].value : .map(entries)
    }

    static let service = FieldTable(
        "a service", FeliCaServiceDefinition(NodeCode(0), blocks: []),
        [
            .init(kind) { _ in nil }, .init(access) { _ in nil }, .init(authentication) { _ in nil },
        ], keys.map { $0.within(\.keys) },
        [
            .init(blocks) { service in
                let isShort = usedBlocks(of: service) < service.blocks.count
                return isShort ? .number(service.blocks.count) : nil
            },
            .init(data) { service in
                let used = service.blocks.prefix(usedBlocks(of: service))
                return used.isEmpty ? nil : .list(used.map { .hex($0.bytes) })
            },
            .init("limits", \.purseLimits, .map(limits), "The limits of a purse."),
            .init(
                "mac", \.hasMACCommunication, .boolean, "Use the service with MAC communication.",
                hasDefault: false, isWritten: \.hasMACCommunication),
        ])

    static let kinds = FieldForm<NodeAttribute.Kind>.words(["random": .random, "cyclic": .cyclic, "purse": .purse])
    static let accesses = FieldForm<NodeAttribute.Access>.words([
        "read_write": .readWrite, "read_only": .readOnly, "cashback_decrement": .cashbackDecrement,
        "decrement": .decrement,
    ])
    static let kind = TypedKey(
        "kind", .value(kinds.shape), "The kind of the service, which must match its code.")
    static let access = TypedKey(
        "access", .value(accesses.shape), "The access that a reader has, which must match the code.")
    static let authentication = TypedKey(
        "authentication", .value(.boolean), "Require a key, which must match the code.",
        synonyms: ["auth", "encryption"])
    static let blocks = TypedKey(
        "blocks", .value(blockCount), "The number of blocks; blocks after the end of `data` are zero.",
        synonyms: ["block_count", "count"])
    static let data = TypedKey(
        "data", .value(.list(of: .hex(16), count: 1...FeliCaTemplate.maximumBlocks)),
        "The blocks from block 0 on. Services with the same number and kind share them, so only one may define them.",
        synonyms: ["content"])

    private static let blockCount = Shape.integer(1...FeliCaTemplate.maximumBlocks)

    /// The number of blocks up to the last nonzero block.
    private static func usedBlocks(of service: FeliCaServiceDefinition) -> Int {
        service.blocks.lastIndex { $0 != .zero }.map { $0 + 1 } ?? 0
    }

    private static func node(of service: FeliCaServiceDefinition) -> Node { self.service.node(service) }

    private static let limits = FieldTable(
        "purse limits", PurseLimits(),
        [
            .init("lower", \.lower, .integer(signed), "The lowest value."),
            .init("upper", \.upper, .integer(signed), "The highest value."),
            .init("generation", \.generation, .integer(0...255), "The number of changes of the limits."),
        ])

    private static let signed = Int(Int32.min)...Int(Int32.max)

    // MARK: What the card reports

    /// The reports of a card besides its systems.
    static let reports = FieldTable(
        "the reports of a card",
        FeliCaCardDefinition(idm: IDm(0), pmm: PMm(0), profile: FeliCaProfile(), systems: []),
        [
            .init("container", \.container, .map(container), "The container of a phone."),
            .init(
                "product_information", \.productInformation,
                productInformation,
                "The answer to Request Product Information. Default: that of the IC."),
            .init(
                "specification_version", \.specificationVersion, .map(specification),
                "The answer to Request Specification Version. Default: that of the IC with or without DES keys.",
                synonyms: ["specification"]),
            .init(
                "system_status", \.systemStatus, status, "The answer to Get System Status.",
                isWritten: { $0.systemStatus != .init() }),
            .init(
                "challenge", \.challenge, .hex(8...8, 16...16),
                "The card's challenge in every authentication; DES uses the first 8 bytes. If omitted, each authentication "
                    + "draws a new one."),
            .init(
                "rewrite_limit", \.rewriteLimit, .integer(0...Int(UInt32.max)),
                "The number of Write commands after which the memory warns. If omitted, there is no limit."),
        ])

    private static let productInformation = FieldForm<[UInt8]>.hex(0...255).converted(
        { RequestProductInformation.Information(data: $0) }, back: \.data)

    private static let container = FieldTable(
        "a container", FeliCaContainer(),
        [
            .init("idm", \.idm, .idm, "The IDm of the container. Default: the IDm of the card with system number F."),
            .init(
                "issue_information", \.issueInformation,
                FieldForm.hex(16...16).converted({ BlockData($0) }, back: { Array($0.bytes) }),
                "The format version, carrier and phone model.", hasDefault: false),
            .init("properties", \.properties, .list(of: .hex(0...255)), "The properties, in order from index 0."),
        ])

    private static let specification = FieldTable(
        "a specification version", RequestSpecificationVersion.Versions(basic: .init(0x8500)),
        [
            .init("format", \.format, .byte, "The format version.", hasDefault: false),
            .init(
                "basic", \.basic, version, "The basic version, such as 8500 for 5.0.0.", hasDefault: false),
            .init("options", \.options, .list(of: version), "The versions of options."),
        ])

    private static let version = FieldForm.code("a version").converted(
        { RequestSpecificationVersion.Version($0) }, back: \.rawValue)

    private static let status = FieldTable(
        "a system status", GetSystemStatus.Status(),
        [
            .init("flag", \.flag, .byte, "The first byte of the report.", hasDefault: false),
            .init("data", \.data, .hex(0...255), "The status data.", hasDefault: false),
        ])
}

extension FeliCaKeys {
    /// The AES key; setting it gives the node a version for the key.
    fileprivate var statedAESKey: [UInt8]? {
        get { aesKey }
        set { (aesKey, aesVersion) = (newValue, aesVersion ?? 0) }
    }
}

extension FieldForm where Value == UInt16 {
    /// A 16-bit code; `noun` names it, with its article.
    static func code(_ noun: String) -> Self { Self(.code(noun), read: \.code) { .text(Hex.digits($0, width: 4)) } }
}

extension FieldForm where Value == UInt8 {
    static let byte = FieldForm<[UInt8]>.hex(1...1).converted({ $0[0] }, back: { [$0] })
}

extension FieldForm where Value == UInt64 {
    /// Eight bytes as a big-endian integer.
    static let eightBytes = FieldForm<[UInt8]>.hex(8...8).converted({ UInt64(octets: $0) }, back: \.octets)
}

extension FieldForm where Value == IDm {
    static let idm = FieldForm<UInt64>.eightBytes.converted({ IDm($0) }, back: \.rawValue)
}

extension FieldForm where Value == PMm {
    static let pmm = FieldForm<UInt64>.eightBytes.converted({ PMm($0) }, back: \.rawValue)
}

import TapWire

/// What a FeliCa command and its response are made of, behind LEN and code.
struct PacketLayout: Sendable {
    let code: CommandCode
    let command: [LayoutPart]
    let response: [LayoutPart]

    init(_ code: CommandCode, _ command: [LayoutPart], _ response: [LayoutPart]) {
        self.code = code
        self.command = command
        self.response = response
    }

    /// The layout of a command, by its code or that of its response.
    static func of(_ code: CommandCode) -> PacketLayout? {
        byFirstByte[Int(code.command.first)].flatMap { $0.code == code.command ? $0 : nil }
    }

    /// The layouts at the places of their codes; no two share a first byte.
    private static let byFirstByte: [PacketLayout?] = {
        var table = [PacketLayout?](repeating: nil, count: 256)
        for layout in open + options + sessions { table[Int(layout.code.first)] = layout }
        return table
    }()
}

extension PacketLayout {
    /// A command that names services and blocks.
    private static let services: [LayoutPart] = [
        .field(.idm), .count(.count("services"), symbol: "m"), .list([[.service]]),
        .count(.count("blocks"), symbol: "n"), .blockList,
    ]
    /// A command that names nodes.
    static let nodes: [LayoutPart] = [.field(.idm), .count(.count("nodes"), symbol: "n"), .list([[.node]])]

    /// Commands every manual has.
    private static let open: [PacketLayout] = [
        PacketLayout(
            .polling, [.field(.polledSystem), .field(.requestCode), .field(.timeSlot)],
            [.field(.foundIDm), .field(.pmm), .optional([.field(.requestData)])]),
        PacketLayout(
            .requestService, nodes,
            [.field(.idm), .count(.count("nodes"), symbol: "n"), .list([[.keyVersion]])]),
        PacketLayout(.requestResponse, [.field(.idm)], [.field(.idm), .field(.mode)]),
        PacketLayout(
            .readWithoutEncryption, services,
            [
                .field(.idm), .status(done: ""), .count(.countOf("block", "blocks"), symbol: "n"), .blockData,
            ]),
        PacketLayout(.writeWithoutEncryption, services + [.blockData], [.field(.idm), .status(done: "written")]),
        PacketLayout(
            .searchServiceCode, [.field(.idm), .field(.number("index"))],
            [.field(.idm), .field(.searchedNode), .optional([.field(.endService)])]),
        PacketLayout(
            .requestSystemCode, [.field(.idm)],
            [.field(.idm), .count(.countOf("system", "systems", mark: ":"), symbol: "n"), .list([[.systemCode]])]),
        PacketLayout(.echo, [.field(.rest("data"))], [.field(.rest("data"))]),
    ]

    /// Commands that start a session, as far as no key is needed to read them.
    private static let sessions: [PacketLayout] = [
        PacketLayout(
            .authentication1,
            [
                .field(.idm), .count(.count("areas"), symbol: "a"), .list([[.area]]),
                .count(.count("services"), symbol: "s"), .list([[.listedService]]), .field(.cipher("challenge 1A", 8)),
            ], [.field(.idm), .field(.cipher("challenge 1B", 8)), .field(.cipher("challenge 2A", 8))]),
        PacketLayout(
            .authentication2, [.field(.idm), .field(.cipher("challenge 2B", 8))],
            [.field(.cipher("transaction number and ID, IDi, PMi, MAC", 32))]),
        PacketLayout(
            CommandCode(0x34),
            [
                .field(.idm), .field(.reserved(1)), .count(.count("services"), symbol: "m"), .list([[.service]]),
                .count(.count("blocks"), symbol: "n"), .blockList, .field(FieldKind("challenge", 16)),
            ],
            [
                .field(.idm), .status(done: ""), .count(.countOf("block", "blocks"), symbol: "n"), .blockData,
                .field(FieldKind("challenge", 16)), .field(FieldKind("MAC", 16)),
            ]),
    ]

    /// The layout of a session packet nobody published, or that only a key opens.
    static let sealed: [LayoutPart] = [.field(.cipher("encrypted data", nil))]
}

// The packets of commands of phones and of options.

extension PacketLayout {
    /// An IDm and two bytes of zero.
    private static let reserved: [LayoutPart] = [.field(.idm), .field(.reserved(2))]

    /// The layouts.
    static let options: [PacketLayout] = [
        PacketLayout(
            .requestBlockInformation, nodes,
            [
                .field(.idm), .count(.count("nodes"), symbol: "n"), .list([[.number("number of blocks")]]),
            ]),
        PacketLayout(
            .requestCodeList, [.field(.idm), .field(.area), .field(.number("packet index", "packet"))],
            [
                .field(.idm), .status(done: ""),
                .field(
                    .byte("continue flag", meaning: { $0 == 0 ? "the last packet" : "more packets follow" })),
                .count(.countOf("area", "areas"), symbol: "a"), .list([[.area, .endService]]),
                .count(.countOf("service", "services"), symbol: "s"), .list([[.listedService]]),
            ]),
        PacketLayout(
            .requestBlockInformationEx, nodes,
            [
                .field(.idm), .status(done: ""), .count(.count("nodes"), symbol: "n"),
                .list([[.number("assigned blocks", "assigned"), .number("free blocks", "free")]]),
            ]),
        PacketLayout(
            .setParameter,
            [
                .field(.idm), .field(.reserved(4)),
                .field(
                    .byte("encryption type", meaning: { $0 == SetParameter.EncryptionType.srm1 ? "SRM1" : "SRM2" })),
                .field(
                    .byte(
                        "packet type",
                        meaning: { $0 == SetParameter.PacketType.twoByteNodes ? "2-byte nodes" : "4-byte nodes" })),
                .field(.reserved(2)),
            ], [.field(.idm), .status(done: "set")]),
        PacketLayout(
            .getContainerIssueInformation, reserved,
            [
                .field(.idm), .field(FieldKind("format version and carrier", 5)),
                .field(FieldKind("phone model", 11, meaning: printable, words: printable)),
            ]),
        PacketLayout(
            .getAreaInformation, [.field(.idm), .field(.area)],
            [
                .field(.idm), .status(done: ""), .field(.area),
                .field(FieldKind("area information", 2, words: { Hex.text($0) })),
            ]),
        PacketLayout(
            .getNodeProperty,
            [.field(.idm), .field(propertyType), .count(.count("nodes"), symbol: "n"), .list([[.node]])],
            [
                .field(.idm), .status(done: ""), .count(.countOf("property", "properties"), symbol: "n"),
                .list([
                    [
                        FieldKind("purse limits", 10, meaning: { purseLimits($0) })
                    ],
                    [.byte("MAC communication", meaning: { $0 == 0 ? "not used" : "used" })],
                ]),
            ]),
        PacketLayout(.getContainerProperty, [.field(.number("index"))], [.field(.rest("property"))]),
        PacketLayout(
            .requestServiceV2, nodes,
            [
                .field(.idm), .status(done: ""), .field(encryption), .count(.count("nodes"), symbol: "n"),
                .list([[.keyVersion]]), .optional([.list([[.keyVersion]])]),
            ]),
        PacketLayout(
            .getSystemStatus, reserved,
            [
                .field(.idm), .status(done: ""), .field(.byte("flag")),
                .count(.count("bytes"), symbol: "n"), .countedBytes(.rest("status data")),
            ]),
        PacketLayout(
            .requestProductInformation, [.field(.idm)],
            [
                .field(.idm), .status(done: ""), .count(.count("bytes"), symbol: "n"),
                .countedBytes(.rest("product information")),
            ]),
        PacketLayout(
            .requestSpecificationVersion, reserved,
            [
                .field(.idm), .status(done: ""), .field(.byte("format")), .field(version("basic version")),
                .count(.count("options"), symbol: "k"), .list([[version("option version")]]),
            ]),
        PacketLayout(.resetMode, reserved, [.field(.idm), .status(done: "Mode0")]),
        PacketLayout(.getContainerID, [.field(.reserved(2))], [.field(.containerIDm)]),
    ]
}

private let propertyType = FieldKind.byte(
    "property type",
    meaning: { type in
        switch GetNodeProperty.PropertyType(type) {
        case .purseLimits: "limits of a purse"
        case .macCommunication: "MAC communication"
        default: "no known property"
        }
    },
    words: { $0 == 0 ? "purse limits of" : $0 == 1 ? "MAC communication of" : "type \($0) of" })

private let encryption = FieldKind.byte(
    "encryption identifier",
    meaning: { identifier in
        switch RequestServiceV2.EncryptionIdentifier(identifier) {
        case .des56: "DES with 56 bits"
        case .des112: "DES with 112 bits"
        case .aesAndDES56: "AES, and DES with 56 bits"
        case .aesAndDES112: "AES, and DES with 112 bits"
        case .aes128: "AES with 128 bits"
        default: "no known identifier"
        }
    }, words: { "keys \(Hex.digits($0, width: 2)):" })

private func version(_ name: String) -> FieldKind {
    .little(
        name, meaning: { $0 == 0 ? "none" : "version \(RequestSpecificationVersion.Version($0))" },
        words: { $0 == 0 ? "-" : "\(RequestSpecificationVersion.Version($0))" })
}

@Sendable private func printable(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
}

private func purseLimits(_ bytes: [UInt8]) -> String {
    guard bytes.count == PurseLimits.byteCount else { return "" }
    let slice = bytes[...]
    let limits = PurseLimits(slice.span, at: 0)
    return limits.isEnabled
        ? "\(limits.lower) to \(limits.upper), generation \(limits.generation)" : "no limits"
}

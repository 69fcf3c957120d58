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

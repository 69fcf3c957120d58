import TapCards
import TapDocument
import TapWire

/// The maps below `systems` and beside it.
enum FeliCaTables {
    /// What a service is, by its code.
    enum Kind: String, CaseIterable {
        case random, cyclic, purse
    }

    /// What a service lets a reader do, by its code.
    enum Access: String, CaseIterable {
        case readWrite = "read_write"
        case readOnly = "read_only"
        case cashbackDecrement = "cashback_decrement"
        case decrement
    }

    static let system = KeyTable(
        "a system",
        [
            Key("idm", .hex(8), "IDm of the system, by default that of the card with the number of the system."),
            Key("issue", .map(issue), "Issue ID and issue parameter, which only a session reveals."),
        ] + keyKeys + [
            Key(
                "areas",
                .map(of: CodeRule("an area code"), to: .variants([.code("an end service code"), .map(area)])),
                "Areas by code, each with its end; the root area is always there.", synonyms: ["area"]),
            Key(
                "services",
                .map(
                    of: CodeRule("a service code", known: KnownCodes.services),
                    to: .variants([blockCount, .list(of: .hex(16)), .map(service)])),
                "Services by code: the number of their blocks, the blocks, or a map.",
                synonyms: ["service", "service_code", "service_codes"]),
        ])

    static let area = KeyTable(
        "an area",
        [
            Key("end", .code("an end service code"), "The last service code of the area.")
        ] + keyKeys + [
            Key(
                "blocks", .integer(0...0xFFFF), "Blocks assigned to the area, by default as many as it takes.",
                synonyms: ["assigned_blocks"]),
            Key(
                "information", .code("two bytes"), "The two bytes of Get Area Information, the first on the wire high."),
        ])

    static let service = KeyTable(
        "a service",
        [
            Key("kind", .word(Kind.self), "What the code says as well: random, cyclic or purse."),
            Key("access", .word(Access.self), "What the code says as well: what a reader may do."),
            Key(
                "authentication", .boolean, "What the code says as well: whether a key is needed.",
                synonyms: ["auth", "encryption"]),
        ] + keyKeys + [
            Key("blocks", blockCount, "Number of blocks, zero where `data` ends.", synonyms: ["block_count", "count"]),
            Key(
                "data", .list(of: .hex(16), count: 1...FeliCaTemplate.maximumBlocks),
                "The blocks from block 0 on; services of the same number and kind share them, so one of them has them.",
                synonyms: ["content"]),
            Key("limits", .map(limits), "Limits of a purse."),
            Key("mac", .boolean, "Whether the service is used with MAC communication."),
        ])

    static let limits = KeyTable(
        "purse limits",
        [
            Key("lower", signed, "The lowest value."),
            Key("upper", signed, "The highest value."),
            Key("generation", .integer(0...255), "Counts changes of the limits."),
        ])

    static let issue = KeyTable(
        "an issue",
        [
            Key("id", .hex(8), "Issue ID, IDi.", synonyms: ["idi"]),
            Key("parameter", .hex(8), "Issue parameter, PMi.", synonyms: ["pmi"]),
        ])

    static let container = KeyTable(
        "a container",
        [
            Key("idm", .hex(8), "IDm of the container.", isRequired: true),
            Key("issue_information", .hex(16), "Format version, carrier and phone model."),
            Key("properties", .list(of: .hex(0...255)), "The properties by index from 0."),
        ])

    static let specification = KeyTable(
        "a specification version",
        [
            Key("format", .hex(1), "The format version."),
            Key("basic", .code("a version"), "The basic version, such as 8500 for 5.0.0."),
            Key("options", .list(of: .code("a version")), "The versions of options."),
        ])

    static let status = KeyTable(
        "a system status",
        [
            Key("flag", .hex(1), "The first byte of the report."),
            Key("data", .hex(0...255), "The status data."),
        ])

    /// Keys and their versions; systems, areas and services have them.
    private static let keyKeys = [
        Key("key", .hex(8, 16), "The DES key; 16 bytes for DES-112.", synonyms: ["des_key"]),
        Key(
            "key_version", .scalar(KeyVersionRule()), "Version of the DES key, 0000 by default, or `none`.",
            standard: "0000", synonyms: ["version", "des_key_version"]),
        Key("aes_key", .hex(16), "The AES key."),
        Key(
            "aes_key_version", .scalar(KeyVersionRule()), "Version of the AES key; there is none by default.",
            standard: "none"),
    ]

    private static let blockCount = Shape.integer(1...FeliCaTemplate.maximumBlocks)
    private static let signed = Shape.integer(Int(Int32.min)...Int(Int32.max))
}

import TapWire

/// The maps below `config`.
enum NTAGTables {
    /// The last page of the largest tag.
    static let highestPage = NTAGProduct.allCases.map(\.layout.pageCount).max().map { $0 - 1 } ?? 0

    /// What the password protects.
    enum Protection: String, CaseIterable {
        case write
        case readWrite = "read_write"
    }

    /// What the ASCII mirror shows.
    enum Mirror: String, CaseIterable {
        case none, uid, counter
        case uidAndCounter = "uid_counter"

        /// The value of MIRROR_CONF.
        var kind: NTAGConfiguration.MirrorKind {
            switch self {
            case .none: .none
            case .uid: .uid
            case .counter: .counter
            case .uidAndCounter: .uidAndCounter
            }
        }
    }

    static let configuration = KeyTable(
        "an NTAG configuration",
        [
            Key("pwd", .hex(4), "The password.", standard: "FF FF FF FF", synonyms: ["password"]),
            Key(
                "pwd_known", .boolean, "Whether the password is known; while it is not, PWD_AUTH is refused.",
                standard: "true"),
            Key(
                "pack", .hex(2), "What the tag answers to the right password.", standard: "00 00",
                synonyms: ["acknowledge"]),
            Key(
                "auth0", .integer(0...255), "The first page that needs the password; 255 for none.",
                standard: "255", synonyms: ["protected_from", "first_page"]),
            Key(
                "prot", .word(Protection.self), "What the password protects.",
                standard: "write", synonyms: ["readonly", "protection", "read_only"]),
            Key(
                "authlim", .integer(0...7), "How many wrong passwords lock the tag for ever; 0 for no limit.",
                standard: "0", synonyms: ["auth_limit", "attempts"]),
            Key(
                "auth_failures", .integer(0...255), "Wrong passwords since the last right one.", standard: "0",
                synonyms: ["failures"]),
            Key(
                "cfglck", .boolean, "Whether the configuration is final.", standard: "false",
                synonyms: ["config_lock", "locked"]),
            Key("strg_mod", .boolean, "Whether the tag modulates strongly.", synonyms: ["strg_mod_en"]),
            Key("counter", .map(counter), "The NFC counter.", synonyms: ["nfc_counter", "nfc_cnt"]),
            Key("mirror", .map(mirror), "The ASCII mirror."),
            Key("cfg0", .hex(4), "The page CFG0, which other keys change."),
            Key("cfg1", .hex(4), "The page CFG1, which other keys change."),
            Key("version", .hex(8), "The answer to GET_VERSION."),
            Key("signature", .hex(32), "The answer to READ_SIG."),
        ])

    static let counter = KeyTable(
        "an NFC counter",
        [
            Key(
                "enabled", .boolean, "Whether it counts and can be read.", standard: "false",
                synonyms: ["enable", "nfc_cnt_en"]),
            Key(
                "protected", .boolean, "Whether reading it needs the password.", standard: "false",
                synonyms: ["nfc_cnt_pwd_prot"]),
            Key("value", .integer(0...0xFF_FFFF), "Its value, 24 bits.", standard: "0", synonyms: ["count"]),
        ])

    static let mirror = KeyTable(
        "an ASCII mirror",
        [
            Key("kind", .word(Mirror.self), "What it shows.", synonyms: ["conf", "mirror_conf"]),
            Key("page", .integer(0...255), "The page it begins in; below 4 there is no mirror."),
            Key("byte", .integer(0...3), "The byte of that page."),
        ])
}

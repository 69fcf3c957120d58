import TapCards
import TapDocument
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

/// The presets of an NTAG in the words of files.
enum NTAGPresetName: String, CaseIterable {
    case blank, clone, amiibo
    case protected
    case writeProtected = "write_protected"
    case lockedForEver = "locked_for_ever"
    case foreignCapabilityContainer = "foreign_capability_container"
    case emptyCapabilityContainer = "empty_capability_container"
    case overlongTLV = "overlong_tlv"
    case unknownTLV = "unknown_tlv"
    case missingTerminator = "missing_terminator"

    /// The preset.
    var preset: NTAGPreset {
        switch self {
        case .blank: .genuineBlank
        case .clone: .fudanLikeClone
        case .amiibo: .amiiboStyle
        case .protected: .protected
        case .writeProtected: .writeProtected
        case .lockedForEver: .lockedForEver
        case .foreignCapabilityContainer: .foreignCapabilityContainer
        case .emptyCapabilityContainer: .emptyCapabilityContainer
        case .overlongTLV: .overlongTLV
        case .unknownTLV: .unknownTLV
        case .missingTerminator: .missingTerminator
        }
    }
}

extension CardDecoder {
    /// Makes an NTAG: a dump or as delivered, then the preset, then NDEF, then pages, then what names single bits.
    mutating func ntag(
        _ product: NTAGProduct, _ template: CardTemplate?, _ image: TagImage?
    ) -> CardDefinition? {
        guard var tag = ground(product, image) else { return nil }
        if let preset = map["preset"]?.word(as: NTAGPresetName.self) { tag = preset.preset.applied(to: tag) }
        if let container = map["capability_container"]?.bytes { tag.capabilityContainer = PageData(container) }
        addNDEF(to: &tag, template)
        addPages(to: &tag)
        if let locks = map["static_locks"]?.bytes {
            tag.staticLocks = StaticLockBits(rawValue: UInt16(locks[0]) | UInt16(locks[1]) << 8)
        }
        if let locks = map["dynamic_locks"]?.bytes {
            tag.dynamicLocks = DynamicLockBits(groups: UInt16(locks[0]) | UInt16(locks[1]) << 8, blockLocks: locks[2])
        }
        if let config = map["config"]?.map { configure(&tag, config) }
        if let image { checkPassword(of: tag, from: image) }
        set(&tag.quirks, of: .ntag)
        return .ntag(NTAGTemplate(tag))
    }

    /// The tag of a dump, with another UID where one is written, or one at delivery.
    private mutating func ground(_ product: NTAGProduct, _ image: TagImage?) -> NTAGDefinition? {
        guard let image else {
            return UID(map["uid"]?.bytes ?? drawnUID).flatMap { try? NTAGDefinition(product, uid: $0) }
        }
        guard var tag = tag(product, of: image) else { return nil }
        if let uid = map["uid"].flatMap({ UID($0.bytes) }) { try? tag.setUID(uid) }
        return tag
    }

    /// `04` for NXP and six bytes of chance; the fourth is no cascade tag, as ISO/IEC 14443-3 asks.
    private var drawnUID: [UInt8] {
        var random = random.fork("uid")
        var bytes = [0x04] + random.next().octets.prefix(6)
        if bytes[3] == UID.cascadeTag { bytes[3] = 0x08 }
        return bytes
    }

    private mutating func addPages(to tag: inout NTAGDefinition) {
        var written: [Int: ValueReader] = [:]
        let last = tag.product.layout.pageCount - 1
        for (name, value) in map["pages"]?.named ?? [] {
            let pages = value.kind == .list ? value.items : [value]
            for (offset, page) in pages.enumerated() {
                let number = name.read(IntegerRule.self) + offset
                guard number <= last else {
                    report(
                        .outOfRange, "page \(number) is behind the end of the tag", at: page.node,
                        hint: "the last page of \(tag.product.rawValue) is \(last)")
                    break
                }
                if let first = written[number] {
                    report(
                        .contradiction, "page \(number) is written twice", at: page.node,
                        hint: "it is among those from page \(first.text) on")
                }
                written[number] = name
                tag[page: number] = PageData(page.bytes)
            }
        }
    }

    private func configure(_ tag: inout NTAGDefinition, _ config: MapReader) {
        if let page = config["cfg0"]?.bytes { tag.configuration.cfg0 = PageData(page) }
        if let page = config["cfg1"]?.bytes { tag.configuration.cfg1 = PageData(page) }
        if let password = config["pwd"]?.bytes { tag.password = PageData(password) }
        if let isKnown = config["pwd_known"]?.boolean { tag.isPasswordKnown = isKnown }
        if let pack = config["pack"]?.bytes { tag.pack = UInt16(pack[0]) << 8 | UInt16(pack[1]) }
        if let page = config["auth0"]?.integer { tag.configuration.auth0 = UInt8(clamping: page) }
        if let protection = config["prot"]?.word(as: NTAGTables.Protection.self) {
            tag.configuration.access.prot = protection == .readWrite
        }
        if let limit = config["authlim"]?.integer { tag.configuration.access.authlim = UInt8(clamping: limit) }
        if let count = config["auth_failures"]?.integer { tag.failedAuthentications = UInt8(clamping: count) }
        if let lock = config["cfglck"]?.boolean { tag.configuration.access.cfglck = lock }
        if let isStrong = config["strg_mod"]?.boolean { tag.configuration.isModulationStrong = isStrong }
        if let version = config["version"]?.bytes { tag.version = GetVersion.Response(UInt64(octets: version)) }
        if let bytes = config["signature"]?.bytes, let signature = try? OriginalitySignature(parsing: bytes) {
            tag.signature = signature
        }
        if let counter = config["counter"]?.map {
            if let isEnabled = counter["enabled"]?.boolean { tag.configuration.access.isCounterEnabled = isEnabled }
            if let isProtected = counter["protected"]?.boolean {
                tag.configuration.access.isCounterProtected = isProtected
            }
            if let value = counter["value"]?.integer { tag.counter = UInt32(clamping: value) }
        }
        if let mirror = config["mirror"]?.map {
            if let kind = mirror["kind"]?.word(as: NTAGTables.Mirror.self) { tag.configuration.mirrorKind = kind.kind }
            if let page = mirror["page"]?.integer { tag.configuration.mirrorPage = UInt8(clamping: page) }
            if let byte = mirror["byte"]?.integer { tag.configuration.mirrorByte = UInt8(clamping: byte) }
        }
    }
}

// An NTAG as a map of the card language: the pages that are not as at delivery, and what lies outside the memory.

extension Node {
    /// The map of a tag.
    static func of(_ tag: NTAGDefinition) -> Node {
        let pages = pages(of: tag)
        let configuration: [(key: String, value: Node?)] = [
            (key: "pwd_known", value: tag.isPasswordKnown ? nil : .boolean(false)),
            (key: "counter", value: tag.counter == 0 ? nil : ["value": .number(tag.counter)]),
            (key: "auth_failures", value: tag.failedAuthentications == 0 ? nil : .number(tag.failedAuthentications)),
            (key: "version", value: tag.version == tag.product.version ? nil : .hex(tag.version.bytes)),
            (key: "signature", value: .hex(tag.signature.bytes)),
        ]
        return .map([
            "ic": .text(tag.product.rawValue),
            "uid": .hex(tag.uid.bytes),
            "pages": pages.isEmpty ? nil : .map(pages),
            "config": .map(configuration.compactMap { entry in entry.value.map { (key: entry.key, value: $0) } }),
            "quirks": quirks(of: tag.quirks),
        ])
    }

    /// Neighbouring pages that differ from a tag at delivery, by their first number.
    private static func pages(of tag: NTAGDefinition) -> [(key: String, value: Node)] {
        guard let usual = try? NTAGDefinition(tag.product, uid: tag.uid) else { return [] }
        var runs: [(first: Int, pages: [Node])] = []
        for page in 0..<tag.product.layout.pageCount where tag[page: page] != usual[page: page] {
            if let last = runs.last, last.first + last.pages.count == page {
                runs[runs.count - 1].pages.append(.hex(tag[page: page].bytes))
            } else {
                runs.append((page, [.hex(tag[page: page].bytes)]))
            }
        }
        return runs.map { run in
            (key: "\(run.first)", value: run.pages.count == 1 ? run.pages[0] : .list(run.pages))
        }
    }

    private static func quirks(of quirks: NTAGQuirks) -> Node? {
        let switches = NTAGQuirks.switches.filter { $0.value(in: quirks) != $0.defaultValue }
        guard !switches.isEmpty else { return nil }
        return .map(switches.map { (key: $0.name, value: .text($0.value(in: quirks))) })
    }
}

extension Node {
    /// Bytes as hexadecimal text, a blank between any two.
    static func hex(_ bytes: some Collection<UInt8>) -> Node { .text(Hex.text(bytes, separator: " ")) }

    /// A 16-bit code as four hexadecimal digits.
    static func code(_ code: UInt16) -> Node { .text(Hex.digits(code, width: 4)) }
}

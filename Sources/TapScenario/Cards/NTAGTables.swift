import TapCards
import TapDocument
import TapImages
import TapWire

/// The maps under `config`.
enum NTAGTables {
    /// The last page of the largest tag.
    static let highestPage = NTAGProduct.allCases.map(\.layout.pageCount).max().map { $0 - 1 } ?? 0

    static let configuration = FieldTable(
        "an NTAG configuration", delivered,
        [
            inPages("pwd", \.password, .page, "The password.", synonyms: ["password"]),
            .init(
                isPasswordKnown, \.isPasswordKnown, .boolean,
                "Set to `false` if the password is unknown, so that PWD_AUTH always fails.",
                isWritten: { !$0.isPasswordKnown }),
            inPages(
                "pack", \.pack, .uint16, "The answer to the right password.", synonyms: ["acknowledge"]),
            inPages(
                "auth0", \.configuration.auth0, .integer(0...255),
                "The first page that requires the password; 255 for none.", synonyms: ["protected_from", "first_page"]),
            inPages(
                "prot", \.configuration.access.prot, .words(["write": false, "read_write": true]),
                "The access that the password protects.", synonyms: ["readonly", "protection", "read_only"]),
            inPages(
                "authlim", \.configuration.access.authlim, .integer(0...7),
                "The number of wrong passwords that lock the tag permanently; 0 for no limit.",
                synonyms: ["auth_limit", "attempts"]),
            .init(
                "auth_failures", \.failedAuthentications, .integer(0...255),
                "The number of wrong passwords since the last right one.", synonyms: ["failures"],
                isWritten: { $0.failedAuthentications != 0 }),
            inPages(
                "cfglck", \.configuration.access.cfglck, .boolean, "Lock the configuration permanently.",
                synonyms: ["config_lock", "locked"]),
            inPages(
                "strg_mod", \.configuration.isModulationStrong, .boolean, "Use strong modulation.",
                hasDefault: false, synonyms: ["strg_mod_en"]),
            .init(
                "counter", \.self, counter, "The NFC counter.", synonyms: ["nfc_counter", "nfc_cnt"],
                isWritten: { $0.counter != 0 }),
            .init("mirror", \.self, mirror, "The ASCII mirror.", isWritten: { _ in false }),
            inPages(
                "cfg0", \.configuration.cfg0, .page, "The page CFG0; other keys change parts of it.", hasDefault: false
            )
            .readFirst,
            inPages(
                "cfg1", \.configuration.cfg1, .page, "The page CFG1; other keys change parts of it.", hasDefault: false
            )
            .readFirst,
            .init(
                "version", \.version,
                FieldForm.hex(8...8).converted({ GetVersion.Response(UInt64(octets: $0)) }, back: \.bytes),
                "The answer to GET_VERSION.", hasDefault: false, isWritten: { $0.version != $0.product.version }),
            .init(
                "signature", \.signature,
                FieldForm.hex(32...32).converted(
                    { (try? OriginalitySignature(parsing: $0)) ?? .zero }, back: { Array($0.bytes) }),
                "The answer to READ_SIG.", hasDefault: false),
        ])

    static let isPasswordKnown = "pwd_known"

    static let counter = FieldTable(
        "an NFC counter", delivered,
        [
            inPages(
                "enabled", \.configuration.access.isCounterEnabled, .boolean, "Enable counting and reading.",
                synonyms: ["enable", "nfc_cnt_en"]),
            inPages(
                "protected", \.configuration.access.isCounterProtected, .boolean,
                "Require the password for reading.", synonyms: ["nfc_cnt_pwd_prot"]),
            .init("value", \.counter, .integer(0...0xFF_FFFF), "The value, 24 bits.", synonyms: ["count"]),
        ])

    static let mirror = FieldTable(
        "an ASCII mirror", delivered,
        [
            inPages(
                "kind", \.configuration.mirrorKind,
                .words(["none": .none, "uid": .uid, "counter": .counter, "uid_counter": .uidAndCounter]),
                "The mirrored value.", hasDefault: false, synonyms: ["conf", "mirror_conf"]),
            inPages(
                "page", \.configuration.mirrorPage, .integer(0...255),
                "The page in which the mirror starts; below 4 there is no mirror.", hasDefault: false),
            inPages(
                "byte", \.configuration.mirrorByte, .integer(0...3), "The first byte within that page.",
                hasDefault: false),
        ])

    /// A tag without any of these keys.
    private static let delivered: NTAGDefinition = {
        guard let uid = UID(NTAGDefinition.sampleUID), let tag = try? NTAGDefinition(.ntag215, uid: uid) else {
            preconditionFailure("the UID of the sample tags has seven bytes")
        }
        return tag
    }()

    /// A field that is stored in the memory and therefore written among the pages.
    private static func inPages<Value>(
        _ name: String, _ property: any WritableKeyPath<NTAGDefinition, Value> & Sendable, _ form: FieldForm<Value>,
        _ summary: String, hasDefault: Bool = true, synonyms: [String] = []
    ) -> TapDocument.Field<NTAGDefinition> {
        .init(name, property, form, summary, hasDefault: hasDefault, synonyms: synonyms, isWritten: { _ in false })
    }
}

extension FieldForm where Value == NTAGPreset {
    static let ntagPreset = words([
        "blank": .genuineBlank, "clone": .fudanLikeClone, "amiibo": .amiiboStyle, "protected": .protected,
        "write_protected": .writeProtected, "locked_for_ever": .lockedForEver,
        "foreign_capability_container": .foreignCapabilityContainer,
        "empty_capability_container": .emptyCapabilityContainer, "overlong_tlv": .overlongTLV,
        "unknown_tlv": .unknownTLV, "missing_terminator": .missingTerminator,
    ])
}

extension CardDecoder {
    /// Builds an NTAG in this order: a dump or a tag as delivered, the preset, NDEF, pages, keys for single bits.
    mutating func ntag(
        _ product: NTAGProduct, _ template: CardTemplate?, _ image: CardImage?
    ) -> CardDefinition? {
        guard var tag = ground(product, image) else { return nil }
        if let preset = map[CardLanguage.preset] { tag = preset.applied(to: tag) }
        if let container = map[CardLanguage.capabilityContainer] { tag.capabilityContainer = PageData(container) }
        addNDEF(to: &tag, template)
        addPages(to: &tag)
        if let locks = map[CardLanguage.staticLocks] {
            tag.staticLocks = StaticLockBits(rawValue: UInt16(locks[0]) | UInt16(locks[1]) << 8)
        }
        if let locks = map[CardLanguage.dynamicLocks] {
            tag.dynamicLocks = DynamicLockBits(groups: UInt16(locks[0]) | UInt16(locks[1]) << 8, blockLocks: locks[2])
        }
        if let config = map[CardLanguage.config] { NTAGTables.configuration.read(config.map, into: &tag) }
        if let image {
            let isStated = tag.isPasswordKnown || map[CardLanguage.config]?.map[NTAGTables.isPasswordKnown] != nil
            reportUnread(of: image, CatalogueIC(product: .ntag(product)), isSecretTold: isStated)
        }
        set(&tag.quirks, &tag.assumptions, of: .ntag)
        checkUID()
        return .ntag(NTAGTemplate(tag))
    }

    /// Reports a UID that ISO/IEC 14443-3, "UID contents and cascade levels", forbids.
    private mutating func checkUID() {
        guard let uid = map[CardLanguage.uid], uid[3] == UID.cascadeTag else { return }
        report(
            .impossibleCard, "the fourth byte of the UID is 88, so a reader takes it for the cascade tag",
            at: value(CardLanguage.uid.name), hint: "use any other fourth byte; ISO/IEC 14443-3 reserves 88")
    }

    /// The tag of a dump, with another UID if the file sets it, or a tag as delivered.
    private mutating func ground(_ product: NTAGProduct, _ image: CardImage?) -> NTAGDefinition? {
        guard case .tag(let image)? = image?.content else {
            return UID(map[CardLanguage.uid] ?? drawnUID).flatMap { try? NTAGDefinition(product, uid: $0) }
        }
        guard var tag = made({ () throws(ImageProblem) in try image.tag(product) }) else { return nil }
        if let uid = map[CardLanguage.uid].flatMap({ UID($0) }) { try? tag.setUID(uid) }
        return tag
    }

    /// A UID that starts with `04` for NXP, or with `1D` as on clones, followed by six random bytes.
    ///
    /// The fourth byte is not the cascade tag, as ISO/IEC 14443-3 requires.
    private var drawnUID: [UInt8] {
        var random = random.fork("uid")
        var bytes = [map[CardLanguage.preset] == .fudanLikeClone ? 0x1D : 0x04] + random.next().octets.prefix(6)
        if bytes[3] == UID.cascadeTag { bytes[3] = 0x08 }
        return bytes
    }

    private mutating func addPages(to tag: inout NTAGDefinition) {
        let last = tag.product.layout.pageCount - 1
        var runs = NumberedRuns(
            noun: "page", end: "the end of the tag", hint: "the last page of \(tag.product.rawValue) is \(last)")
        for (name, value) in map[CardLanguage.pages]?.named ?? [] {
            let first = name.read(IntegerRule.self)
            for (number, page) in place(value.itemsOrSelf, name, from: first, to: last, in: &runs) {
                tag[page: number] = PageData(page)
            }
        }
    }
}

// Converts an NTAG to a map of the card language: the pages that differ from delivery, and values outside the memory.

extension Node {
    static func of(_ tag: NTAGDefinition) -> Node {
        let pages = pages(of: tag)
        let standard = (NTAGQuirks(), CardAssumptions(unknown: NTAGQuirks.unpublished))
        return .map(
            [
                (CardLanguage.ic.name, .text(tag.product.rawValue)), CardLanguage.uid.entry(tag.uid.bytes),
                pages.isEmpty ? nil : (CardLanguage.pages.name, .map(pages)),
                (CardLanguage.config.name, NTAGTables.configuration.node(tag)),
                quirks(tag.quirks, tag.assumptions, unlike: standard),
            ].compactMap(\.self))
    }

    /// Runs of consecutive pages that differ from delivery, by their first number.
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
}

extension Node {
    /// Bytes as hexadecimal text, separated by blanks.
    static func hex(_ bytes: some Collection<UInt8>) -> Node { .text(Hex.text(bytes, separator: " ")) }
}

extension FieldForm where Value == PageData {
    static let page = FieldForm<[UInt8]>.hex(4...4).converted({ PageData($0) }, back: { Array($0.bytes) })
}

extension FieldForm where Value == UInt16 {
    /// Two bytes as a big-endian integer.
    static let uint16 = FieldForm<[UInt8]>.hex(2...2).converted(
        { UInt16($0[0]) << 8 | UInt16($0[1]) }, back: { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] })
}

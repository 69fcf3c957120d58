import TapWire

/// The meaning of a block's data, if its service is known.
package struct BlockMeaning {
    package let name: String
    package private(set) var details: [FrameDescription.Detail]

    init(_ name: String, _ details: KeyValuePairs<String, String>) {
        self.name = name
        self.details = details.map { FrameDescription.Detail(name: $0.key, meaning: $0.value) }
    }

    /// Returns the fields of a record in words.
    static func of<Record: BlockRecord>(_ record: Record, _ name: String = Record.name) -> BlockMeaning
    where Record.Fields: RecordFields {
        of(record.stored, name, Record.fields.listed)
    }

    private static func of(_ stored: some BlockStorage, _ name: String, _ fields: [any RecordField]) -> BlockMeaning {
        var meaning = BlockMeaning(name, [:])
        meaning.details = fields.map { FrameDescription.Detail(name: $0.name, meaning: $0.text(in: stored)) }
        return meaning
    }

    private static func of(_ stored: some BlockStorage, _ layout: RecordLayout) -> BlockMeaning {
        if layout.isLog, stored == .zero { return BlockMeaning("\(layout.name), never written", [:]) }
        return of(stored, layout.title + (layout.blockCount > 1 ? ", with the block before it" : ""), layout.fields)
    }

    /// Returns the meaning of a block of a service.
    package static func of(
        _ data: BlockData, in service: NodeCode, number: UInt16, after first: BlockData?
    ) -> BlockMeaning? {
        of(data, at: NamedBlock(BlockListElement(blockNumber: number), service: service), after: first)
    }

    /// Returns the meaning of a block, combined with the preceding one if they form one record; `nil` if its service is
    /// unknown.
    static func of(_ data: BlockData, at place: NamedBlock, after first: BlockData?) -> BlockMeaning? {
        guard let service = place.service else { return nil }
        if service == Type3Services.read || service == Type3Services.write { return type3(data, number: place.number) }
        guard let layout = RecordLayout.of(service, block: place.number) else { return nil }
        return layout.blockCount > 1 ? first.map { of(BlockPair($0, data), layout) } : of(data, layout)
    }
}

extension BlockMeaning {
    private static func type3(_ data: BlockData, number: UInt16) -> BlockMeaning? {
        guard number == 0 else { return lite(data, LiteBlock(number)) }
        let block = AttributeInformationBlock(data)
        guard block.hasValidChecksum else {
            return BlockMeaning(
                "block 0; its checksum is wrong for an attribute information block",
                [
                    "checksum": Hex.digits(block.checksum, width: 4),
                    "expected": Hex.digits(block.expectedChecksum, width: 4),
                ])
        }
        var meaning = of(block)
        meaning.details.append(FrameDescription.Detail(name: "checksum", meaning: "right"))
        return meaning
    }
}

/// The meaning of a page of an NTAG21x, by its address.
///
/// Pages 00 to 03 are the same on all three products. A configuration page of one product is user memory, or absent, on the
/// others, so its text names the product.
package struct PageMeaning {
    /// The page in words; empty for user memory.
    package let text: String
    package private(set) var details: [FrameDescription.Detail]

    private init(_ text: String, _ details: KeyValuePairs<String, String> = [:]) {
        self.text = text
        self.details = details.map { FrameDescription.Detail(name: $0.key, meaning: $0.value) }
    }

    package init(_ data: PageData, at address: UInt8, on products: [NTAGProduct] = NTAGProduct.allCases) {
        switch address {
        case 0x00: self = Self.firstPage(data)
        case 0x01: self.init("UID3 to UID6")
        case 0x02: self = Self.lockPage(data)
        case 0x03: self = Self.capabilityContainer(data)
        case 0x04: self = Self.firstUserPage(data)
        default: self = Self.configuration(data, at: Int(address), on: products) ?? Self("user memory")
        }
    }

    private static func firstPage(_ data: PageData) -> PageMeaning {
        let bcc = CascadePart.bcc(
            of: UInt32(UID.cascadeTag) | UInt32(data[0]) << 8 | UInt32(data[1]) << 16 | UInt32(data[2]) << 24)
        let verdict = bcc == data[3] ? "right" : "wrong, it should be \(Hex.digits(bcc, width: 2))"
        let maker = data[0] == 0x04 ? "NXP" : "maker \(Hex.digits(data[0], width: 2))"
        return PageMeaning("UID0 to UID2 and BCC0", ["UID0": maker, "BCC0": verdict])
    }

    private static func lockPage(_ data: PageData) -> PageMeaning {
        let locks = UInt16(data[2]) | UInt16(data[3]) << 8
        func isSet(_ bit: Int) -> Bool { locks >> bit & 1 == 1 }
        let pages = (3..<16).filter(isSet).map { Hex.digits($0, width: 2) }
        let parts = ["page 03", "pages 04 to 09", "pages 0A to 0F"]
        let frozen = parts.indices.filter(isSet).map { parts[$0] }
        return PageMeaning(
            "BCC1, internal, static lock bytes",
            [
                "BCC1": Hex.digits(data[0], width: 2), "internal": Hex.digits(data[1], width: 2),
                "locked pages": pages.isEmpty ? "none" : pages.joined(separator: " "),
                "locks frozen": frozen.isEmpty ? "none" : frozen.joined(separator: ", "),
            ])
    }

    private static func capabilityContainer(_ data: PageData) -> PageMeaning {
        guard let container = try? CapabilityContainer(parsing: data.bytes), container.announcesNDEF else {
            return PageMeaning("capability container; it announces no NDEF")
        }
        return PageMeaning(
            "capability container",
            [
                "NDEF": "version \(container.version)", "data area": "\(container.dataAreaSize) bytes",
                "read": access(container.readAccess), "write": access(container.writeAccess),
            ])
    }

    private static func access(_ access: CapabilityContainer.Access) -> String {
        switch access {
        case .free: "without a password"
        case .password: "with a password"
        case .none: "never"
        default: "proprietary \(Hex.digits(access.rawValue, width: 1))"
        }
    }

    private static func firstUserPage(_ data: PageData) -> PageMeaning {
        let first =
            switch data[0] {
            case 0x01: ", begins with a Lock Control TLV"
            case 0x03: ", begins with an NDEF message TLV"
            case 0xFE: ", begins with a Terminator TLV"
            default: ""
            }
        return PageMeaning("user memory\(first)")
    }
}

extension PageMeaning {
    /// Returns the meaning of a page that configures one of the products.
    private static func configuration(
        _ data: PageData, at address: Int, on products: [NTAGProduct]
    ) -> PageMeaning? {
        for product in products {
            let layout = product.layout
            let on = "on \(product.rawValue): "
            switch address {
            case layout.dynamicLockPage:
                return PageMeaning("\(on)dynamic lock bytes", ["locks": Hex.text(data.bytes.prefix(3))])
            case layout.cfg0Page: return cfg0(NTAGConfiguration(cfg0: data, cfg1: .zero), on)
            case layout.cfg1Page: return cfg1(NTAGConfiguration(cfg0: .zero, cfg1: data).access, on)
            case layout.passwordPage: return PageMeaning("\(on)PWD, always read as zero")
            case layout.packPage: return PageMeaning("\(on)PACK, always read as zero")
            default: continue
            }
        }
        return nil
    }

    private static func cfg0(_ configuration: NTAGConfiguration, _ on: String) -> PageMeaning {
        let mirror =
            switch configuration.mirrorKind {
            case .none: "none"
            case .uid: "UID"
            case .counter: "NFC counter"
            case .uidAndCounter: "UID and NFC counter"
            }
        return PageMeaning(
            "\(on)CFG0",
            [
                "MIRROR_CONF": mirror, "MIRROR_BYTE": "\(configuration.mirrorByte)",
                "MIRROR_PAGE": Hex.digits(configuration.mirrorPage, width: 2),
                "AUTH0": "page \(Hex.digits(configuration.auth0, width: 2)) is the first that needs the password",
            ])
    }

    private static func cfg1(_ access: NTAGAccess, _ on: String) -> PageMeaning {
        PageMeaning(
            "\(on)CFG1",
            [
                "PROT": access.prot ? "the password is needed to read and to write" : "the password is needed to write",
                "CFGLCK": access.cfglck ? "configuration locked forever" : "configuration open",
                "NFC_CNT_EN": access.isCounterEnabled ? "counter on" : "counter off",
                "NFC_CNT_PWD_PROT": access.isCounterProtected ? "counter needs the password" : "counter free",
                "AUTHLIM": access.authlim == 0 ? "no limit" : "\(access.authlim) wrong passwords",
            ])
    }
}

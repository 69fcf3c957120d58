import TapCards
import TapWire

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

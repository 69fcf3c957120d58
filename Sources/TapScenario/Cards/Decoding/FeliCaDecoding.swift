import TapCards
import TapWire

extension CardDecoder {
    /// Makes a FeliCa card.
    mutating func felica(_ ic: FeliCaIC, _ template: CardTemplate?) -> CardDefinition? {
        let idm = map["idm"].map { IDm(UInt64(octets: $0.bytes)) } ?? drawnIDm
        let pmm = map["pmm"].map { PMm(UInt64(octets: $0.bytes)) } ?? ic.pmm.value ?? PMm(0xFFFF_FFFF_FFFF_FFFF)
        var card = FeliCaCardDefinition(idm: idm, pmm: pmm, profile: ic.profile, systems: [])
        card.systems = systems(of: template)
        addSystems(to: &card)
        addReports(to: &card)
        set(&card.profile, of: .felica)
        guard isClean else { return nil }
        do {
            return .felica(try FeliCaTemplate(card), ic: ic.name)
        } catch {
            reportAll(error, in: card)
            return nil
        }
    }

    /// `01 12` as on cards of a common kind, and six bytes of chance.
    private var drawnIDm: IDm {
        var random = random.fork("idm")
        return IDm(0x0112 << 48 | random.next() >> 16)
    }

    private mutating func addReports(to card: inout FeliCaCardDefinition) {
        if let container = map["container"]?.map {
            var made = FeliCaContainer(idm: IDm(UInt64(octets: container.required("idm").bytes)))
            if let bytes = container["issue_information"]?.bytes { made.issueInformation = BlockData(bytes) }
            if let properties = container["properties"]?.items { made.properties = properties.map(\.bytes) }
            card.container = made
        }
        if let data = map["product_information"]?.bytes { card.productInformation.data = data }
        if let versions = map["specification_version"]?.map {
            if let format = versions["format"]?.bytes.first { card.specificationVersion.format = format }
            if let basic = versions["basic"]?.code { card.specificationVersion.basic = .init(basic) }
            if let options = versions["options"]?.items {
                card.specificationVersion.options = options.map { .init($0.code) }
            }
        }
        if let status = map["system_status"]?.map {
            if let flag = status["flag"]?.bytes.first { card.systemStatus.flag = flag }
            if let data = status["data"]?.bytes { card.systemStatus.data = data }
        }
        card.rewriteLimit = map["rewrite_limit"].map { UInt32(clamping: $0.integer) }
    }
}

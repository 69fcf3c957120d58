import TapCards
import TapDocument
import TapWire

/// A scan exported by felica-tool: the contents of a card, system by system.
///
/// Node codes are in wire order, low byte first. System codes and key versions are written high byte first. An export for
/// sharing replaces bytes with XX; masked values count as not read.
///
/// Source: ExportUtils.kt of kormax's felica-tool.
struct FelicaToolScan {
    private let root: Node

    init(_ root: Node) {
        self.root = root
    }

    /// Returns whether the JSON is a scan; only scans have systems by code.
    static func isScan(_ root: Node) -> Bool { root["systems"]?.kind == .map }

    func image() throws(ImageProblem) -> CardImage {
        let pmm = try required("pmm", 8)
        var image = FeliCaImage(idm: IDm(try required("primary_idm", 8)), pmm: PMm(pmm))
        for entry in root["systems"]?.entries ?? [] {
            let code = try JSONDump.bytes(.scalar(entry.key), "a system", count: 2)
            image.systems.append(try system(SystemCode(UInt16(octets: code)), entry.value))
        }
        if let node = root["product_information"] {
            image.productInformation = try? JSONDump.bytes(node, "product_information")
        }
        if root["specification_version"] != nil {
            image.conclusions.append(
                ImageNote(
                    .notHeld, "a scan contains the digits of the specification version, not its bytes",
                    hint: "the card reports 5.0.0; write `specification_version`"))
        }
        if let node = root["container_idm"] {
            image.container = FeliCaContainer(
                idm: IDm(UInt64(octets: try JSONDump.bytes(node, "container_idm", count: 8))))
        }
        if let lite = image.lite { return CardImage(.lite(lite), .felicaTool) }
        guard !image.systems.isEmpty else {
            throw JSONDump.problem("the scan has no system", at: root, hint: "scan the card again")
        }
        return CardImage(.felica(image), .felicaTool)
    }

    private func required(_ key: String, _ count: Int) throws(ImageProblem) -> UInt64 {
        guard let node = root[key] else {
            throw JSONDump.problem("`\(key)` is missing", at: root, hint: "scan the card again")
        }
        guard !JSONDump.isMasked(node) else {
            throw JSONDump.problem(
                "`\(key)` is masked", at: node, hint: "export the scan without masking, or fill it in")
        }
        return UInt64(octets: try JSONDump.bytes(node, key, count: count))
    }

    private func system(_ code: SystemCode, _ node: Node) throws(ImageProblem) -> FeliCaImage.System {
        var system = FeliCaImage.System(code: code)
        if let idm = node["idm"], !JSONDump.isMasked(idm) {
            system.idm = IDm(UInt64(octets: try JSONDump.bytes(idm, "idm", count: 8)))
        }
        system.versions = try versions(of: node)
        for node in node["nodes"]?.items ?? [] {
            guard let value = node["code"] else {
                throw JSONDump.problem("`code` is missing", at: node, hint: "scan the card again")
            }
            switch node["type"]?.text {
            case "area":
                let codes = try JSONDump.bytes(value, "code", count: 4)
                let code = NodeCode(UInt16(octets: codes.prefix(2).reversed()))
                let end = NodeCode(UInt16(octets: codes.suffix(2).reversed()) | 0x3F)
                let area = FeliCaImage.Area(code: code, end: end, versions: try versions(of: node))
                system.areas.append(try JSONDump.area(area, node))
            case "service": system.services.append(try service(node, value))
            default:
                throw JSONDump.problem(
                    "the node is neither an area nor a service", at: node, hint: "correct its `type`")
            }
        }
        return system
    }

    private func service(_ node: Node, _ code: Node) throws(ImageProblem) -> FeliCaImage.Service {
        let codes = try JSONDump.bytes(code, "code", count: 2)
        var service = FeliCaImage.Service(
            NodeCode(UInt16(octets: codes.reversed())), versions: try versions(of: node))
        service.blocks = try JSONDump.blocks(node["data"])
        service.blockCount = node["blocks_total"]?.text.flatMap { Int($0) }.flatMap {
            0...FeliCaImage.maximumBlocks ~= $0 ? $0 : nil
        }
        service.hasMACCommunication = node["properties"]?["mac"]?.text == "true"
        if let limits = node["properties"]?["value_limited_purse_service"], limits["enabled"]?.text == "true" {
            func number(_ key: String) -> Int? { limits[key]?.text.flatMap { Int($0) } }
            service.limits = PurseLimits(
                lower: Int32(clamping: number("lower_limit") ?? 0),
                upper: Int32(clamping: number("upper_limit") ?? Int(Int32.max)),
                generation: UInt8(clamping: number("generation_number") ?? 0))
        }
        return service
    }

    private func versions(of node: Node) throws(ImageProblem) -> FeliCaImage.KeyVersions? {
        func version(_ key: String) throws(ImageProblem) -> UInt16? {
            guard let value = node[key], value != .null else { return nil }
            return UInt16(octets: try JSONDump.bytes(value, key, count: 2))
        }
        let versions = FeliCaImage.KeyVersions(des: try version("des_key_version"), aes: try version("aes_key_version"))
        return versions.des == nil && versions.aes == nil ? nil : versions
    }
}

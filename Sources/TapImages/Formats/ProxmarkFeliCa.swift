import TapCards
import TapDocument
import TapWire

/// A FeliCa card as written by Proxmark3's `hf felica dump`: systems with their nodes and the blocks that were read.
///
/// Codes are written high byte first; key versions are in wire order, low byte first. If the version of its key is known, the
/// system itself is a node with code FFFF.
///
/// Source: client/src/cmdhffelica.c of RfidResearchGroup's Proxmark3.
struct ProxmarkFeliCa {
    private let root: Node

    init(_ root: Node) {
        self.root = root
    }

    func image() throws(ImageProblem) -> CardImage {
        let systems = root["systems"]?.items ?? []
        guard let first = systems.first else {
            throw JSONDump.problem("the dump has no system", at: root["systems"] ?? root, hint: "read the card again")
        }
        var image = FeliCaImage(
            idm: IDm(UInt64(octets: try bytes("idm", 8, of: first))),
            pmm: PMm(UInt64(octets: try bytes("pmm", 8, of: first))))
        for node in systems { image.systems.append(try system(node)) }
        try readReports(into: &image)
        if let lite = image.lite { return CardImage(.lite(lite), .proxmarkJSON) }
        return CardImage(.felica(image), .proxmarkJSON)
    }

    private func bytes(_ key: String, _ count: Int, of node: Node) throws(ImageProblem) -> [UInt8] {
        guard let value = node[key] else {
            throw JSONDump.problem("`\(key)` is missing", at: node, hint: "read the card again")
        }
        return try JSONDump.bytes(value, key, count: count)
    }

    private func system(_ node: Node) throws(ImageProblem) -> FeliCaImage.System {
        var system = FeliCaImage.System(code: SystemCode(UInt16(octets: try bytes("code", 2, of: node))))
        system.idm = IDm(UInt64(octets: try bytes("idm", 8, of: node)))
        for node in node["nodes"]?.items ?? [] {
            let versions = try versions(of: node)
            switch node["type"]?.text {
            case "system": system.versions = versions
            case "area":
                let isShort = node["code"]?.text?.count == 4
                let codes = try bytes("code", isShort ? 2 : 4, of: node)
                let code = NodeCode(UInt16(octets: codes.prefix(2)))
                let end = isShort ? .lastService : NodeCode(UInt16(octets: codes.suffix(2)))
                system.areas.append(try JSONDump.area(FeliCaImage.Area(code: code, end: end, versions: versions), node))
            case "service":
                let code = NodeCode(UInt16(octets: try bytes("code", 2, of: node)))
                var service = FeliCaImage.Service(code, versions: versions)
                service.blocks = try JSONDump.blocks(node["data"])
                system.services.append(service)
            default:
                throw JSONDump.problem(
                    "the node is not a system, an area or a service", at: node, hint: "correct its `type`")
            }
        }
        return system
    }

    private func versions(of node: Node) throws(ImageProblem) -> FeliCaImage.KeyVersions? {
        func version(_ key: String) throws(ImageProblem) -> UInt16? {
            guard let value = node[key], value != .null else { return nil }
            return UInt16(octets: try JSONDump.bytes(value, key, count: 2).reversed())
        }
        let versions = FeliCaImage.KeyVersions(des: try version("des_key_version"), aes: try version("aes_key_version"))
        return versions.des == nil && versions.aes == nil ? nil : versions
    }

    private func readReports(into image: inout FeliCaImage) throws(ImageProblem) {
        if let node = root["specification_version"], node != .null {
            let bytes = try JSONDump.bytes(node, "specification_version")
            guard bytes.count >= 4, bytes.count == 4 + 2 * Int(bytes[3]),
                let versions = try? RequestSpecificationVersion.Versions(parsing: bytes.span, from: 0)
            else {
                throw JSONDump.problem(
                    "the length of `specification_version` does not match its fourth byte", at: node,
                    hint: "read the card again")
            }
            image.specificationVersion = versions
        }
        if let node = root["product_information"], node != .null {
            image.productInformation = try JSONDump.bytes(node, "product_information")
        }
        guard let node = root["container_issue_information"], node != .null else { return }
        let information = BlockData(try JSONDump.bytes(node, "container_issue_information", count: BlockData.byteCount))
        image.container = FeliCaContainer(issueInformation: information)
        image.conclusions.append(
            ImageNote(
                .notHeld, "the dump does not contain the IDm of the container",
                hint: "the IDm of the card with system number F is used; to change it, write `container: {idm: …}`"))
    }
}

extension ProxmarkFeliCa {
    static func json(_ card: FeliCaImage) -> String {
        let specification = card.specificationVersion.map { versions in
            Hex.text(
                [versions.format] + versions.basic.rawValue.wire + [UInt8(truncatingIfNeeded: versions.options.count)]
                    + versions.options.flatMap(\.rawValue.wire))
        }
        let document: Node = [
            "specification_version": text(specification),
            "product_information": text(card.productInformation.map { Hex.text($0) }),
            "container_issue_information": text(card.container.map { Hex.text($0.issueInformation.bytes) }),
            "systems": .list(
                card.systems.enumerated().map { node(of: $1, idm: $1.idm ?? card.idm.ofSystem($0), card) }),
        ]
        return JSONWriter.text(document, .pretty)
    }

    private static func text(_ text: String?) -> Node { text.map { .text($0) } ?? .null }

    private static func node(of system: FeliCaImage.System, idm: IDm, _ card: FeliCaImage) -> Node {
        var nodes: [Node] = []
        if let versions = system.versions { nodes.append(node("system", "\(NodeCode.system)", versions)) }
        let areas = system.areas.map { ($0.code, node("area", "\($0.code)\($0.end)", $0.versions)) }
        let stores = system.stores
        let services = system.services.map { service in
            let store = stores.first { $0.services.contains(service.code) }
            let blocks = service.code.attribute.isAuthenticationFree ? store?.blocks ?? [:] : [:]
            return (service.code, node("service", "\(service.code)", service.versions, blocks))
        }
        nodes += (areas + services).sorted { $0.0.rawValue < $1.0.rawValue }.map(\.1)
        return [
            "code": .text("\(system.code)"), "idm": .text("\(idm)"), "pmm": .text("\(card.pmm)"),
            "encryption_identifier": .text(encryption(of: system)), "nodes": .list(nodes),
        ]
    }

    private static func node(
        _ type: String, _ code: String, _ versions: FeliCaImage.KeyVersions?, _ blocks: [Int: BlockData] = [:]
    ) -> Node {
        let data = blocks.sorted { $0.key < $1.key }.map { number, block in
            (key: Hex.digits(number, width: 4), value: Node.text("\(block)"))
        }
        return [
            "type": .text(type), "code": .text(code),
            "des_key_version": text((versions?.des).map { Hex.text($0.wire) }),
            "aes_key_version": text((versions?.aes).map { Hex.text($0.wire) }), "data": .map(data),
        ]
    }

    private static func encryption(of system: FeliCaImage.System) -> String {
        let versions = [system.versions] + system.areas.map(\.versions) + system.services.map(\.versions)
        let hasAES = versions.contains { $0?.aes != nil }
        let hasDES = versions.contains { $0?.des != nil }
        return hasAES ? hasDES ? "AES128_DES56" : "AES128" : "DES56"
    }
}

extension UInt16 {
    init(octets: some Sequence<UInt8>) {
        self = octets.reduce(0) { $0 << 8 | UInt16($1) }
    }

    /// The bytes in wire order, low byte first.
    fileprivate var wire: [UInt8] { [UInt8(truncatingIfNeeded: self), UInt8(self >> 8)] }
}

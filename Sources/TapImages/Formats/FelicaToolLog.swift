import TapDocument
import TapWire

/// The communication that felica-tool exports: its commands and the answers of the card, one after the other.
///
/// Each entry has a packet in hexadecimal, LEN first. What a card is follows from the answers to Polling, Request System
/// Code, Search Service Code, Request Code List, Request Service and Read Without Encryption; others say nothing of what it
/// holds. An export for others has XX in place of bytes; such a packet is passed over.
///
/// Source: ExportUtils.kt of kormax's felica-tool.
struct FelicaToolLog {
    private let dump: JSONDump
    private let root: Node
    private var image: FeliCaImage?
    /// What was found below the IDm of each system.
    private var systems: [IDm: FeliCaImage.System] = [:]
    private var codes: [IDm: SystemCode] = [:]
    private var versions: [IDm: [NodeCode: UInt16]] = [:]
    private var isMasked = false

    init(_ root: Node) {
        self.root = root
        dump = JSONDump(root)
    }

    /// Whether the JSON is a list of packets.
    static func isLog(_ root: Node) -> Bool { root[0].map { $0["type"] != nil && $0["data"] != nil } ?? false }

    static func image(_ root: Node) throws(ImageProblem) -> CardImage {
        var log = FelicaToolLog(root)
        var command: [UInt8] = []
        for entry in root.items {
            guard let packet = try log.packet(entry) else { continue }
            if entry["type"]?.text == "COMMAND" { command = packet } else { log.take(packet, answering: command) }
        }
        return try log.result()
    }

    private mutating func packet(_ entry: Node) throws(ImageProblem) -> [UInt8]? {
        guard let data = entry["data"] else {
            throw dump.problem("`data` is missing", at: entry, hint: "export the communication once more")
        }
        guard !JSONDump.isMasked(data) else {
            isMasked = true
            return nil
        }
        return try dump.bytes(data, "data")
    }

    private mutating func take(_ answer: [UInt8], answering command: [UInt8]) {
        if let request = try? Polling.Request(parsing: command), let card = try? Polling.Response(parsing: answer) {
            return polled(request, card)
        }
        if let list = try? RequestSystemCode.Response(parsing: answer) {
            for (number, code) in list.systems.enumerated() { codes[list.idm.ofSystem(number)] = code }
        } else if let found = try? SearchServiceCode.Response(parsing: answer) {
            if let end = found.areaEnd { add(found.node, end: end, found.idm) } else { add(found.node, found.idm) }
        } else if let list = try? RequestCodeList.Response(parsing: answer), let nodes = list.body {
            for area in nodes.areas { add(area.code, end: area.end, list.idm) }
            for service in nodes.services { add(service, list.idm) }
        } else if let request = try? RequestService.Request(parsing: command),
            let found = try? RequestService.Response(parsing: answer)
        {
            for (node, version) in zip(request.nodes, found.values) where version != RequestService.absent {
                versions[found.idm, default: [:]][node] = version
            }
        } else if let request = try? ReadWithoutEncryption.Request(parsing: command),
            let read = try? ReadWithoutEncryption.Response(parsing: answer)
        {
            for (element, data) in zip(request.blocks, read.blocks) {
                guard request.services.indices.contains(Int(element.serviceOrder)) else { continue }
                let service = request.services[Int(element.serviceOrder)]
                add(service, read.idm)
                let place = systems[read.idm]?.services.firstIndex { $0.code == service }
                if let place { systems[read.idm]?.services[place].blocks[Int(element.blockNumber)] = data }
            }
        }
    }

    private mutating func polled(_ request: Polling.Request, _ card: Polling.Response) {
        image = image ?? FeliCaImage(idm: card.idm.ofSystem(0), pmm: card.pmm)
        let isExact = ![0xFF, 0xFF00].contains { request.systemCode.rawValue & $0 == $0 }
        if isExact { codes[card.idm] = request.systemCode }
        if request.requestCode == .systemCode, let code = card.requestData { codes[card.idm] = SystemCode(code) }
    }

    private mutating func add(_ service: NodeCode, _ idm: IDm) {
        guard service.attribute.isService,
            systems[idm]?.services.contains(where: { $0.code == service }) != true
        else { return }
        systems[idm, default: FeliCaImage.System(code: .any)].services.append(FeliCaImage.Service(service))
    }

    private mutating func add(_ area: NodeCode, end: NodeCode, _ idm: IDm) {
        guard systems[idm]?.areas.contains(where: { $0.code == area }) != true,
            let area = FeliCaImage.Area(code: area, end: end)
        else { return }
        systems[idm, default: FeliCaImage.System(code: .any)].areas.append(area)
    }

    private func result() throws(ImageProblem) -> CardImage {
        guard var image else {
            let reason = isMasked ? "; export it without masking" : ""
            throw dump.problem(
                "no card answers Polling in the communication", at: root, hint: "scan the card once more\(reason)")
        }
        for (idm, code) in codes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            var system = systems[idm] ?? FeliCaImage.System(code: code)
            (system.code, system.idm) = (code, idm)
            let known = versions[idm] ?? [:]
            func version(_ node: NodeCode) -> FeliCaImage.KeyVersions? {
                known[node].map { FeliCaImage.KeyVersions(des: $0) }
            }
            system.versions = version(.system)
            for index in system.areas.indices { system.areas[index].versions = version(system.areas[index].code) }
            for index in system.services.indices {
                system.services[index].versions = version(system.services[index].code)
            }
            image.systems.append(system)
        }
        if isMasked {
            image.conclusions.append(
                ImageNote(
                    .unread, "some packets of the communication are masked",
                    hint: "what they held is missing; export it without masking"))
        }
        if let lite = image.lite { return CardImage(.lite(lite), .felicaTool) }
        guard !image.systems.isEmpty else {
            throw dump.problem("the communication tells no system", at: root, hint: "scan the card once more")
        }
        return CardImage(.felica(image), .felicaTool)
    }
}

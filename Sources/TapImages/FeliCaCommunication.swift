import TapWire

/// A FeliCa card, reconstructed from commands and answers.
///
/// The answers to Polling, Request System Code, Search Service Code, Request Code List, Request Service and its version 2,
/// Request Product Information, Request Specification Version and Read Without Encryption describe the card. Other commands
/// do not reveal its contents.
package struct FeliCaCommunication {
    private var identity: FeliCaImage?
    /// The systems found, by IDm.
    private var systems: [IDm: FeliCaImage.System] = [:]
    /// The systems that answered Polling.
    private var polled: [IDm: SystemCode] = [:]
    /// The systems listed by the card.
    private var listed: [IDm: SystemCode] = [:]
    private var versions: [IDm: [NodeCode: FeliCaImage.KeyVersions]] = [:]

    package init() {}

    /// Adds a command and its answer, both starting with LEN.
    package mutating func take(_ answer: [UInt8], answering command: [UInt8]) {
        if let request = try? Polling.Request(parsing: command), let card = try? Polling.Response(parsing: answer) {
            found(card, by: request)
        } else if let list = try? RequestSystemCode.Response(parsing: answer) {
            for (number, code) in list.systems.enumerated() { listed[list.idm.ofSystem(number)] = code }
        } else if let found = try? SearchServiceCode.Response(parsing: answer) {
            if let end = found.areaEnd { add(found.node, end: end, found.idm) } else { add(found.node, found.idm) }
        } else if let list = try? RequestCodeList.Response(parsing: answer), let nodes = list.body {
            for area in nodes.areas { add(area.code, end: area.end, list.idm) }
            for service in nodes.services { add(service, list.idm) }
        } else if let request = try? ReadWithoutEncryption.Request(parsing: command),
            let read = try? ReadWithoutEncryption.Response(parsing: answer)
        {
            take(read, answering: request)
        } else {
            takeReport(answer, answering: command)
        }
    }

    private mutating func takeReport(_ answer: [UInt8], answering command: [UInt8]) {
        if let request = try? RequestService.Request(parsing: command),
            let found = try? RequestService.Response(parsing: answer)
        {
            for (node, version) in zip(request.nodes, found.values) where version != RequestService.absent {
                add(node, found.idm)
                // An answer to version 2 is more specific.
                if versions[found.idm]?[node] == nil { versions[found.idm, default: [:]][node] = .init(des: version) }
            }
        } else if let request = try? RequestServiceV2.Request(parsing: command),
            let found = try? RequestServiceV2.Response(parsing: answer), let body = found.body
        {
            for (index, node) in request.nodes.enumerated() {
                if let known = body.versions(at: index) { versions[found.idm, default: [:]][node] = known }
            }
        } else if let found = try? RequestProductInformation.Response(parsing: answer) {
            identity?.productInformation = found.body?.data
        } else if let found = try? RequestSpecificationVersion.Response(parsing: answer) {
            identity?.specificationVersion = found.body
        }
    }

    private mutating func found(_ card: Polling.Response, by request: Polling.Request) {
        identity = identity ?? FeliCaImage(idm: card.idm.ofSystem(0), pmm: card.pmm)
        let isExact = ![0xFF, 0xFF00].contains { request.systemCode.rawValue & $0 == $0 }
        if isExact { polled[card.idm] = request.systemCode }
        if request.requestCode == .systemCode, let code = card.requestData { polled[card.idm] = SystemCode(code) }
    }

    private mutating func take(_ read: ReadWithoutEncryption.Response, answering request: ReadWithoutEncryption.Request)
    {
        for (element, data) in zip(request.blocks, read.blocks) {
            guard request.services.indices.contains(Int(element.serviceOrder)) else { continue }
            let service = request.services[Int(element.serviceOrder)]
            add(service, read.idm)
            let place = systems[read.idm]?.services.firstIndex { $0.code == service }
            if let place { systems[read.idm]?.services[place].blocks[Int(element.blockNumber)] = data }
        }
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
}

extension FeliCaCommunication {
    /// The card, or `nil` if none has answered Polling.
    package var image: FeliCaImage? {
        guard var image = identity else { return nil }
        // A card whose first IDm has another number than 0 is listed under an IDm that belongs to no system.
        let known = polled.merging(listed.filter { !polled.values.contains($0.value) }) { first, _ in first }
        for (idm, code) in known.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            var system = systems[idm] ?? FeliCaImage.System(code: code)
            (system.code, system.idm) = (code, idm)
            let found = versions[idm] ?? [:]
            system.versions = found[.system]
            for index in system.areas.indices { system.areas[index].versions = found[system.areas[index].code] }
            for index in system.services.indices {
                system.services[index].versions = found[system.services[index].code]
            }
            image.systems.append(system)
        }
        return image
    }
}

extension RequestServiceV2.KeyVersions {
    /// The versions of a node, or `nil` if the node does not exist.
    fileprivate func versions(at index: Int) -> FeliCaImage.KeyVersions? {
        func version(_ list: [UInt16]) -> UInt16? {
            list.indices.contains(index) && list[index] != RequestService.absent ? list[index] : nil
        }
        let hasAES = [.aes128, .aesAndDES56, .aesAndDES112].contains(identifier)
        let found: FeliCaImage.KeyVersions =
            if second.isEmpty {
                hasAES ? .init(aes: version(first)) : .init(des: version(first))
            } else { .init(des: version(second), aes: version(first)) }
        return found.des == nil && found.aes == nil ? nil : found
    }
}

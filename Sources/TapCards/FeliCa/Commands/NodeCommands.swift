import TapWire

// Commands about nodes: which there are, and the versions of their keys.

extension FeliCaCard {
    /// Returns key versions, FFFF for a node that does not exist.
    ///
    /// Some chips are silent to a list with a code of no defined attribute.
    func answerRequestService(_ frame: Span<UInt8>, _ list: NodeListLayout, into buffer: inout FrameBuffer) {
        let mindsUnknown = template.profile.requestServiceUnknownAttribute == .silence
        let system = system
        RequestService.Response.writeHeader(idm: system.idm, count: list.count, into: &buffer)
        for index in 0..<list.count {
            let code = list.node(index, in: frame)
            if mindsUnknown, code != .system, code.attribute.kind == .undefined { return buffer.removeAll() }
            let version = template.nodeOrSystem(code, in: system)?.desVersion
            buffer.append(littleEndian: version ?? RequestService.absent)
        }
    }

    /// Returns one list of key versions, or two on a card with keys for both ciphers.
    func answerRequestServiceV2(_ frame: Span<UInt8>, _ list: NodeListLayout, into buffer: inout FrameBuffer) {
        let system = system
        let nodes = (0..<list.count).map { template.nodeOrSystem(list.node($0, in: frame), in: system) }
        let aes = nodes.map { $0?.aesVersion ?? RequestService.absent }
        let des = nodes.map { $0?.desVersion ?? RequestService.absent }
        var versions = RequestServiceV2.KeyVersions(identifier: system.encryption, first: aes)
        switch system.encryption {
        case .aes128: break
        case .aesAndDES56, .aesAndDES112: versions.second = des
        default:
            if template.profile.encryptionListOrder == .des { versions.first = des } else { versions.second = des }
        }
        RequestServiceV2.Response(idm: system.idm, body: versions).write(into: &buffer)
    }

    /// Returns the node at an index; areas and services are in ascending order of codes, so parents come first.
    func answerSearchServiceCode(_ frame: Span<UInt8>, into buffer: inout FrameBuffer) {
        let system = system
        let index = Int(SearchServiceCode.Request(unchecked: frame).index)
        var response = SearchServiceCode.Response(idm: system.idm, node: .system)
        if index < system.nodes.count {
            let node = template.nodes[system.nodes.lowerBound + index]
            response.node = node.code
            response.areaEnd = node.isArea ? node.end : nil
        }
        response.write(into: &buffer)
    }

    /// Lists all areas and services inside an area, ascending, areas first, as many as a packet holds.
    ///
    /// felica-tool asks for the root area and packets from 1 on until the continue flag is 00. The flags for a node
    /// that is no area, and for a packet beyond the last, are inferred from their meaning.
    func answerRequestCodeList(_ frame: Span<UInt8>, into buffer: inout FrameBuffer) {
        let request = RequestCodeList.Request(unchecked: frame)
        let system = system
        var response = RequestCodeList.Response(idm: system.idm)
        if let area = template.node(request.area, in: system) {
            let codes = area.isArea ? FeliCaCodeListPager(template.nodesInside(area, of: system)) : nil
            response.body = codes?.packet(Int(request.packetIndex))
            if response.body == nil { response.status = StatusFlags(area.isArea ? .targetMissing : .wrongAttribute) }
        } else {
            response.status = StatusFlags(.targetMissing)
        }
        response.write(into: &buffer)
    }
}

extension FeliCaTemplate {
    /// The areas and services inside an area, itself left out.
    func nodesInside(_ area: FeliCaNode, of system: FeliCaSystem) -> [FeliCaNode] {
        nodes[system.nodes].filter { node in
            node.code != area.code && (area.code.rawValue...area.end.rawValue).contains(node.code.rawValue)
        }
    }
}

/// Divides areas and services among the packets of Request Code List.
struct FeliCaCodeListPager {
    private let areas: [RequestCodeList.Area]
    private let services: [NodeCode]

    init(_ nodes: [FeliCaNode]) {
        areas = nodes.filter(\.isArea).map { RequestCodeList.Area(code: $0.code, end: $0.end) }
        services = nodes.filter { !$0.isArea }.map(\.code)
    }

    /// The packet with an index from 1, or nothing beyond the last.
    func packet(_ index: Int) -> RequestCodeList.Nodes? {
        var packet = RequestCodeList.Nodes()
        var areas = areas[...]
        var services = services[...]
        guard index > 0 else { return nil }
        for number in 1...index {
            guard number == 1 || !areas.isEmpty || !services.isEmpty else { return nil }
            var room = RequestCodeList.maximumCodeBytes
            packet.areas = Array(areas.prefix(room / 4))
            room -= 4 * packet.areas.count
            packet.services = Array(services.prefix(room / 2))
            areas = areas.dropFirst(packet.areas.count)
            services = services.dropFirst(packet.services.count)
        }
        packet.continueFlag = areas.isEmpty && services.isEmpty ? 0 : 1
        return packet
    }
}

import TapWire

// Commands about nodes: which there are, and the versions of their keys.

extension FeliCaCard {
    /// Returns key versions, FFFF for a node that does not exist.
    ///
    /// Some chips are silent to a list with a code of no defined attribute.
    @inline(always)
    func answerRequestService(
        _ frame: Span<UInt8>, _ rule: FeliCaCommandRule, into buffer: inout FrameBuffer
    ) -> CardReply {
        // Its line in the table meets a wrong count with silence.
        guard case .nodes(let list)? = template.nodeList(of: frame, rule) else { return .silence }
        let mindsUnknown = template.profile.requestServiceUnknownAttribute == .silence
        let system = system
        RequestService.Response.writeHeader(idm: system.idm, count: list.count, into: &buffer)
        for index in 0..<list.count {
            let code = list.node(index, in: frame)
            if mindsUnknown, code != .system, code.attribute.kind == .undefined { return .silence }
            let version = template.index(of: code, in: system).map { template.nodes[$0].desVersion }
            buffer.append(littleEndian: version ?? RequestService.absent)
        }
        return .frame(after: rule.time.duration(count: list.count))
    }

    /// Returns one list of key versions, or two on a card with keys for both ciphers.
    func answerRequestServiceV2(_ frame: Span<UInt8>, _ list: NodeListLayout, into buffer: inout FrameBuffer) {
        let system = system
        let (listsAES, listsDES) =
            switch system.encryption {
            case .aes128: (true, false)
            case .aesAndDES56, .aesAndDES112: (true, true)
            default: (template.profile.encryptionListOrder == .both, true)
            }
        RequestServiceV2.Response.writeHeader(
            idm: system.idm, identifier: system.encryption, nodeCount: list.count,
            listCount: listsAES && listsDES ? 2 : 1, into: &buffer)
        if listsAES { appendVersions(of: list, in: frame, into: &buffer) { $0.aesVersion } }
        if listsDES { appendVersions(of: list, in: frame, into: &buffer) { $0.desVersion } }
    }

    private func appendVersions(
        of list: NodeListLayout, in frame: Span<UInt8>, into buffer: inout FrameBuffer,
        _ version: (FeliCaNode) -> UInt16
    ) {
        let system = system
        for index in 0..<list.count {
            let node = template.nodeOrSystem(list.node(index, in: frame), in: system)
            buffer.append(littleEndian: node.map(version) ?? RequestService.absent)
        }
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
}

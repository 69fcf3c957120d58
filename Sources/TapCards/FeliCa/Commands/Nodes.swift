import TapWire

// Commands about nodes: their existence and the versions of their keys.

extension FeliCaCard {
    /// Returns key versions, FFFF for a node that does not exist.
    ///
    /// Some chips do not answer a list that contains a code with an undefined attribute.
    @inline(always)
    func answerRequestService(
        _ frame: Span<UInt8>, _ list: NodeListLayout, _ reliance: inout CardReliance, into buffer: inout FrameBuffer
    ) {
        let mindsUnknown = template.profile.requestServiceUnknownAttribute == .silence
        let system = system
        RequestService.Response.writeHeader(idm: system.idm, count: list.count, into: &buffer)
        for index in 0..<list.count {
            let code = list.node(index, in: frame)
            if code != .system, code.attribute.kind == .undefined {
                reliance.rely(on: .requestServiceUnknownAttribute)
                if mindsUnknown { return buffer.removeAll() }
            }
            let version = template.index(of: code, in: system).map { desVersion(at: $0) }
            buffer.append(littleEndian: version ?? RequestService.absent)
        }
    }

    /// Returns one list of key versions, or two for a card with keys for both ciphers.
    func answerRequestServiceV2(
        _ frame: Span<UInt8>, _ list: NodeListLayout, _ reliance: inout CardReliance, into buffer: inout FrameBuffer
    ) {
        let system = system
        let (listsAES, listsDES) =
            switch system.encryption {
            case .aes128: (true, false)
            case .aesAndDES56, .aesAndDES112: (true, true)
            default: (template.profile.encryptionListOrder == .both, true)
            }
        if system.encryption == .des56 || system.encryption == .des112 { reliance.rely(on: .encryptionListOrder) }
        RequestServiceV2.Response.writeHeader(
            idm: system.idm, identifier: system.encryption, nodeCount: list.count,
            listCount: listsAES && listsDES ? 2 : 1, into: &buffer)
        if listsAES { appendVersions(of: list, in: frame, into: &buffer) { aesVersion(at: $0) } }
        if listsDES { appendVersions(of: list, in: frame, into: &buffer) { desVersion(at: $0) } }
    }

    private func appendVersions(
        of list: NodeListLayout, in frame: Span<UInt8>, into buffer: inout FrameBuffer,
        _ version: (_ index: Int) -> UInt16
    ) {
        let system = system
        for index in 0..<list.count {
            let node = template.index(of: list.node(index, in: frame), in: system)
            buffer.append(littleEndian: node.map(version) ?? RequestService.absent)
        }
    }

    /// Returns the current version of a node's DES key.
    @inline(__always)
    private func desVersion(at index: Int) -> UInt16 {
        let issued = template.nodes[index].desVersion
        return changedKeys.isEmpty ? issued : changedKeys[index]?.des?.version ?? issued
    }

    /// Returns the current version of a node's AES key.
    @inline(__always)
    private func aesVersion(at index: Int) -> UInt16 {
        let issued = template.nodes[index].aesVersion
        return changedKeys.isEmpty ? issued : changedKeys[index]?.aes?.version ?? issued
    }

    /// Returns the node at an index; areas and services are sorted by code, so parents come first.
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

// Commands about the blocks and options of nodes.

extension FeliCaCard {
    /// Returns the block counts of nodes, 0 for a node that does not exist.
    func answerBlockInformation(
        _ frame: Span<UInt8>, _ list: NodeListLayout, _ reliance: inout CardReliance, into buffer: inout FrameBuffer
    ) {
        let system = system
        RequestBlockInformation.Response.writeHeader(idm: system.idm, count: list.count, into: &buffer)
        for index in 0..<list.count {
            let node = template.node(list.node(index, in: frame), in: system)
            if node?.isArea == true { reliance.rely(on: .blockInfoArea) }
            let reportsFree = node?.isArea == true && template.profile.blockInfoArea == .free
            let count = reportsFree ? node.map { UInt16(truncatingIfNeeded: $0.freeBlocks) } : node?.blockCount
            buffer.append(littleEndian: count ?? 0)
        }
    }

    /// Returns assigned and free blocks; a node that does not exist is refused with its position, which is inferred.
    func answerBlockInformationEx(
        _ frame: Span<UInt8>, _ list: NodeListLayout, _ reliance: inout CardReliance, into buffer: inout FrameBuffer
    ) {
        let system = system
        RequestBlockInformationEx.Response.writeHeader(idm: system.idm, nodeCount: list.count, into: &buffer)
        for index in 0..<list.count {
            guard let node = template.node(list.node(index, in: frame), in: system) else {
                return refuse(.targetMissing, at: index, RequestBlockInformationEx.code, &reliance, into: &buffer)
            }
            let count = RequestBlockInformationEx.BlockCount(
                assigned: UInt16(truncatingIfNeeded: node.assignedBlocks),
                free: UInt16(truncatingIfNeeded: node.freeBlocks))
            count.write(into: &buffer)
        }
    }

    /// Replaces the answer written so far with an error at an index of a list.
    private func refuse(
        _ reason: StatusFlag2, at index: Int, _ code: CommandCode, _ reliance: inout CardReliance,
        into buffer: inout FrameBuffer
    ) {
        buffer.removeAll()
        FeliCaPacket.writeStatus(
            refusal(reason, at: index, &reliance), code: code.response, idm: system.idm, into: &buffer)
    }

    /// Returns the two bytes of an area.
    ///
    /// Source: status flags measured by felica-tool; the precedence of several errors is inferred.
    func answerAreaInformation(_ frame: Span<UInt8>, into buffer: inout FrameBuffer) {
        let code = GetAreaInformation.Request(unchecked: frame).area
        var response = GetAreaInformation.Response(idm: system.idm)
        if code == .root {
            response.status = StatusFlags(.areaZero)
        } else if code.rawValue & 0x00C0 == 0x00C0 {
            response.status = StatusFlags(.areaNumberBits)
        } else if let node = template.node(code, in: system), node.isArea {
            response.body = GetAreaInformation.Information(area: code, data: node.information)
        } else {
            response.status = StatusFlags(.notAnArea)
        }
        response.write(into: &buffer)
    }

    /// Returns the purse limits or the MAC communication setting of nodes.
    ///
    /// Silence for an unknown type, whose answer length is unknown, is inferred.
    func answerNodeProperty(
        _ frame: Span<UInt8>, _ list: NodeListLayout, _ reliance: inout CardReliance, into buffer: inout FrameBuffer
    ) {
        let type = GetNodeProperty.Request.type(of: frame)
        guard type == .purseLimits || type == .macCommunication else { return }
        let system = system
        GetNodeProperty.Response.writeHeader(idm: system.idm, type: type, nodeCount: list.count, into: &buffer)
        for index in 0..<list.count {
            guard let node = template.node(list.node(index, in: frame), in: system) else {
                return refuse(.targetMissing, at: index, GetNodeProperty.code, &reliance, into: &buffer)
            }
            guard type == .macCommunication || node.code.attribute.kind == .purse else {
                return refuse(.wrongNodeProperty, at: index, GetNodeProperty.code, &reliance, into: &buffer)
            }
            let property =
                type == .purseLimits
                ? GetNodeProperty.Property.purseLimits(node.purseLimits)
                : .macCommunication(node.hasMACCommunication ? 1 : 0)
            property.write(into: &buffer)
        }
    }

    /// Lists all areas and services inside an area in ascending order, areas first, as many as fit in a packet.
    ///
    /// felica-tool requests the root area and packets from 1 on until the continue flag is 00. The status flags for a node that
    /// is not an area, and for a packet after the last, are inferred.
    func answerRequestCodeList(_ frame: Span<UInt8>, into buffer: inout FrameBuffer) {
        let request = RequestCodeList.Request(unchecked: frame)
        let idm = system.idm
        var refusal = StatusFlags(.targetMissing)
        if let area = template.node(request.area, in: system) {
            if area.isArea, let part = FeliCaCodeListPart(Int(request.packetIndex), of: area, in: self) {
                return write(part, of: area, into: &buffer)
            }
            if !area.isArea { refusal = StatusFlags(.wrongAttribute) }
        }
        RequestCodeList.Response(idm: idm, status: refusal).write(into: &buffer)
    }

    private func write(_ part: FeliCaCodeListPart, of area: TemplateNode, into buffer: inout FrameBuffer) {
        RequestCodeList.Response.writeHeader(
            idm: system.idm, continueFlag: part.isLast ? 0 : 1, areaCount: part.areas.count,
            serviceCount: part.services.count, into: &buffer)
        var number = 0
        for node in nodes where node.isArea && node.isInside(area) {
            if part.areas.contains(number) { RequestCodeList.Area(code: node.code, end: node.end).write(into: &buffer) }
            number += 1
        }
        buffer.append(UInt8(truncatingIfNeeded: part.services.count))
        number = 0
        for node in nodes where !node.isArea && node.isInside(area) {
            if part.services.contains(number) { buffer.append(littleEndian: node.code.rawValue) }
            number += 1
        }
    }

    fileprivate var nodes: ArraySlice<TemplateNode> { template.nodes[system.nodes] }
}

extension TemplateNode {
    /// Returns whether the node lies inside an area and is not the area itself.
    fileprivate func isInside(_ area: TemplateNode) -> Bool {
        code != area.code && (area.code.rawValue...area.end.rawValue).contains(code.rawValue)
    }
}

/// The areas and services contained in one packet of Request Code List.
///
/// Areas come first, then services, split into pieces of the packet's capacity. The capacity is a multiple of the size of an
/// area, so no area is split.
private struct FeliCaCodeListPart {
    /// The areas, by their number among all areas inside the area.
    let areas: Range<Int>
    /// The services, by their number among all services inside the area.
    let services: Range<Int>
    /// A Boolean value that indicates whether this is the last packet.
    let isLast: Bool

    /// Finds the part with an index, counted from 1; `nil` after the last; an empty area has one empty part.
    init?(_ index: Int, of area: TemplateNode, in card: FeliCaCard) {
        let areaCount = card.nodes.count { $0.isArea && $0.isInside(area) }
        let serviceCount = card.nodes.count { !$0.isArea && $0.isInside(area) }
        let servicesStart = RequestCodeList.areaLength * areaCount
        let length = servicesStart + RequestCodeList.serviceLength * serviceCount
        let start = RequestCodeList.maximumCodeBytes * (index - 1)
        guard index == 1 || index > 1 && start < length else { return nil }
        let end = min(start + RequestCodeList.maximumCodeBytes, length)
        areas =
            min(start, servicesStart) / RequestCodeList.areaLength..<min(end, servicesStart)
            / RequestCodeList.areaLength
        services =
            max(start - servicesStart, 0) / RequestCodeList.serviceLength..<max(end - servicesStart, 0)
            / RequestCodeList.serviceLength
        isLast = end == length
    }
}

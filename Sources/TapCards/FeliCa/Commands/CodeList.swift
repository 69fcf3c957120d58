import TapWire

extension FeliCaCard {
    /// Lists all areas and services inside an area, ascending, areas first, as many as a packet holds.
    ///
    /// felica-tool asks for the root area and packets from 1 on until the continue flag is 00. The flags for a node
    /// that is no area, and for a packet beyond the last, are inferred from their meaning.
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

    private func write(_ part: FeliCaCodeListPart, of area: FeliCaNode, into buffer: inout FrameBuffer) {
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

    /// The areas and services of the current system.
    fileprivate var nodes: ArraySlice<FeliCaNode> { template.nodes[system.nodes] }
}

extension FeliCaNode {
    /// Whether the node lies in an area and is not the area itself.
    fileprivate func isInside(_ area: FeliCaNode) -> Bool {
        code != area.code && (area.code.rawValue...area.end.rawValue).contains(code.rawValue)
    }
}

/// Which of the areas and services inside an area one packet of Request Code List holds.
///
/// One behind the other, areas first, they are cut into pieces of as many bytes as a packet has room for. That is a
/// multiple of what an area takes, so no cut goes through one.
private struct FeliCaCodeListPart {
    /// The areas, by their number among all areas inside the area.
    let areas: Range<Int>
    /// The services, by their number among all services inside the area.
    let services: Range<Int>
    /// Whether no packet follows.
    let isLast: Bool

    /// Finds the part with an index from 1, or nothing beyond the last; an empty area has one, empty part.
    init?(_ index: Int, of area: FeliCaNode, in card: FeliCaCard) {
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

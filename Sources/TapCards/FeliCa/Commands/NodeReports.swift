import TapWire

// Commands about the blocks and options of nodes.

extension FeliCaCard {
    /// Returns how many blocks nodes have, 0 for one that does not exist.
    func answerBlockInformation(_ frame: Span<UInt8>, _ list: NodeListLayout, into buffer: inout FrameBuffer) {
        let system = system
        RequestBlockInformation.Response.writeHeader(idm: system.idm, count: list.count, into: &buffer)
        for index in 0..<list.count {
            let node = template.node(list.node(index, in: frame), in: system)
            let tellsFree = node?.isArea == true && template.profile.blockInfoArea == .free
            let count = tellsFree ? node.map { UInt16(truncatingIfNeeded: $0.freeBlocks) } : node?.blockCount
            buffer.append(littleEndian: count ?? 0)
        }
    }

    /// Returns assigned and free blocks; a node that does not exist is refused with its place, which is inferred.
    func answerBlockInformationEx(_ frame: Span<UInt8>, _ list: NodeListLayout, into buffer: inout FrameBuffer) {
        let system = system
        RequestBlockInformationEx.Response.writeHeader(idm: system.idm, nodeCount: list.count, into: &buffer)
        for index in 0..<list.count {
            guard let node = template.node(list.node(index, in: frame), in: system) else {
                return refuse(.targetMissing, at: index, RequestBlockInformationEx.code, into: &buffer)
            }
            let count = RequestBlockInformationEx.BlockCount(
                assigned: UInt16(truncatingIfNeeded: node.assignedBlocks),
                free: UInt16(truncatingIfNeeded: node.freeBlocks))
            count.write(into: &buffer)
        }
    }

    /// Answers with an error at an index of a list in the place of what was written so far.
    private func refuse(
        _ reason: StatusFlag2, at index: Int, _ code: CommandCode, into buffer: inout FrameBuffer
    ) {
        buffer.removeAll()
        FeliCaPacket.writeStatus(
            refusal(reason, at: index), code: code.response, idm: system.idm, into: &buffer)
    }

    /// Returns the two bytes of an area.
    ///
    /// Source: status flags measured by felica-tool; which of several faults is told first is inferred.
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

    /// Returns the limits of purses or the MAC communication setting of nodes.
    ///
    /// To an unknown type a card is silent, since it could not tell how long its answer is; inferred.
    func answerNodeProperty(_ frame: Span<UInt8>, _ list: NodeListLayout, into buffer: inout FrameBuffer) {
        let type = GetNodeProperty.Request.type(of: frame)
        guard type == .purseLimits || type == .macCommunication else { return }
        let system = system
        GetNodeProperty.Response.writeHeader(idm: system.idm, type: type, nodeCount: list.count, into: &buffer)
        for index in 0..<list.count {
            guard let node = template.node(list.node(index, in: frame), in: system) else {
                return refuse(.targetMissing, at: index, GetNodeProperty.code, into: &buffer)
            }
            guard type == .macCommunication || node.code.attribute.kind == .purse else {
                return refuse(.wrongNodeProperty, at: index, GetNodeProperty.code, into: &buffer)
            }
            let property =
                type == .purseLimits
                ? GetNodeProperty.Property.purseLimits(node.purseLimits)
                : .macCommunication(node.hasMACCommunication ? 1 : 0)
            property.write(into: &buffer)
        }
    }
}

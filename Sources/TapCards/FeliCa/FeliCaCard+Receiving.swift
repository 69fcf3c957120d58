import TapWire

extension FeliCaCard {
    /// Hears a packet and answers it.
    ///
    /// The steps are in the order in which a chip gives up: frame, command, structure, address, mode. What fails one of
    /// them is met with silence, and silence changes nothing.
    /// Source: FeliCa Card User's Manual, excerpted edition, "command packet" and "mode transitions"; that a packet met
    /// with silence does not switch systems either is inferred.
    public mutating func answer(
        _ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity, context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> CardReply {
        buffer.removeAll()
        let before = session
        guard integrity == .good, bitCount == frame.count * 8, FeliCaPacket.isWhole(frame),
            let rule = template.rules[Int(frame[1])], CommandCode(of: frame) == rule.code,
            let structure = template.structure(of: frame, rule),
            !rule.hasIDm || isAddressed(by: frame),
            rule.modes.contains(mode), !session.awaitsPolling || rule.command == .polling
        else { return .silence }
        if let power = context.power, rule.command == .writeWithoutEncryption, power.steps(of: 1) == 0 {
            // A write is carried out as a whole or not at all.
            return .silence
        }
        perform(rule, frame, structure, memoryFails: context.isMemoryFailing, into: &buffer)
        guard buffer.count > 0 else {
            session = before
            return .silence
        }
        guard rule.command == .polling else { return .frame(after: rule.time.duration(count: structure.count)) }
        let timeSlot = template.profile.randomSlot ? Polling.Request(unchecked: frame).timeSlot : 0
        let slot = FeliCaTimeSlot.draw(timeSlot, from: &context.random)
        return .slot(slot, after: FeliCaTimeSlot.delay(slot))
    }

    /// Whether a packet carries the IDm of one of the card's systems, which then becomes the current one.
    @inline(__always)
    mutating func isAddressed(by frame: Span<UInt8>) -> Bool {
        let idm = IDm(frame.bigEndian64(at: FeliCaPacket.idmOffset))
        return idm == system.idm || switchSystem(to: idm)
    }

    private mutating func switchSystem(to idm: IDm) -> Bool {
        for number in template.systems.indices where template.systems[number].idm == idm {
            session.select(number)
            return true
        }
        return false
    }

    /// Carries out a command whose packet is sound; an empty buffer afterwards is silence.
    private mutating func perform(
        _ rule: FeliCaCommandRule, _ frame: Span<UInt8>, _ structure: FeliCaPacketStructure, memoryFails: Bool,
        into buffer: inout FrameBuffer
    ) {
        switch structure {
        case .blocks(let layout, let end):
            if rule.command == .readWithoutEncryption {
                read(frame, layout, into: &buffer)
            } else {
                write(frame, layout, dataOffset: end, memoryFails: memoryFails, into: &buffer)
            }
        case .nodes(let list): performNodeCommand(rule.command, frame, list, into: &buffer)
        case .plain: performPlainCommand(rule.command, frame, into: &buffer)
        case .refused(let status):
            FeliCaPacket.writeStatus(status, code: rule.code.response, idm: system.idm, into: &buffer)
        }
    }

    private func performNodeCommand(
        _ command: FeliCaCardCommand, _ frame: Span<UInt8>, _ list: NodeListLayout, into buffer: inout FrameBuffer
    ) {
        switch command {
        case .requestService: answerRequestService(frame, list, into: &buffer)
        case .requestServiceV2: answerRequestServiceV2(frame, list, into: &buffer)
        case .requestBlockInformation: answerBlockInformation(frame, list, into: &buffer)
        case .requestBlockInformationEx: answerBlockInformationEx(frame, list, into: &buffer)
        case .getNodeProperty: answerNodeProperty(frame, list, into: &buffer)
        default: break
        }
    }

    private mutating func performPlainCommand(
        _ command: FeliCaCardCommand, _ frame: Span<UInt8>, into buffer: inout FrameBuffer
    ) {
        switch command {
        case .polling: answerPolling(frame, into: &buffer)
        case .requestResponse: answerRequestResponse(into: &buffer)
        case .searchServiceCode: answerSearchServiceCode(frame, into: &buffer)
        case .requestSystemCode: answerRequestSystemCode(into: &buffer)
        case .requestCodeList: answerRequestCodeList(frame, into: &buffer)
        case .getAreaInformation: answerAreaInformation(frame, into: &buffer)
        case .getSystemStatus: answerSystemStatus(into: &buffer)
        case .requestProductInformation: answerProductInformation(into: &buffer)
        case .requestSpecificationVersion: answerSpecificationVersion(into: &buffer)
        case .resetMode: answerResetMode(into: &buffer)
        case .setParameter: answerSetParameter(frame, into: &buffer)
        case .getContainerIssueInformation: answerContainerIssueInformation(into: &buffer)
        case .getContainerProperty: answerContainerProperty(frame, into: &buffer)
        case .getContainerID: answerContainerID(into: &buffer)
        case .echo: answerEcho(frame, into: &buffer)
        default: break
        }
    }
}

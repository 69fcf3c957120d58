import TapWire

extension FeliCaCard {
    /// Hears a packet and answers it.
    ///
    /// What fails a check of frame, command, address, mode or structure is met with silence, and silence changes
    /// nothing, so their order tells nobody anything.
    /// Source: FeliCa Card User's Manual, excerpted edition, "command packet" and "mode transitions"; that a packet met
    /// with silence does not switch systems either is inferred.
    public mutating func answer(
        _ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity, context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> CardReply {
        buffer.removeAll()
        guard integrity == .good, bitCount == frame.count &* 8, FeliCaPacket.isWhole(frame),
            let rule = template.rules[Int(frame[1])], rule.hasCode(frame)
        else { return .silence }
        let before = session
        guard !rule.hasIDm || isAddressed(by: frame), rule.modes.contains(mode),
            !session.awaitsPolling || rule.command == .polling,
            let count = perform(rule, frame, context, into: &buffer)
        else {
            session = before
            return .silence
        }
        guard rule.command == .polling else { return .frame(after: rule.time.duration(count: count)) }
        let timeSlot = template.profile.randomSlot ? Polling.Request(unchecked: frame).timeSlot : 0
        let slot = FeliCaTimeSlot.draw(timeSlot, from: &context.random)
        return .slot(slot, after: FeliCaTimeSlot.delay(slot))
    }

    /// Whether a packet carries the IDm of one of the card's systems, which then becomes the current one.
    @inline(__always)
    mutating func isAddressed(by frame: Span<UInt8>) -> Bool {
        guard frame.count >= FeliCaPacket.idmLength else { return false }
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

    /// Carries out a command if its packet is sound.
    ///
    /// - Returns: How many nodes or blocks the answer is about, or nothing for silence.
    @inline(__always)
    private mutating func perform(
        _ rule: FeliCaCommandRule, _ frame: Span<UInt8>, _ context: CardContext, into buffer: inout FrameBuffer
    ) -> Int? {
        guard let structure = template.structure(of: frame, rule) else { return nil }
        switch structure {
        case .blocks(let layout, let end):
            if rule.command == .readWithoutEncryption {
                read(frame, layout, into: &buffer)
            } else if context.power?.steps(of: 1) != 0 {
                // A write is carried out as a whole or, without power for it, not at all.
                write(frame, layout, dataOffset: Int(end), memoryFails: context.isMemoryFailing, into: &buffer)
            }
        case .nodes(let list): performNodeCommand(rule.command, frame, list, into: &buffer)
        case .plain: performPlainCommand(rule.command, frame, into: &buffer)
        case .refused(let status):
            FeliCaPacket.writeStatus(status, code: rule.code.response, idm: system.idm, into: &buffer)
        }
        return buffer.count > 0 ? structure.count : nil
    }

    @inline(never)
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

    @inline(never)
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

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
        if rule.command == .polling {
            return answerPolling(frame, rule.ignoresTrailingBytes, &context.random, into: &buffer)
        }
        guard !rule.hasIDm || isForCurrentSystem(frame) else {
            return answerInAnotherSystem(frame, &context, into: &buffer)
        }
        guard rule.modes.contains(mode), !session.awaitsPolling else { return .silence }
        // What readers send at every tap is answered straight.
        return switch rule.command {
        case .readWithoutEncryption: answerRead(frame, rule, into: &buffer)
        case .requestService: answerRequestService(frame, rule, into: &buffer)
        default: perform(rule, frame, context, into: &buffer)
        }
    }

    /// Whether a packet carries the IDm of the current system.
    @inline(always)
    private func isForCurrentSystem(_ frame: Span<UInt8>) -> Bool {
        frame.count >= FeliCaPacket.idmLength && frame.idm == system.idm
    }

    /// Hears a packet in the system whose IDm it carries, which becomes the current one unless that is silent.
    @inline(never)
    private mutating func answerInAnotherSystem(
        _ frame: Span<UInt8>, _ context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        let before = session
        guard isAddressed(by: frame) else { return .silence }
        // Now the packet is for the current system, which is answered without coming here again.
        let reply = answer(frame, bitCount: frame.count &* 8, integrity: .good, context: &context, into: &buffer)
        if reply == .silence { session = before }
        return reply
    }

    /// Whether a packet carries the IDm of one of the card's systems, which then becomes the current one.
    mutating func isAddressed(by frame: Span<UInt8>) -> Bool {
        guard frame.count >= FeliCaPacket.idmLength else { return false }
        let idm = frame.idm
        for number in template.systems.indices where template.systems[number].idm == idm {
            session.select(number)
            return true
        }
        return false
    }

    /// Carries out all other commands, if their packet is sound.
    @inline(never)
    private mutating func perform(
        _ rule: FeliCaCommandRule, _ frame: Span<UInt8>, _ context: CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        guard let structure = template.structure(of: frame, rule) else { return .silence }
        switch structure {
        case .blocks(let layout, let end):
            if context.power?.steps(of: 1) != 0 {
                // A write is carried out as a whole or, without power for it, not at all.
                write(frame, layout, dataOffset: Int(end), memoryFails: context.isMemoryFailing, into: &buffer)
            }
        case .nodes(let list): performNodeCommand(rule.command, frame, list, into: &buffer)
        case .plain: performPlainCommand(rule.command, frame, into: &buffer)
        case .refused(let status):
            FeliCaPacket.writeStatus(status, code: rule.code.response, idm: system.idm, into: &buffer)
        }
        return buffer.count > 0 ? .frame(after: rule.time.duration(count: structure.count)) : .silence
    }

    private func performNodeCommand(
        _ command: FeliCaCardCommand, _ frame: Span<UInt8>, _ list: NodeListLayout, into buffer: inout FrameBuffer
    ) {
        switch command {
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

import TapWire

extension FeliCaCard {
    /// Answers Polling in a time slot with the first matching system, which becomes the current one.
    ///
    /// The current system is silent above Mode0; another system answers in any mode.
    /// Source: FeliCa Card User's Manual, excerpted edition, "Polling".
    @inline(always)
    mutating func answerPolling(
        _ frame: Span<UInt8>, _ mayTrail: Bool, _ context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        guard template.fits(frame, Polling.Request.length, mayTrail, &context.reliance) else { return .silence }
        let request = Polling.Request(unchecked: frame)
        guard let number = template.systems.firstIndex(where: { request.systemCode.matches($0.code) }),
            number != session.system || session.mode == .mode0
        else { return .silence }
        let isKnown = template.profile.pollingRequestCodes.contains(request.requestCode)
        if request.requestCode.rawValue > Polling.RequestCode.systemCode.rawValue {
            context.reliance.rely(on: Self.factsOfPolling(isKnown, request))
        }
        guard isKnown || template.profile.pollingReservedCodes == .answer else { return .silence }
        session.select(number)
        session.awaitsPolling = false
        var response = Polling.Response(idm: system.idm, pmm: template.pmm)
        switch request.requestCode {
        case .systemCode where isKnown: response.requestData = system.code.rawValue
        case .communicationPerformance where isKnown:
            response.requestData = template.profile.performanceBytes.rawValue
        default: break
        }
        response.write(into: &buffer)
        let slot = FeliCaTimeSlot.draw(template.profile.randomSlot ? request.timeSlot : 0, from: &context.random)
        return .slot(slot, after: FeliCaTimeSlot.delay(slot))
    }

    /// The facts an answer relies on for a request code that not every chip knows.
    private static func factsOfPolling(_ isKnown: Bool, _ request: Polling.Request) -> CardFacts {
        guard request.requestCode == .communicationPerformance else { return [.pollingReservedCodes] }
        return isKnown ? [.pollingRequestCodes, .performanceBytes] : [.pollingRequestCodes, .pollingReservedCodes]
    }
}

// Commands about a system or the card as a whole.

extension FeliCaCard {
    func answerRequestResponse(into buffer: inout FrameBuffer) {
        RequestResponse.Response(idm: system.idm, mode: mode.rawValue).write(into: &buffer)
    }

    func answerRequestSystemCode(into buffer: inout FrameBuffer) {
        RequestSystemCode.Response.writeHeader(idm: system.idm, count: template.systems.count, into: &buffer)
        for system in template.systems { buffer.append(bigEndian: system.code.rawValue) }
    }

    func answerSystemStatus(into buffer: inout FrameBuffer) {
        GetSystemStatus.Response(idm: system.idm, body: template.definition.systemStatus).write(into: &buffer)
    }

    func answerProductInformation(into buffer: inout FrameBuffer) {
        RequestProductInformation.Response(idm: system.idm, body: template.productInformation)
            .write(into: &buffer)
    }

    func answerSpecificationVersion(into buffer: inout FrameBuffer) {
        RequestSpecificationVersion.Response(idm: system.idm, body: template.specificationVersion)
            .write(into: &buffer)
    }

    mutating func answerResetMode(into buffer: inout FrameBuffer) {
        session.end()
        ResetMode.Response(idm: system.idm).write(into: &buffer)
    }

    /// Accepts the parameters whose packets the engine knows.
    ///
    /// Encryption types matter only in sessions. Packets with four-byte node codes are unpublished, so the card stays silent,
    /// because it could not parse the packets that follow.
    func answerSetParameter(_ frame: Span<UInt8>, into buffer: inout FrameBuffer) {
        let request = SetParameter.Request(unchecked: frame)
        guard request.reserved == 0, request.encryptionType <= SetParameter.EncryptionType.srm2,
            request.packetType == SetParameter.PacketType.twoByteNodes
        else { return }
        SetParameter.Response(idm: system.idm).write(into: &buffer)
    }

    /// The data length that every measured chip with Echo returns.
    private static let smallestEchoMax = 75

    /// Returns the packet, if its data is no longer than the chip allows.
    func answerEcho(_ frame: Span<UInt8>, _ reliance: inout CardReliance, into buffer: inout FrameBuffer) {
        let length = frame.count - Echo.minimumLength
        if length > Self.smallestEchoMax { reliance.rely(on: .echoMax) }
        guard length <= template.profile.echoMax else { return }
        buffer.append(frame)
    }
}

// Commands about the container of a phone; a card without a container is silent.

extension FeliCaCard {
    func answerContainerIssueInformation(into buffer: inout FrameBuffer) {
        guard let container = template.definition.container else { return }
        GetContainerIssueInformation.Response(idm: system.idm, information: container.issueInformation)
            .write(into: &buffer)
    }

    /// Returns a property; silence for an index without a property is inferred.
    func answerContainerProperty(_ frame: Span<UInt8>, into buffer: inout FrameBuffer) {
        let index = Int(GetContainerProperty.Request(unchecked: frame).index)
        guard let container = template.definition.container, index < container.properties.count else { return }
        GetContainerProperty.Response(data: container.properties[index]).write(into: &buffer)
    }

    func answerContainerID(into buffer: inout FrameBuffer) {
        guard template.definition.container != nil else { return }
        GetContainerID.Response(containerIDm: template.definition.containerIDm).write(into: &buffer)
    }
}

import TapWire

extension FeliCaCard {
    /// Answers Polling, in a time slot, with the first system that matches, which becomes the current one.
    ///
    /// The current system is silent above Mode0; another one answers in any mode.
    /// Source: FeliCa Card User's Manual, excerpted edition, "Polling".
    @inline(always)
    mutating func answerPolling(
        _ frame: Span<UInt8>, _ mayTrail: Bool, _ random: inout SeededGenerator,
        into buffer: inout FrameBuffer
    ) -> CardReply {
        guard template.fits(frame, Polling.Request.length, mayTrail) else { return .silence }
        let request = Polling.Request(unchecked: frame)
        guard let number = template.systems.firstIndex(where: { request.systemCode.matches($0.code) }),
            number != session.system || session.mode == .mode0
        else { return .silence }
        let isKnown = template.profile.pollingRequestCodes.contains(request.requestCode)
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
        let slot = FeliCaTimeSlot.draw(template.profile.randomSlot ? request.timeSlot : 0, from: &random)
        return .slot(slot, after: FeliCaTimeSlot.delay(slot))
    }
}

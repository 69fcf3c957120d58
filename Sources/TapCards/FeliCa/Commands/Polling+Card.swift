import TapWire

extension FeliCaCard {
    /// Answers Polling with the first system that matches, which becomes the current one.
    ///
    /// The current system is silent above Mode0; another one answers in any mode.
    /// Source: FeliCa Card User's Manual, excerpted edition, "Polling".
    mutating func answerPolling(_ frame: Span<UInt8>, into buffer: inout FrameBuffer) {
        let request = Polling.Request(unchecked: frame)
        let systems = template.systems
        guard let number = systems.firstIndex(where: { request.systemCode.matches($0.code) }) else { return }
        guard number != session.system || session.mode == .mode0 else { return }
        let isKnown = template.profile.pollingRequestCodes.contains(request.requestCode)
        guard isKnown || template.profile.pollingReservedCodes == .answer else { return }
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
    }
}

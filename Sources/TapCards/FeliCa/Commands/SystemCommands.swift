import TapWire

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
        RequestProductInformation.Response(idm: system.idm, body: template.definition.productInformation)
            .write(into: &buffer)
    }

    func answerSpecificationVersion(into buffer: inout FrameBuffer) {
        RequestSpecificationVersion.Response(idm: system.idm, body: template.definition.specificationVersion)
            .write(into: &buffer)
    }

    mutating func answerResetMode(into buffer: inout FrameBuffer) {
        session.mode = .mode0
        ResetMode.Response(idm: system.idm).write(into: &buffer)
    }

    /// Accepts the parameters whose packets the engine knows.
    ///
    /// What the encryption types change lies inside sessions; the layouts with node codes of four bytes are
    /// unpublished, so a card that took them could not understand what follows, and it is silent to all else.
    func answerSetParameter(_ frame: Span<UInt8>, into buffer: inout FrameBuffer) {
        let request = SetParameter.Request(unchecked: frame)
        guard request.reserved == 0, request.encryptionType <= SetParameter.EncryptionType.srm2,
            request.packetType == SetParameter.PacketType.twoByteNodes
        else { return }
        SetParameter.Response(idm: system.idm).write(into: &buffer)
    }

    /// Returns the packet, as long as its data is not longer than the chip takes.
    func answerEcho(_ frame: Span<UInt8>, into buffer: inout FrameBuffer) {
        guard frame.count - Echo.minimumLength <= template.profile.echoMax else { return }
        buffer.append(frame)
    }
}

import TapWire

/// A transparent session of a reader, and the protocol it is switched to.
struct TransparentSession {
    /// How commands reach the reader.
    enum Way: Hashable {
        /// As APDUs to the card.
        case transmit
        /// As commands to the reader, in the way of the RC-S300.
        case escape(ControlCode)
    }

    private let way: Way
    private var isOpen = false
    private var technology: Technology?

    init(_ way: Way) {
        self.way = way
    }

    private var dialect: SessionRequest.Dialect { way == .transmit ? .standard : .rcs300 }

    /// Begins the session, with the field on, unless it has begun.
    ///
    /// - Returns: Whether there is one.
    mutating func begin(over channel: any CardChannel) throws(LinkError) -> Bool {
        guard !isOpen else { return true }
        guard let started = try ask(.manage, [.start], over: channel), started.status == .success else { return false }
        isOpen = true
        technology = nil
        return true
    }

    /// Ends the session.
    mutating func end(over channel: any CardChannel) {
        guard isOpen else { return }
        _ = try? ask(.manage, [.end], over: channel)
        isOpen = false
    }

    /// Switches to a technology, by which the reader selects a type A card.
    ///
    /// - Returns: What the reader says of the card, SAK for type A; nothing if none answers.
    mutating func select(
        _ technology: Technology, over channel: any CardChannel
    ) throws(LinkError) -> [UInt8]? {
        let target =
            switch technology {
            case .typeA106: SessionProtocol(.typeA, layer: SessionProtocol.Layer.selection)
            case .felica212: SessionProtocol(.felica)
            case .felica424: SessionProtocol(.felica, layer: 0x20)
            }
        self.technology = nil
        guard let response = try ask(.switchProtocol, [.switchProtocol(to: target)], over: channel),
            try check(response, channel)
        else { return nil }
        self.technology = technology
        return response[.switchProtocol]?.value ?? []
    }

    /// Switches to the technology of a frame, unless the session is in it.
    ///
    /// - Returns: Whether the card is still there.
    mutating func prepare(for technology: Technology, over channel: any CardChannel) throws(LinkError) -> Bool {
        guard try begin(over: channel) else { return false }
        if self.technology == technology { return true }
        return try select(technology, over: channel) != nil
    }

    /// Sends what the objects say.
    ///
    /// - Returns: The bytes that came back, how many bits of them count, and what the receiver found; nothing for
    ///   silence.
    mutating func exchange(
        _ objects: [SessionObject], over channel: any CardChannel
    ) throws(LinkError) -> ([UInt8], bitCount: Int, FrameIntegrity)? {
        guard let response = try ask(.exchange, objects, over: channel), try check(response, channel),
            let bytes = response[.received]?.value, !bytes.isEmpty
        else { return nil }
        let found = response[.receptionStatus]?.receptionStatus ?? []
        let integrity: FrameIntegrity =
            if !found.isDisjoint(with: [.badParity, .badFraming]) { .badParity } else {
                found.isDisjoint(with: [.badCRC, .collision]) ? .good : .badCRC
            }
        let lastBits = Int((response[.receivedBits]?.value.first ?? 0) & 7)
        return (bytes, bitCount: bytes.count * 8 - (lastBits == 0 ? 0 : 8 - lastBits), integrity)
    }

    /// The UID of the card the reader has selected.
    func readUID(over channel: any CardChannel) throws(LinkError) -> UID? {
        let command = CommandAPDU(ins: .getData, expected: 0)
        guard let answer = try carry(command.bytes, over: channel),
            let response = try? ResponseAPDU(parsing: answer), response.status.isSuccess
        else { return nil }
        return UID(response.data)
    }

    /// Whether a command was carried out; not if the card is silent.
    ///
    /// - Throws: ``LinkError`` where the reader refuses the command for another reason.
    private func check(_ response: SessionResponse, _ channel: any CardChannel) throws(LinkError) -> Bool {
        guard let status = response.status?.status else {
            throw .strangeAnswer(Hex.text(response.bytes), to: "a transparent session", of: channel.readerName)
        }
        switch status {
        case .success, .endReached: return true
        case .noCardAnswer, .noReaderAnswer, .noInformation, .stopped: return false
        case .wrongLength:
            throw LinkError(.tooLong, "\(channel.readerName) carries no frame that long; ask for less at once")
        default:
            throw .cannotCarry(
                "this frame", over: channel.readerName,
                "it answered \(status) in its transparent session; use an ACR122U or another reader that can")
        }
    }

    private mutating func ask(
        _ step: SessionRequest.Step, _ objects: [SessionObject], over channel: any CardChannel
    ) throws(LinkError) -> SessionResponse? {
        let request = SessionRequest(step, objects, dialect: dialect)
        guard let answer = try carry(request.bytes, over: channel) else {
            // Where the card went the session has ended.
            (isOpen, technology) = (false, nil)
            return nil
        }
        return try? SessionResponse(parsing: answer)
    }

    private func carry(_ command: [UInt8], over channel: any CardChannel) throws(LinkError) -> [UInt8]? {
        switch way {
        case .transmit: try channel.transmit(command)
        case .escape(let code): try channel.control(code, command)
        }
    }
}

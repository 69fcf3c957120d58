import TapWire

/// Readers with a transparent session: frames in data objects, as in PC/SC part 3 or in the RC-S300's format.
///
/// For type A frames the CRC is computed and checked here, to distinguish the lone nibble of a refused command from a damaged
/// answer. The reader selects type A cards itself and reports SAK and UID; FeliCa cards are selected by a raw Polling. Source:
/// PC/SC part 3, supplement for contactless cards, "transparent session".
struct TransparentDialect: ReaderDialect {
    /// The maximum length in bytes of a card answer in a short response of 256 bytes: without the objects for the status, the
    /// bits and the reception, its own header, and the CRC that stays in it.
    private static let longestShortAnswer = 256 - 5 - 3 - 4 - 3 - CRCA.byteCount

    private var session: HostSession
    let limits: LinkLimits

    /// Accepts a reader in which a session can be started, and no other.
    init?(_ way: HostSession.Way, _ channel: any CardChannel) throws(LinkError) {
        session = HostSession(way)
        limits = way == .transmit ? LinkLimits(maximumAnswerLength: Self.longestShortAnswer) : .none
        guard try session.begin(over: channel) else { return nil }
    }

    mutating func activate(
        _ target: Target, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> ActivatedTag? {
        guard try session.begin(over: channel) else { return nil }
        switch target {
        case .felica(let polling, let technology):
            let frame = RFFrame(technology, polling.bytes)
            guard let answer = try transceive(frame, timeout: timeout, over: channel), answer.integrity == .good else {
                return nil
            }
            return (try? Polling.Response(parsing: answer.bytes)).map { .felica($0, technology) }
        case .typeA(let wakeUp):
            guard try session.select(.typeA106, over: channel) != nil else { return nil }
            if let tag = try selectByFrames(wakeUp ? .wupa : .reqa, timeout, over: channel) { return .typeA(tag) }
            return try selectByReader(over: channel).map { .typeA($0) }
        }
    }

    /// Selects a type A card with our own frames, which alone reveal its ATQA, and its UID if the reader has another card in
    /// its slot.
    ///
    /// - Returns: `nil` if the reader does not carry such frames, or cards collide.
    private mutating func selectByFrames(
        _ call: ShortFrame, _ timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> TypeATag? {
        do throws(LinkError) {
            var selection = TypeASelection(call)
            while case .send(let frame) = selection.step {
                selection.receive(try transceive(frame, timeout: timeout, over: channel))
            }
            guard case .selected(let tag) = selection.step else { return nil }
            return tag
        } catch {
            guard error.code == .unsupported else { throw error }
            return nil
        }
    }

    /// Lets the reader select the card, and trusts its SAK and UID.
    private mutating func selectByReader(over channel: any CardChannel) throws(LinkError) -> TypeATag? {
        guard let sak = try session.select(.typeA106, over: channel)?.first,
            let uid = try session.readUID(over: channel)
        else { return nil }
        return TypeATag(atqa: .assumed(uid), sak: SAK(sak), uid: uid)
    }

    mutating func transceive(
        _ frame: RFFrame, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> RFFrame? {
        try frame.checkSendable(by: channel.readerName)
        guard try session.prepare(for: frame.technology, over: channel) else { return nil }
        let isFeliCa = frame.technology.isFeliCa
        let objects: [SessionObject] = [
            .flags(isFeliCa ? .felica : [.withoutSentCRC, .keepReceivedCRC]),
            .timer(microseconds: timeout.wholeMicroseconds),
            .transmittedBits(UInt8(frame.bitCount % 8)),
            .transceive(isFeliCa ? frame.bytes : TypeAFraming.rfBytes(command: frame)),
        ]
        guard let (bytes, bitCount, integrity) = try session.exchange(objects, over: channel) else { return nil }
        guard !isFeliCa, integrity == .good else {
            return RFFrame(frame.technology, bytes, bitCount: bitCount, integrity: integrity)
        }
        return TypeAFraming.answer(rfBytes: bytes, bitCount: bitCount, to: frame)
    }

    mutating func end(over channel: any CardChannel) {
        session.end(over: channel)
    }
}

extension ATQA {
    /// The most probable ATQA if the reader does not report it: the size of the UID, bit frame anticollision.
    static func assumed(_ uid: UID) -> ATQA {
        switch uid.bytes.count {
        case 7: .ntag21x
        case 10: ATQA(0x0084)
        default: ATQA(0x0004)
        }
    }
}

extension Duration {
    /// The microseconds for a 32-bit timer, at least 1.
    fileprivate var wholeMicroseconds: UInt32 {
        UInt32(clamping: max(self, .microseconds(1)).wholeNanoseconds / 1_000)
    }
}

/// A transparent session of a reader, and the protocol to which it is switched.
struct HostSession {
    /// The way commands reach the reader.
    enum Way: Hashable {
        /// As APDUs to the card.
        case transmit
        /// As commands to the reader, in the RC-S300's format.
        case escape(ControlCode)
    }

    private let way: Way
    private var isOpen = false
    private var technology: Technology?

    init(_ way: Way) {
        self.way = way
    }

    private var dialect: SessionRequest.Dialect { way == .transmit ? .standard : .rcs300 }

    /// Starts the session, with the field on, unless it has started; returns `true` if there is a session.
    mutating func begin(over channel: any CardChannel) throws(LinkError) -> Bool {
        guard !isOpen else { return true }
        guard let started = try ask(.manage, [.start], over: channel), started.status == .success else { return false }
        isOpen = true
        technology = nil
        return true
    }

    mutating func end(over channel: any CardChannel) {
        guard isOpen else { return }
        _ = try? ask(.manage, [.end], over: channel)
        isOpen = false
    }

    /// Switches to a technology, in which the reader selects a type A card; returns its SAK, or `nil` if no card answers.
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

    /// Switches to a frame's technology, unless the session already uses it; returns `true` if the card is still present.
    mutating func prepare(for technology: Technology, over channel: any CardChannel) throws(LinkError) -> Bool {
        guard try begin(over: channel) else { return false }
        if self.technology == technology { return true }
        return try select(technology, over: channel) != nil
    }

    /// Sends the objects; returns the received bytes, their number of bits and the receiver's status, or `nil` for silence.
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

    func readUID(over channel: any CardChannel) throws(LinkError) -> UID? {
        let command = CommandAPDU(ins: .getData, expected: 0)
        guard let answer = try carry(command.bytes, over: channel),
            let response = try? ResponseAPDU(parsing: answer), response.status.isSuccess
        else { return nil }
        return UID(response.data)
    }

    /// Returns `true` if a command was carried out, `false` if the card is silent.
    ///
    /// - Throws: ``LinkError`` if the reader rejects the command for another reason.
    private func check(_ response: SessionResponse, _ channel: any CardChannel) throws(LinkError) -> Bool {
        guard let status = response.status?.status else {
            throw .strangeAnswer(Hex.text(response.bytes), to: "a transparent session", of: channel.readerName)
        }
        switch status {
        case .success, .endReached: return true
        case .noCardAnswer, .noReaderAnswer, .noInformation, .stopped: return false
        case .wrongLength:
            throw LinkError(.tooLong, "a frame is too long for \(channel.readerName); read or write less at once")
        default:
            throw .cannotCarry(
                "this frame", over: channel.readerName,
                "its transparent session failed with \(status); use an ACR122U or another reader that can")
        }
    }

    private mutating func ask(
        _ step: SessionRequest.Step, _ objects: [SessionObject], over channel: any CardChannel
    ) throws(LinkError) -> SessionResponse? {
        let request = SessionRequest(step, objects, dialect: dialect)
        guard let answer = try carry(request.bytes, over: channel) else {
            // The session ended when the card left.
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

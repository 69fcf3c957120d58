import TapWire

/// ACS ACR122U: a PN532 behind direct transmit commands.
///
/// Frames go out as they are sent over RF. For type A the CRC is computed and checked here, to distinguish the lone nibble of a
/// refused command from a damaged answer. Sources: ACR122U application programming interface 2.04, "direct transmit"; NXP,
/// PN532 user manual UM0701-02.
struct ACR122Dialect: ReaderDialect {
    /// The start of the text with which every firmware version identifies itself.
    private static let firmware = Array("ACR122".utf8)
    /// The number of times the chip looks again for a card: the first call ends a selection, the second finds the card.
    private static let searchRetries: UInt8 = 2

    private var chip = PN532Link()

    let limits = LinkLimits(maximumAnswerLength: PN532Link.longestAnswer)

    /// Accepts a reader that identifies itself as an ACR122U, and no other.
    init?(_ channel: any CardChannel) throws(LinkError) {
        let query = CommandAPDU(ins: .acs, p1: 0x48, expected: 0)
        guard let text = try channel.transmit(query.bytes), text.starts(with: Self.firmware) else { return nil }
    }

    mutating func activate(
        _ target: Target, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> ActivatedTag? {
        chip.forget()
        let retries = RFConfiguration.Request.searchRetries(atr: 0, psl: 1, passive: Self.searchRetries)
        guard try chip.ask(RFConfiguration.self, retries, over: channel) != nil else { return nil }
        let modulation = PN532Modulation(target.technology)
        let search =
            switch target {
            case .felica(let polling, let technology): InListPassiveTarget.Request(polling, technology)
            case .typeA: InListPassiveTarget.Request(modulation)
            }
        guard let found = try chip.ask(InListPassiveTarget.self, search, over: channel),
            let card = try? found.targets(modulation).first?.card
        else { return nil }
        chip.hasSelected(target.technology)
        return card
    }

    mutating func transceive(
        _ frame: RFFrame, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> RFFrame? {
        try frame.checkSendable(by: channel.readerName)
        guard try chip.prepare(for: frame, timeout, over: channel) else { return nil }
        return frame.technology.isFeliCa
            ? try sendFeliCa(frame, over: channel) : try sendTypeA(frame, over: channel)
    }

    private func sendFeliCa(_ frame: RFFrame, over channel: any CardChannel) throws(LinkError) -> RFFrame? {
        guard let (bytes, integrity) = try chip.communicate(frame.bytes, over: channel) else { return nil }
        return RFFrame(frame.technology, bytes, integrity: integrity)
    }

    private func sendTypeA(_ frame: RFFrame, over channel: any CardChannel) throws(LinkError) -> RFFrame? {
        let command = TypeAFraming.rfBytes(command: frame)
        guard let (bytes, integrity) = try chip.communicate(command, over: channel) else { return nil }
        guard integrity == .good else { return RFFrame(.typeA106, bytes, integrity: integrity) }
        // The number of bits matters only for a single byte: no other answer contains a partial byte.
        let lastBits = bytes.count == 1 ? try chip.bitsOfLastByte(over: channel) : 0
        let bitCount = bytes.count * 8 - (lastBits == 0 ? 0 : 8 - lastBits)
        return TypeAFraming.answer(rfBytes: bytes, bitCount: bitCount, to: frame)
    }
}

/// A PN532 behind an ACR122U, and the settings of its registers.
struct PN532Link {
    /// The maximum length in bytes of a card answer that gets through: a response APDU of 255 bytes without its status word,
    /// the two codes and the status of the chip, and the CRC that stays in the answer.
    static let longestAnswer = 255 - 2 - 3 - CRCA.byteCount

    /// The chip's initial wait for an answer: 51.2 ms.
    private static let defaultWait: UInt8 = 0x0A
    /// The chip's maximum wait: 3.28 s.
    private static let longestWait: UInt8 = 0x10
    /// The item of RFConfiguration with the timings.
    private static let timings: UInt8 = 0x02

    private var technology: Technology?
    private var bitsToSend: UInt8 = 0
    private var wait = defaultWait

    /// Discards the known register settings, since another card or program may have changed them.
    mutating func forget() {
        technology = nil
        wait = Self.defaultWait
    }

    /// Notes that the chip has selected a card; for type A its registers still need the settings for raw frames.
    mutating func hasSelected(_ technology: Technology) {
        self.technology = technology.isFeliCa ? technology : nil
    }

    /// Sends a command to the chip; returns `nil` if the card is gone or the chip is silent.
    ///
    /// - Throws: ``LinkError`` if the connection to the reader fails or the answer makes no sense.
    func ask<Command: PN532Command>(
        _: Command.Type, _ request: Command.Request, over channel: any CardChannel
    ) throws(LinkError) -> Command.Response? {
        let command = CommandAPDU(ins: .acs, data: request.bytes)
        guard command.data.count <= CommandAPDU.maximumShortData else {
            throw LinkError(
                .tooLong,
                "a frame of \(request.bytes.count) bytes is too long for \(channel.readerName); write less at once")
        }
        guard let response = try channel.send(command), response.status.isSuccess else { return nil }
        do {
            return try Command.Response(parsing: response.data)
        } catch {
            throw .strangeAnswer(response.description, to: command.description, of: channel.readerName)
        }
    }

    /// Sends bytes to the card; returns `nil` for silence.
    func communicate(
        _ bytes: [UInt8], over channel: any CardChannel
    ) throws(LinkError) -> ([UInt8], FrameIntegrity)? {
        let request = InCommunicateThru.Request(bytes)
        guard let response = try ask(InCommunicateThru.self, request, over: channel) else { return nil }
        switch response.status {
        case .badCRC: return (response.answer, .badCRC)
        case .badParity, .badFraming: return (response.answer, .badParity)
        case .overflow:
            throw LinkError(.tooLong, "the answer is too long for \(channel.readerName); read less at once")
        default: return response.status.isOK ? (response.answer, .good) : nil
        }
    }

    /// Returns the number of valid bits in the last received byte, 0 for all.
    func bitsOfLastByte(over channel: any CardChannel) throws(LinkError) -> Int {
        let values = try ask(ReadRegister.self, ReadRegister.Request([.control]), over: channel)
        return Int((values?.data.first ?? 0) & 7)
    }

    /// Sets the chip's CRC, bit rate, last bits and wait for a frame; returns `true` if the card is still present.
    mutating func prepare(
        for frame: RFFrame, _ timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> Bool {
        var entries: [WriteRegister.Entry] = []
        if technology != frame.technology { entries += Self.modes(frame.technology) }
        let bits = UInt8(frame.bitCount % 8)
        if bits != bitsToSend { entries.append(WriteRegister.Entry(.bitFraming, bits)) }
        if !entries.isEmpty {
            guard try ask(WriteRegister.self, WriteRegister.Request(entries), over: channel) != nil else {
                return false
            }
            (technology, bitsToSend) = (frame.technology, bits)
        }
        return try setWait(timeout, over: channel)
    }

    /// Returns the registers for raw frames: without CRC for type A, with CRC and the bit rate for FeliCa.
    private static func modes(_ technology: Technology) -> [WriteRegister.Entry] {
        let (sending, receiving): (UInt8, UInt8) =
            switch technology {
            case .typeA106: (0x00, 0x00)
            case .felica212: (0x92, 0x9A)
            case .felica424: (0xA2, 0xAA)
            }
        return [WriteRegister.Entry(.txMode, sending), WriteRegister.Entry(.rxMode, receiving)]
    }

    /// Lets the chip wait at least as long as requested, in steps of 100 µs times a power of two.
    private mutating func setWait(_ timeout: Duration, over channel: any CardChannel) throws(LinkError) -> Bool {
        var (step, length) = (Self.defaultWait, Duration.microseconds(51_200))
        while length < timeout, step < Self.longestWait {
            step += 1
            length *= 2
        }
        guard step > wait else { return true }
        let times = RFConfiguration.Request.other(item: Self.timings, [0x00, 0x0B, step])
        guard try ask(RFConfiguration.self, times, over: channel) != nil else { return false }
        wait = step
        return true
    }
}

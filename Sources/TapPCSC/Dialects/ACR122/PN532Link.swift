import TapWire

/// A PN532 behind an ACR122U, and what its registers are set to.
struct PN532Link {
    /// Bytes of the longest answer of a card that comes through: a response APDU of 255 bytes without its status word,
    /// the two codes and the status of the chip, and the CRC that is left in the answer.
    static let longestAnswer = 255 - 2 - 3 - CRCA.byteCount

    /// What the chip waits for an answer at first: 51.2 ms.
    private static let usualWait: UInt8 = 0x0A
    /// The longest it can wait: 3.28 s.
    private static let longestWait: UInt8 = 0x10
    /// Item of RFConfiguration with the times.
    private static let timings: UInt8 = 0x02

    private var technology: Technology?
    private var bitsToSend: UInt8 = 0
    private var wait = usualWait

    /// Forgets what the registers are set to, since another card or program may have changed them.
    mutating func forget() {
        technology = nil
        wait = Self.usualWait
    }

    /// Notes that the chip has selected a card; for type A its registers are still to be set for raw frames.
    mutating func hasSelected(_ technology: Technology) {
        self.technology = technology.isFeliCa ? technology : nil
    }

    /// Sends a command to the chip.
    ///
    /// - Returns: Its answer, or nothing if the card is gone or the chip is silent.
    /// - Throws: ``LinkError`` where the way to the reader fails or the answer makes no sense.
    func ask<Command: PN532Command>(
        _: Command.Type, _ request: Command.Request, over channel: any CardChannel
    ) throws(LinkError) -> Command.Response? {
        let command = CommandAPDU(ins: .acs, data: request.bytes)
        guard command.data.count <= CommandAPDU.maximumShortData else {
            throw LinkError(
                .tooLong, "a frame of \(request.bytes.count) bytes is more than \(channel.readerName) takes at once")
        }
        guard let response = try channel.send(command), response.status.isSuccess else { return nil }
        do {
            return try Command.Response(parsing: response.data)
        } catch {
            throw .strangeAnswer(response.description, to: command.description, of: channel.readerName)
        }
    }

    /// Sends bytes to the card.
    ///
    /// - Returns: What came back and how, or nothing for silence.
    func communicate(
        _ bytes: [UInt8], over channel: any CardChannel
    ) throws(LinkError) -> ([UInt8], FrameIntegrity)? {
        let request = InCommunicateThru.Request(bytes)
        guard let response = try ask(InCommunicateThru.self, request, over: channel) else { return nil }
        switch response.status {
        case .badCRC: return (response.answer, .badCRC)
        case .badParity, .badFraming: return (response.answer, .badParity)
        case .overflow:
            throw LinkError(.tooLong, "the answer is longer than \(channel.readerName) carries; ask for less at once")
        default: return response.status.isOK ? (response.answer, .good) : nil
        }
    }

    /// How many bits of the last byte received count, 0 for all.
    func bitsOfLastByte(over channel: any CardChannel) throws(LinkError) -> Int {
        let values = try ask(ReadRegister.self, ReadRegister.Request([.control]), over: channel)
        return Int((values?.data.first ?? 0) & 7)
    }

    /// Sets the chip for a frame: CRC, bit rate, bits of the last byte, and how long to wait.
    ///
    /// - Returns: Whether the card is still there.
    mutating func prepare(
        for frame: AirFrame, _ timeout: Duration, over channel: any CardChannel
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

    /// Registers for raw frames: without CRC for type A, with it and at the bit rate for FeliCa.
    private static func modes(_ technology: Technology) -> [WriteRegister.Entry] {
        let (sending, receiving): (UInt8, UInt8) =
            switch technology {
            case .typeA106: (0x00, 0x00)
            case .felica212: (0x92, 0x9A)
            case .felica424: (0xA2, 0xAA)
            }
        return [WriteRegister.Entry(.txMode, sending), WriteRegister.Entry(.rxMode, receiving)]
    }

    /// Lets the chip wait at least as long as asked; it counts in steps of 100 µs, each twice the one before.
    private mutating func setWait(_ timeout: Duration, over channel: any CardChannel) throws(LinkError) -> Bool {
        var (step, length) = (Self.usualWait, Duration.microseconds(51_200))
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

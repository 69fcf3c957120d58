import TapWire

/// ACS ACR122U: a PN532 behind direct transmit commands.
///
/// Frames go as they are on air: type A with a CRC made and checked here, so that a refused command, a lone nibble, is
/// told from a wrong one. Sources: ACR122U application programming interface 2.04, "direct transmit"; NXP, PN532 user
/// manual UM0701-02.
struct ACR122Dialect: ReaderDialect {
    /// What the firmware of every version says of itself first.
    private static let firmware = Array("ACR122".utf8)
    /// How often the chip looks again for a card: the first call ends a selection, the second finds the card.
    private static let searchRetries: UInt8 = 2

    private var chip = PN532Link()

    let limits = LinkLimits(maximumAnswerLength: PN532Link.longestAnswer)

    /// Takes a reader that says it is one.
    ///
    /// - Returns: Nothing for any other reader.
    /// - Throws: ``LinkError`` where the way to the reader fails.
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
        return switch card {
        case .typeA(let tag): .typeA(tag)
        case .felica(let answer): .felica(answer, target.technology)
        }
    }

    mutating func transceive(
        _ frame: AirFrame, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> AirFrame? {
        try frame.checkSendable(by: channel.readerName)
        guard try chip.prepare(for: frame, timeout, over: channel) else { return nil }
        return frame.technology.isFeliCa
            ? try sendFeliCa(frame, over: channel) : try sendTypeA(frame, over: channel)
    }

    private func sendFeliCa(_ frame: AirFrame, over channel: any CardChannel) throws(LinkError) -> AirFrame? {
        guard let (bytes, integrity) = try chip.communicate(frame.bytes, over: channel) else { return nil }
        return AirFrame(frame.technology, bytes, integrity: integrity)
    }

    private func sendTypeA(_ frame: AirFrame, over channel: any CardChannel) throws(LinkError) -> AirFrame? {
        let command = TypeAFraming.onAir(command: frame)
        guard let (bytes, integrity) = try chip.communicate(command, over: channel) else { return nil }
        guard integrity == .good else { return AirFrame(.typeA106, bytes, integrity: integrity) }
        // Only of a single byte is it worth asking how much of it came: nothing else of a few bits is an answer.
        let lastBits = bytes.count == 1 ? try chip.bitsOfLastByte(over: channel) : 0
        let bitCount = bytes.count * 8 - (lastBits == 0 ? 0 : 8 - lastBits)
        return TypeAFraming.answer(onAir: bytes, bitCount: bitCount, to: frame)
    }
}

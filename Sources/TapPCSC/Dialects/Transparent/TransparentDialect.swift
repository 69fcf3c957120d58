import TapWire

/// Readers with a transparent session: frames in data objects, in the way of PC/SC part 3 or of the RC-S300.
///
/// Type A frames carry a CRC made and checked here, so that a refused command, a lone nibble, is told from a wrong one.
/// The reader selects type A cards itself and tells SAK and UID; FeliCa cards are selected by a raw Polling. Source:
/// PC/SC part 3, supplement for contactless cards, "transparent session".
struct TransparentDialect: ReaderDialect {
    /// Bytes of the longest answer of a card in a short response of 256 bytes: without objects for the status, the bits
    /// and the reception, the head of its own, and the CRC left in it.
    private static let longestShortAnswer = 256 - 5 - 3 - 4 - 3 - CRCA.byteCount

    private var session: TransparentSession
    let limits: LinkLimits

    /// Takes a reader in which a session can be begun.
    ///
    /// - Returns: Nothing for any other reader.
    /// - Throws: ``LinkError`` where the way to the reader fails.
    init?(_ way: TransparentSession.Way, _ channel: any CardChannel) throws(LinkError) {
        session = TransparentSession(way)
        limits = way == .transmit ? LinkLimits(maximumAnswerLength: Self.longestShortAnswer) : .none
        guard try session.begin(over: channel) else { return nil }
    }

    mutating func activate(
        _ target: Target, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> ActivatedTag? {
        guard try session.begin(over: channel) else { return nil }
        switch target {
        case .felica(let polling, let technology):
            let frame = AirFrame(technology, polling.bytes)
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

    /// Selects a type A card by frames of our own, which alone tell its ATQA, and its UID where the reader has another
    /// card in its slot.
    ///
    /// - Returns: Nothing where the reader does not carry such frames, or cards collide.
    private mutating func selectByFrames(
        _ call: ShortFrame, _ timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> TypeATag? {
        do throws(LinkError) {
            return try FrameSelection.select(call) { frame throws(LinkError) in
                try transceive(frame, timeout: timeout, over: channel)
            }
        } catch {
            guard error.code == .unsupported else { throw error }
            return nil
        }
    }

    /// Lets the reader select the card, and takes its word for what it is.
    private mutating func selectByReader(over channel: any CardChannel) throws(LinkError) -> TypeATag? {
        guard let sak = try session.select(.typeA106, over: channel)?.first,
            let uid = try session.readUID(over: channel)
        else { return nil }
        return TypeATag(atqa: .untold(uid), sak: SAK(sak), uid: uid)
    }

    mutating func transceive(
        _ frame: AirFrame, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> AirFrame? {
        try frame.checkSendable(by: channel.readerName)
        guard try session.prepare(for: frame.technology, over: channel) else { return nil }
        let isFeliCa = frame.technology.isFeliCa
        let objects: [SessionObject] = [
            .flags(isFeliCa ? .felica : [.withoutSentCRC, .keepReceivedCRC]),
            .timer(microseconds: timeout.wholeMicroseconds),
            .transmittedBits(UInt8(frame.bitCount % 8)),
            .transceive(isFeliCa ? frame.bytes : TypeAFraming.onAir(command: frame)),
        ]
        guard let (bytes, bitCount, integrity) = try session.exchange(objects, over: channel) else { return nil }
        guard !isFeliCa, integrity == .good else {
            return AirFrame(frame.technology, bytes, bitCount: bitCount, integrity: integrity)
        }
        return TypeAFraming.answer(onAir: bytes, bitCount: bitCount, to: frame)
    }

    mutating func end(over channel: any CardChannel) {
        session.end(over: channel)
    }
}

extension ATQA {
    /// What a reader that tells no ATQA has most probably received: the size of the UID, bit frame anticollision.
    static func untold(_ uid: UID) -> ATQA {
        switch uid.bytes.count {
        case 7: .ntag21x
        case 10: ATQA(0x0084)
        default: ATQA(0x0004)
        }
    }
}

extension Duration {
    /// Microseconds as a timer of 32 bits takes them, at least one.
    fileprivate var wholeMicroseconds: UInt32 {
        UInt32(clamping: max(self, .microseconds(1)).wholeNanoseconds / 1_000)
    }
}

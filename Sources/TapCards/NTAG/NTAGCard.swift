import TapWire

/// An NTAG213, NTAG215 or NTAG216: a value over a shared template, its pages copied when first written to.
///
/// Every error ends the selection: the tag falls back to IDLE, or to HALT where the selection began there.
/// Source: NTAG213/215/216 data sheet rev. 3.2.
public struct NTAGCard: CardEngine {
    /// How long programming a page takes, after which the tag acknowledges.
    ///
    /// Inferred from the duration of a WRITE in the NTAG203 data sheet rev. 3.0; a reader waits 10 ms.
    public static let programmingTime = AirTime.carrierPeriods(programmingPeriods)
    /// ``programmingTime`` in carrier periods: 4 ms.
    static var programmingPeriods: Int { 4 * 13_560 }

    /// What the card shares with others made from the same definition.
    public let template: NTAGTemplate

    // What survives power-off.
    var pages: [PageData]
    var password: PageData
    var isPasswordKnown: Bool
    var packPage: PageData
    /// The NFC counter, 24 bits.
    public internal(set) var counter: UInt32
    /// Wrong passwords since the last right one.
    public internal(set) var failedAuthentications: UInt8

    // What power-off ends.
    var state = NTAGState()
    var latches = NTAGLatches()
    var counterMayTick = false
    /// The page of a COMP_WRITE whose second step has not come yet.
    var pendingPage: UInt8?

    /// What the tag says of itself in selection, where that is not what its memory says.
    public var disguise: NTAGDisguise? {
        get { if case .some(let disguise) = rareDisguise { disguise } else { nil } }
        set { rareDisguise = newValue.map(RareDisguise.some) ?? .none }
    }
    private var rareDisguise = RareDisguise.none

    /// Creates a card from a template, outside a field.
    public init(_ template: NTAGTemplate) {
        self.template = template
        pages = template.pages
        password = template.password
        isPasswordKnown = template.definition.isPasswordKnown
        packPage = template.packPage
        counter = template.definition.counter
        failedAuthentications = template.definition.failedAuthentications
    }

    /// Creates a card from a definition, outside a field.
    public init(_ definition: NTAGDefinition) {
        self.init(NTAGTemplate(definition))
    }

    /// Whether the card hears frames of a technology: type A only.
    public func hears(_ technology: Technology) -> Bool { technology == .typeA106 }

    /// Power reaches the card.
    public mutating func fieldRose() {
        state.fieldRose()
        pendingPage = nil
        latch(.powerOn)
    }

    /// Power is gone.
    public mutating func fieldFell() {
        state.fieldFell()
        pendingPage = nil
        counterMayTick = false
        latches = NTAGLatches()
    }

    /// Hears a frame and answers it into `buffer`.
    public mutating func answer(
        _ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity, context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> CardReply {
        buffer.removeAll()
        // A dump is one READ after the other, so they are looked for before everything else.
        if frame.count == ReadPages.Request.length, Type2Opcode(frame[0]) == .read,
            isOrdinary(frame, bitCount: bitCount, integrity: integrity)
        {
            return read(frame[1], context: &context, into: &buffer)
        }
        if isOrdinary(frame, bitCount: bitCount, integrity: integrity),
            let reply = dispatch(frame, context: &context, into: &buffer)
        {
            return reply
        }
        return judge(frame, bitCount: bitCount, integrity: integrity, context: &context, into: &buffer)
    }

    /// The state in the words of the data sheet; `*` marks a selection that began in HALT, to which errors lead back.
    public var stateName: String { state.name }

    /// Whether all that survives power-off is the same as in `other`.
    public func hasSameMemory(as other: NTAGCard) -> Bool {
        pages == other.pages && password == other.password && isPasswordKnown == other.isPasswordKnown
            && packPage == other.packPage && counter == other.counter
            && failedAuthentications == other.failedAuthentications
    }
}

extension NTAGCard {
    var layout: NTAGLayout { template.layout }
    var quirks: NTAGQuirks { template.quirks }
    var isAuthenticated: Bool { state.phase == .authenticated }

    /// Whether a frame is what nearly all are: whole and good, to a selected tag that waits for nothing.
    ///
    /// If it is a command, then what ``HeardFrame`` would tell of it is known.
    @inline(always)
    private func isOrdinary(_ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity) -> Bool {
        integrity == .good && frame.count > 0 && bitCount == frame.count &* 8 && pendingPage == nil
            && (state.phase == .active || state.phase == .authenticated)
    }

    /// Judges a frame of any kind, in any state, and answers it.
    private mutating func judge(
        _ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity, context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> CardReply {
        let bits = max(0, min(bitCount, frame.count * 8))
        let command = frame.extracting(first: (bits &+ 7) >> 3)
        let isBeingSelected = state.isBeingSelected
        guard
            let heard = HeardFrame(command, bitCount: bits, integrity: integrity, isBeingSelected: isBeingSelected)
        else { return .silence }
        switch state.phase {
        case .off: return .silence
        case .idle, .halt: return wake(command, heard, context: &context, into: &buffer)
        case .ready1, .ready2, .ready3:
            return select(command, bitCount: bits, heard, context: &context, into: &buffer)
        case .active, .authenticated: return execute(command, heard, context: &context, into: &buffer)
        }
    }

    /// Takes over what is due at a moment.
    mutating func latch(_ moment: NTAGQuirks.LatchMoment) {
        latches.take(configuration, staticLocks, dynamicLocks, at: moment, quirks: quirks)
        if quirks.counterTick.isDue(at: moment) { counterMayTick = true }
    }

    /// Ends the selection without an answer.
    mutating func fallBack() -> CardReply {
        state.take(.error)
        return .silence
    }

    /// Sends a NAK, which ends the selection.
    mutating func refuse(_ nak: Acknowledgement = .invalidArgument, into buffer: inout FrameBuffer) -> CardReply {
        if !quirks.stayActiveAfterNak { state.take(.error) }
        nak.write(into: &buffer)
        return .data
    }
}

extension CardReply {
    /// The answer is sent as soon as the tag may, after any command.
    ///
    /// Only a lower bound is documented, so it is not worth a CRC to know the last bit of the command.
    static var data: CardReply { .frame(after: FrameDelay.afterOne) }

    /// The answer is sent when the memory has been programmed.
    static var programmed: CardReply {
        // One constant; a sum of durations would be computed again for each command.
        .frame(after: AirTime.carrierPeriods(FrameDelay.periodsAfterOne + NTAGCard.programmingPeriods))
    }

    /// The answer is sent at the one moment allowed for it while a tag is being selected.
    static func activation(after command: Span<UInt8>, bitCount: Int) -> CardReply {
        .frame(after: FrameDelay.minimum(after: command, bitCount: bitCount))
    }
}

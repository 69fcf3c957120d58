import TapWire

/// An NTAG213, NTAG215 or NTAG216: a value that shares a template and copies its pages on the first write.
///
/// Every error ends the selection: the tag falls back to IDLE, or to HALT if the selection began there.
/// Source: NTAG213/215/216 data sheet rev. 3.2.
public struct NTAGCard: CardEngine {
    /// The time to program a page, after which the tag acknowledges.
    ///
    /// Inferred from the duration of a WRITE in the NTAG203 data sheet rev. 3.0; a reader waits 10 ms.
    public static let programmingTime = TransmissionTime.carrierPeriods(programmingPeriods)
    /// ``programmingTime`` in carrier periods: 4 ms.
    static var programmingPeriods: Int { 4 * 13_560 }

    public let template: NTAGTemplate

    // State that survives power-off.
    var pages: [PageData]
    var password: PageData
    var isPasswordKnown: Bool
    var packPage: PageData
    /// The NFC counter, 24 bits.
    public internal(set) var counter: UInt32
    public internal(set) var failedAuthentications: UInt8

    // State lost at power-off.
    var state = NTAGState()
    var latches = NTAGLatches()
    var counterMayTick = false
    /// The page of a COMP_WRITE before its second step.
    var pendingPage: UInt8?

    /// The values the tag reports in selection, if they differ from its memory.
    public var disguise: NTAGDisguise? {
        get { if case .some(let disguise) = rareDisguise { disguise } else { nil } }
        set { rareDisguise = newValue.map(RareDisguise.some) ?? .none }
    }
    private var rareDisguise = RareDisguise.none

    public init(_ template: NTAGTemplate) {
        self.template = template
        pages = template.pages
        password = template.password
        isPasswordKnown = template.definition.isPasswordKnown
        packPage = template.packPage
        counter = template.definition.counter
        failedAuthentications = template.definition.failedAuthentications
    }

    public init(_ definition: NTAGDefinition) {
        self.init(NTAGTemplate(definition))
    }

    /// Type A only.
    public func hears(_ technology: Technology) -> Bool { technology == .typeA106 }

    public mutating func fieldRose() {
        state.fieldRose()
        pendingPage = nil
        latch(.powerOn)
    }

    public mutating func fieldFell() {
        state.fieldFell()
        pendingPage = nil
        counterMayTick = false
        latches = NTAGLatches()
    }

    public mutating func answer(
        _ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity, context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> CardReply {
        buffer.removeAll()
        if isOrdinary(frame, bitCount: bitCount, integrity: integrity), let command = NTAGCommand(frame) {
            return perform(command, context: &context, into: &buffer)
        }
        return judge(frame, bitCount: bitCount, integrity: integrity, context: &context, into: &buffer)
    }

    /// The state as named in the data sheet; `*` marks a selection that began in HALT, to which errors return.
    public var stateName: String { state.name }

    public func assumption(about fact: CardFact) -> CardAssumption? {
        CardAssumption(fact, template.definition.assumptions.confidence(in: fact), in: quirks)
    }

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

    /// Returns whether a frame is of the most common kind: whole and good, to a selected tag that waits for nothing.
    ///
    /// If such a frame is a command, ``ReceivedFrame`` would classify it as standard.
    @inline(always)
    private func isOrdinary(_ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity) -> Bool {
        integrity == .good && frame.count > 0 && bitCount == frame.count &* 8 && pendingPage == nil
            && (state.phase == .active || state.phase == .authenticated)
    }

    /// Classifies a frame of any kind, in any state, and answers it.
    private mutating func judge(
        _ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity, context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> CardReply {
        let bits = max(0, min(bitCount, frame.count * 8))
        let command = frame.extracting(first: (bits &+ 7) >> 3)
        let isBeingSelected = state.isBeingSelected
        guard
            let heard = ReceivedFrame(command, bitCount: bits, integrity: integrity, isBeingSelected: isBeingSelected)
        else { return .silence }
        switch state.phase {
        case .off: return .silence
        case .idle, .halt: return wake(command, heard, context: &context, into: &buffer)
        case .ready1, .ready2, .ready3:
            return select(command, bitCount: bits, heard, context: &context, into: &buffer)
        case .active, .authenticated: return execute(command, heard, context: &context, into: &buffer)
        }
    }

    /// Applies the settings that take effect at a moment.
    mutating func latch(_ moment: NTAGQuirks.LatchMoment) {
        latches.take(configuration, staticLocks, dynamicLocks, at: moment, quirks: quirks)
        if quirks.counterTick.isDue(at: moment) { counterMayTick = true }
    }

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
    /// The answer is sent as early as the tag may, after any command.
    ///
    /// Only a lower bound is documented, so computing a CRC to find the last bit of the command is not worthwhile.
    static var data: CardReply { .frame(after: FrameDelay.afterOne) }

    /// The answer is sent when the memory has been programmed.
    static var programmed: CardReply {
        // A single constant; a sum of durations would be recomputed for each command.
        .frame(after: TransmissionTime.carrierPeriods(FrameDelay.periodsAfterOne + NTAGCard.programmingPeriods))
    }

    /// The answer is sent at the only moment allowed while a tag is being selected.
    static func activation(after command: Span<UInt8>, bitCount: Int) -> CardReply {
        .frame(after: FrameDelay.minimum(after: command, bitCount: bitCount))
    }
}

/// Information a reader has without reading the memory: response times and the UID.
extension NTAGCard {
    /// The timeout of commands that only read.
    ///
    /// Source: NTAG213/215/216 data sheet rev. 3.2, "timings" of each command.
    public static let readingTimeout = Duration.milliseconds(5)
    /// The timeout of WRITE and of the second step of a COMPATIBILITY_WRITE.
    ///
    /// Source: NTAG213/215/216 data sheet rev. 3.2, "WRITE" and "COMPATIBILITY_WRITE".
    public static let writingTimeout = Duration.milliseconds(10)

    /// The timeout given in the data sheet for a command.
    public func longestDelay(answering command: Span<UInt8>) -> Duration {
        if pendingPage != nil { return Self.writingTimeout }
        return command.count > 0 && Type2Opcode(command[0]) == .write ? Self.writingTimeout : Self.readingTimeout
    }

    /// Returns a copy of this tag as defined, with the last byte of its UID inverted.
    public func withAnotherIdentifier() -> NTAGCard {
        var definition = template.definition
        // The last byte of page 01 and with it BCC1, which stays as correct or incorrect as before.
        definition[page: 1] = PageData(definition[page: 1].simd ^ SIMD4(0, 0, 0, 0xFF))
        definition[page: 2] = PageData(definition[page: 2].simd ^ SIMD4(0xFF, 0, 0, 0))
        return NTAGCard(definition)
    }
}

extension NTAGCard {
    /// A page, including PWD and PACK; zero outside the memory.
    public subscript(page page: Int) -> PageData {
        switch page {
        case layout.passwordPage: password
        case layout.packPage: packPage
        case pages.indices: pages[page]
        default: .zero
        }
    }

    public var uid: UID { template.definition.uid }

    public var staticLocks: StaticLockBits { StaticLockBits(pages[NTAGLayout.staticLockPage]) }

    public var dynamicLocks: DynamicLockBits { DynamicLockBits(pages[layout.dynamicLockPage]) }

    /// CFG0 and CFG1 as stored, whether or not in effect.
    public var configuration: NTAGConfiguration {
        NTAGConfiguration(cfg0: pages[layout.cfg0Page], cfg1: pages[layout.cfg1Page])
    }

    /// Returns whether the stored lock bits of a page are set; pages without lock bits are never locked.
    public func isLocked(_ page: Int) -> Bool {
        staticLocks.locks(page) || dynamicLocks.locks(page, of: layout)
    }

    /// The definition of the tag in its state after power-off; an equal tag can be created from it.
    public var definition: NTAGDefinition {
        var definition = template.definition
        for page in 0..<layout.pageCount { definition[page: page] = self[page: page] }
        definition.isPasswordKnown = isPasswordKnown
        definition.counter = counter
        definition.failedAuthentications = failedAuthentications
        return definition
    }
}

/// Access to the memory as cells, for memory faults.
extension NTAGCard {
    public func cells(writtenBy command: Span<UInt8>) -> [Range<Int>] {
        guard state.phase == .active || state.phase == .authenticated,
            case .write(let request)? = NTAGCommand(command), mayWrite(Int(request.page))
        else { return [] }
        let start = Int(request.page) * PageData.byteCount
        return [start..<start + PageData.byteCount]
    }

    /// A byte of memory, including PWD and PACK; outside the memory, reads give zero and writes are ignored.
    public subscript(cell cell: Int) -> UInt8 {
        get { cell < 0 ? 0 : self[page: cell / PageData.byteCount][cell % PageData.byteCount] }
        set {
            let (page, byte) = cell.quotientAndRemainder(dividingBy: PageData.byteCount)
            guard cell >= 0, page < layout.pageCount else { return }
            switch page {
            case layout.passwordPage: password[byte] = newValue
            case layout.packPage: packPage[byte] = newValue
            default: pages[page][byte] = newValue
            }
        }
    }
}

/// Changes that no reader command makes.
extension NTAGCard {
    /// Ends the selection as any error does: IDLE, or HALT if the selection began there.
    public mutating func loseSelection() {
        pendingPage = nil
        _ = fallBack()
    }

    /// Forgets the authentication, but stays selected.
    public mutating func loseAuthentication() {
        state.forgetAuthentication()
    }

    /// Stores a page regardless of locks and passwords; does nothing outside the memory.
    ///
    /// Settings in the page take effect when the tag is selected again.
    public mutating func replacePage(_ page: Int, with data: PageData) {
        switch page {
        case layout.passwordPage: (password, isPasswordKnown) = (data, true)
        case layout.packPage: packPage = data
        case pages.indices: pages[page] = data
        default: break
        }
    }
}

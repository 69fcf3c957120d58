import TapWire

/// A command of the tag, decoded from a good frame.
enum NTAGCommand {
    case read(ReadPages.Request)
    case fastRead(FastRead.Request)
    case write(WritePage.Request)
    /// The first step of a COMP_WRITE; the second is not a command.
    case compatibilityWrite(CompatibilityWrite.Request)
    case passwordAuthentication(PasswordAuthentication.Request)
    case readCounter(ReadCounter.Request)
    case readSignature(ReadSignature.Request)
    case getVersion
    case halt
    /// CHECK_TEARING_EVENT of a counter, known by a related IC.
    case checkTearing(UInt8)

    /// Decodes a frame; returns `nil` for an unknown opcode or a wrong length.
    @inline(always)
    init?(_ frame: Span<UInt8>) {
        guard frame.count > 0 else { return nil }
        switch (Type2Opcode(frame[0]), frame.count) {
        case (.read, ReadPages.Request.length): self = .read(.init(unchecked: frame))
        case (.fastRead, FastRead.Request.length): self = .fastRead(.init(unchecked: frame))
        case (.write, WritePage.Request.length): self = .write(.init(unchecked: frame))
        case (.compatibilityWrite, CompatibilityWrite.Request.length):
            self = .compatibilityWrite(.init(unchecked: frame))
        case (.passwordAuthentication, PasswordAuthentication.Request.length):
            self = .passwordAuthentication(.init(unchecked: frame))
        case (.readCounter, ReadCounter.Request.length): self = .readCounter(.init(unchecked: frame))
        case (.readSignature, ReadSignature.Request.length): self = .readSignature(.init(unchecked: frame))
        case (.getVersion, GetVersion.Request.length): self = .getVersion
        case (.halt, HLTA.Request.length) where frame.bigEndian16(at: 0) == HLTA.Request.code: self = .halt
        case (.checkTearing, 2): self = .checkTearing(frame[1])
        default: return nil
        }
    }
}

/// The reaction of a selected tag to a frame, in the order of its checks.
///
/// Each command is a separate function, so that no command pays for the registers and stack of another.
/// Source: NTAG213/215/216 data sheet rev. 3.2, "NTAG commands" and "ACK and NAK".
extension NTAGCard {
    /// Checks a frame and carries out its command.
    mutating func execute(
        _ frame: Span<UInt8>, _ heard: ReceivedFrame, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        let pending = pendingPage
        pendingPage = nil
        switch heard {
        case .standard:
            break
        case .tooShort where quirks.tooShortFrame == .nak0:
            return refuse(into: &buffer)
        case .short, .tooShort, .anticollision:
            return fallBack()
        case .damaged(let integrity):
            switch quirks.badCrc {
            case .ignored where integrity == .badCRC: break
            case .nak1, .ignored: return refuse(.checkFailed, into: &buffer)
            case .nak0: return refuse(into: &buffer)
            case .silent: return fallBack()
            }
        }
        return switch (pending, NTAGCommand(frame)) {
        case (_, .halt?): perform(.halt, context: &context, into: &buffer)
        case (let page?, _): finishCompatibilityWrite(frame, page: page, context: &context, into: &buffer)
        case (nil, let command?): perform(command, context: &context, into: &buffer)
        case (nil, nil): refuse(Type2Opcode(frame[0]), into: &buffer)
        }
    }

    @inline(always)
    mutating func perform(
        _ command: NTAGCommand, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        switch command {
        case .read(let request):
            return read(request.page, context: &context, into: &buffer)
        case .fastRead(let request):
            return fastRead(request.first, request.last, context: &context, into: &buffer)
        case .write(let request):
            return write(request.data, to: request.page, context: &context, into: &buffer)
        case .compatibilityWrite(let request):
            return beginCompatibilityWrite(page: request.page, into: &buffer)
        case .passwordAuthentication(let request):
            return authenticate(request.password, context: &context, into: &buffer)
        case .readCounter(let request):
            return readCounter(request.address, into: &buffer)
        case .readSignature(let request):
            guard request.address == 0 || quirks.readSigAddress == .ignored else { return refuse(into: &buffer) }
            template.definition.signature.write(into: &buffer)
            return .data
        case .getVersion:
            template.definition.version.write(into: &buffer)
            return .data
        case .halt:
            state.take(.halt)
            return .silence
        case .checkTearing(let counter):
            guard quirks.checkTearing == .answerBD, counter == ReadCounter.nfcCounter else {
                return refuse(Type2Opcode.checkTearing, into: &buffer)
            }
            buffer.append(Self.untornCounter)
            return .data
        }
    }

    /// The answer of a MIFARE Ultralight EV1 to CHECK_TEARING_EVENT about a counter that was not torn.
    private static let untornCounter: UInt8 = 0xBD

    /// Refuses an opcode that is unknown to the tag or has a wrong length.
    @inline(never)
    private mutating func refuse(_ opcode: Type2Opcode, into buffer: inout FrameBuffer) -> CardReply {
        let isKnown =
            opcode == .checkTearing
            ? quirks.checkTearing == .answerBD : opcode.explanation?.isKnownToNTAG21x == true
        return isKnown || quirks.unknownOpcode == .nak0 ? refuse(into: &buffer) : fallBack()
    }
}

/// The kind of a frame to a type A card, before its bytes are inspected.
enum ReceivedFrame: Hashable {
    /// Seven bits; 0 if the short frame is damaged.
    case short(ShortFrame)
    /// Fewer than three bytes over the air.
    case tooShort
    /// Parity, framing or CRC is wrong.
    case damaged(FrameIntegrity)
    /// Known bits of a UID, while the card is being selected.
    case anticollision
    /// Whole bytes with a correct CRC.
    case standard

    /// Classifies a frame; returns `nil` if it has no bits.
    ///
    /// An anticollision frame has no CRC. Outside selection a card expects one, so there such a frame is too short, damaged or,
    /// if its end happens to be a correct CRC, a command.
    @inline(always)
    init?(_ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity, isBeingSelected: Bool) {
        let isAnticollision = integrity != .badCRC && TypeAFraming.isAnticollision(frame, bitCount: bitCount)
        let hasCRC = bitCount & 7 == 0 && !isAnticollision
        let isGood = integrity == .good
        if isGood, bitCount == 0 { return nil }
        if isGood, hasCRC || !isBeingSelected && Self.isCommand(frame, bitCount: bitCount) {
            self = .standard
        } else if bitCount == TypeAFraming.shortFrameBits {
            self = .short(ShortFrame(isGood ? frame[0] : 0))
        } else if isGood, isAnticollision, isBeingSelected {
            self = .anticollision
        } else if bitCount + (hasCRC ? 8 * CRCA.byteCount : 0) < TypeAFraming.shortestStandardFrameBits {
            self = .tooShort
        } else if isGood {
            self = .damaged(bitCount & 7 == 0 ? .badCRC : .badParity)
        } else {
            self = .damaged(integrity)
        }
    }

    /// Returns whether the bits of an anticollision frame are also a command with a correct CRC.
    private static func isCommand(_ frame: Span<UInt8>, bitCount: Int) -> Bool {
        bitCount & 7 == 0 && bitCount >= TypeAFraming.shortestStandardFrameBits && CRCA.checksum(of: frame) == 0
    }
}

/// READ, FAST_READ and READ_CNT.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "READ", "FAST_READ", "READ_CNT", "NFC counter function".
extension NTAGCard {
    /// The number of pages, from page 0 on, that are currently readable.
    @inline(always)
    var readablePageCount: Int {
        guard latches.access.prot, !isAuthenticated else { return pages.count }
        return min(Int(latches.auth0), pages.count)
    }

    /// Performs READ: four pages; after the last readable page, the address wraps to page 0.
    @inline(always)
    mutating func read(_ first: UInt8, context: inout CardContext, into buffer: inout FrameBuffer) -> CardReply {
        let limit = readablePageCount
        guard Int(first) < limit else { return refuse(into: &buffer) }
        return show(Int(first), count: ReadPages.pageCount, wrappingAt: limit, context: &context, into: &buffer)
    }

    /// Performs FAST_READ: all pages of a range, none of which may be protected.
    mutating func fastRead(
        _ first: UInt8, _ last: UInt8, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        let limit = readablePageCount
        guard first <= last, Int(last) < limit else { return refuse(into: &buffer) }
        let count = Int(last) - Int(first) + 1
        let reply = show(Int(first), count: count, wrappingAt: limit, context: &context, into: &buffer)
        return count <= quirks.fastReadMaxPages.pageCount ? reply : .silence
    }

    /// Performs READ_CNT, which is not a read that counts.
    mutating func readCounter(_ address: UInt8, into buffer: inout FrameBuffer) -> CardReply {
        let isAnswered = latches.access.isCounterEnabled || quirks.readCntWhenDisabled == .answer
        guard address == ReadCounter.nfcCounter, isAnswered, mayShowCounter else { return refuse(into: &buffer) }
        let isLowByteFirst = quirks.counterReadOrder == .lsbFirst
        ReadCounter.Response(value: isLowByteFirst ? counter : counter.byteSwapped >> 8).write(into: &buffer)
        return .data
    }

    /// A Boolean value that indicates whether the counter may be read: it is unprotected, or the password was given.
    private var mayShowCounter: Bool { isAuthenticated || !latches.access.isCounterProtected }

    /// Appends pages as a reader sees them, and increments the counter if due.
    @inline(always)
    private mutating func show(
        _ first: Int, count: Int, wrappingAt limit: Int, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        guard latches.mirrorKind == .none, !willCount, count <= limit - first else {
            return showEachPage(first, count: count, wrappingAt: limit, context: &context, into: &buffer)
        }
        let shown = pages[first..<first + count]
        buffer.append(shown.span)
        return .data
    }

    /// Appends pages one by one, for reads that wrap, show a mirror or count.
    private mutating func showEachPage(
        _ first: Int, count: Int, wrappingAt limit: Int, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        // A memory that cannot be programmed cannot count either.
        let isCounted = willCount && !context.isMemoryFailing
        if isCounted, quirks.counterTickOrder == .before { tick() }
        let mirror = mirror
        var page = first
        for _ in 0..<count {
            let shown = mirror?.overlay(pages[page], of: page) ?? pages[page]
            shown.write(into: &buffer)
            page = page + 1 < limit ? page + 1 : 0
        }
        if isCounted, quirks.counterTickOrder == .after { tick() }
        return .data
    }

    /// A Boolean value that indicates whether the next read increments the counter.
    private var willCount: Bool { latches.access.isCounterEnabled && counterMayTick }

    /// The mirror currently shown over the memory.
    private var mirror: NTAGMirror? {
        if latches.mirrorKind == .none { return nil }
        return NTAGMirror(
            latches.mirrorKind, configuration, showsCounter: latches.access.isCounterEnabled && mayShowCounter,
            fit: quirks.mirrorPartialFit, uid: template.definition.uid.bytes, counter: counter, layout: layout)
    }

    /// Counts the first read since the counter was armed, up to its maximum value.
    private mutating func tick() {
        counterMayTick = false
        counter = min(counter + 1, ReadCounter.maximumValue)
    }
}

/// WRITE and COMPATIBILITY_WRITE.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "WRITE", "COMPATIBILITY_WRITE", "static lock bytes", "dynamic lock
/// bytes".
extension NTAGCard {
    @inline(never)
    mutating func write(
        _ data: PageData, to address: UInt8, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        let page = Int(address)
        guard mayWrite(page) else { return refuse(into: &buffer) }
        if page == layout.cfg1Page, isAuthenticationLimitReached { keepLimit(&context) }
        if let power = context.power {
            programInPart(data, at: page, power)
            return .silence
        }
        if context.isMemoryFailing {
            _ = refuse(.writeFailed, into: &buffer)
        } else {
            program(data, at: page)
            Acknowledgement.ack.write(into: &buffer)
        }
        return .programmed
    }

    /// Performs the first step of a COMP_WRITE, checked like a WRITE.
    mutating func beginCompatibilityWrite(page: UInt8, into buffer: inout FrameBuffer) -> CardReply {
        let isLeftToSecondStep = Int(page) < NTAGLayout.staticLockPage && quirks.compWritePage01 == .ackPart1NakPart2
        guard isLeftToSecondStep || mayWrite(Int(page)) else { return refuse(into: &buffer) }
        pendingPage = page
        Acknowledgement.ack.write(into: &buffer)
        return .data
    }

    /// Performs the second step of a COMP_WRITE: sixteen bytes, or the command is over.
    mutating func finishCompatibilityWrite(
        _ frame: Span<UInt8>, page: UInt8, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        guard frame.count == CompatibilityWrite.Data.length else { return refuse(into: &buffer) }
        return write(PageData(frame, at: 0), to: page, context: &context, into: &buffer)
    }

    /// Returns whether a page is currently writable; locks apply to authenticated readers too.
    @inline(always)
    func mayWrite(_ page: Int) -> Bool {
        guard isAuthenticated || page < Int(latches.auth0) else { return false }
        if !layout.isUserPage(page) {
            guard page >= NTAGLayout.staticLockPage, page < layout.pageCount else { return false }
            if page == layout.cfg0Page || page == layout.cfg1Page { return !latches.isConfigurationLocked }
        }
        return !latches.hasLocks || !latches.staticLocks.locks(page) && !latches.dynamicLocks.locks(page, of: layout)
    }

    /// Programs a page as far as power lasts: its bytes are erased, then written.
    ///
    /// Lock bytes and capability container keep their content until programming is complete. The order of bytes, and that an
    /// erased byte is zero, are inferred.
    /// Source: NTAG213/215/216 data sheet rev. 3.2, "anti-tearing" of lock bits and capability container.
    private mutating func programInPart(_ data: PageData, at page: Int, _ power: PowerBudget) {
        let protected = [NTAGLayout.staticLockPage, NTAGLayout.capabilityContainerPage, layout.dynamicLockPage]
        guard !protected.contains(page) else {
            if power.steps(of: 1) == 1 { program(data, at: page) }
            return
        }
        var torn = self[page: page]
        for step in 0..<power.steps(of: 2 * PageData.byteCount) {
            let byte = step % PageData.byteCount
            torn[byte] = step < PageData.byteCount ? 0 : data[byte]
        }
        program(torn, at: page)
    }

    /// Stores a page according to its rules, and applies settings that take effect at once.
    @inline(always)
    private mutating func program(_ data: PageData, at page: Int) {
        if layout.isUserPage(page) {
            pages[page] = data
        } else {
            programSettings(data, at: page)
        }
    }

    /// Stores a page outside user memory.
    @inline(never)
    private mutating func programSettings(_ data: PageData, at page: Int) {
        switch page {
        case NTAGLayout.staticLockPage:
            let written = StaticLockBits(data)
            let locks = staticLocks.gaining(written, bl94MissesL8L9: quirks.bl94MissesL8L9)
            pages[page] = locks.page(over: pages[page])
        case NTAGLayout.capabilityContainerPage:
            pages[page].simd |= data.simd
        case layout.dynamicLockPage:
            let storesReserved = quirks.rfuiLockBits == .stored
            let locks = dynamicLocks.gaining(DynamicLockBits(data), of: layout, storesReserved: storesReserved)
            pages[page] = locks.page(over: quirks.dynamicLockByte3 == .stored ? data : pages[page])
        case layout.passwordPage:
            password = data
            isPasswordKnown = true
        case layout.packPage:
            packPage = data
        default:
            pages[page] = data
        }
        latch(.immediate)
    }
}

/// PWD_AUTH.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "password verification protection".
extension NTAGCard {
    /// Compares the password and counts failures; after AUTHLIM failures, no password is accepted.
    mutating func authenticate(
        _ given: PageData, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        if isAuthenticationLimitReached { return refuse(quirks.authLimitNak.acknowledgement, into: &buffer) }
        guard given == password, isPasswordKnown else {
            let isCounted = latches.access.authlim > 0 || quirks.countFailuresWhenUnlimited
            if isCounted, !context.isMemoryFailing, failedAuthentications < .max { failedAuthentications += 1 }
            let nak = isAuthenticationLimitReached ? quirks.authLimitNak : quirks.wrongPasswordNak
            return refuse(nak.acknowledgement, into: &buffer)
        }
        if !context.isMemoryFailing { failedAuthentications = 0 }
        state.take(.authentication)
        PasswordAuthentication.Response(pack: packPage.pack).write(into: &buffer)
        return .data
    }

    /// Prevents a higher AUTHLIM from unlocking a tag that AUTHLIM has locked, if the quirk says so.
    private mutating func keepLimit(_ context: inout CardContext) {
        context.reliance.rely(on: .authLimitRaised)
        if quirks.authLimitRaised == .staysLocked { failedAuthentications = .max }
    }

    private var isAuthenticationLimitReached: Bool {
        let limit = latches.access.authlim
        return limit > 0 && failedAuthentications >= limit
    }
}

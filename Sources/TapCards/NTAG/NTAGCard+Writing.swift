import TapWire

/// WRITE and COMPATIBILITY_WRITE.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "WRITE", "COMPATIBILITY_WRITE", "static lock bytes", "dynamic lock
/// bytes".
extension NTAGCard {
    /// WRITE: one page.
    @inline(never)
    mutating func write(
        _ data: PageData, to address: UInt8, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        let page = Int(address)
        guard mayWrite(page) else { return refuse(into: &buffer) }
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

    /// The first step of a COMP_WRITE, checked like a WRITE.
    mutating func beginCompatibilityWrite(page: UInt8, into buffer: inout FrameBuffer) -> CardReply {
        let isLeftToSecondStep = Int(page) < NTAGLayout.staticLockPage && quirks.compWritePage01 == .ackPart1NakPart2
        guard isLeftToSecondStep || mayWrite(Int(page)) else { return refuse(into: &buffer) }
        pendingPage = page
        Acknowledgement.ack.write(into: &buffer)
        return .data
    }

    /// The second step of a COMP_WRITE: sixteen bytes, or the command is over.
    mutating func finishCompatibilityWrite(
        _ frame: Span<UInt8>, page: UInt8, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        guard frame.count == CompatibilityWrite.Data.length else { return refuse(into: &buffer) }
        return write(PageData(frame, at: 0), to: page, context: &context, into: &buffer)
    }

    /// Whether a page can be written now; locks bind authenticated readers too.
    @inline(always)
    func mayWrite(_ page: Int) -> Bool {
        guard isAuthenticated || page < Int(latches.auth0) else { return false }
        if !layout.isUserPage(page) {
            guard page >= NTAGLayout.staticLockPage, page < layout.pageCount else { return false }
            if page == layout.cfg0Page || page == layout.cfg1Page { return !latches.isConfigurationLocked }
        }
        return !latches.hasLocks || !latches.staticLocks.locks(page) && !latches.dynamicLocks.locks(page, of: layout)
    }

    /// Programs a page as far as power lasts: first its bytes are erased, then they are written.
    ///
    /// Lock bytes and capability container are protected: they keep what they hold until all is done. In which order
    /// bytes are erased and written, and that an erased byte is zero, is inferred.
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

    /// Puts a page into memory by the rules of that page, and lets act what acts at once.
    @inline(always)
    private mutating func program(_ data: PageData, at page: Int) {
        if layout.isUserPage(page) {
            pages[page] = data
        } else {
            programSettings(data, at: page)
        }
    }

    /// Puts a page into memory that is no user memory.
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

import TapWire

/// READ, FAST_READ and READ_CNT.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "READ", "FAST_READ", "READ_CNT", "NFC counter function".
extension NTAGCard {
    /// How many pages from page 0 on can be read now.
    @inline(always)
    var readablePageCount: Int {
        guard latches.access.prot, !isAuthenticated else { return pages.count }
        return min(Int(latches.auth0), pages.count)
    }

    /// READ: four pages; behind the last readable one the address goes on at page 0.
    @inline(always)
    mutating func read(_ first: UInt8, context: inout CardContext, into buffer: inout FrameBuffer) -> CardReply {
        let limit = readablePageCount
        guard Int(first) < limit else { return refuse(into: &buffer) }
        return show(Int(first), count: ReadPages.pageCount, wrappingAt: limit, context: &context, into: &buffer)
    }

    /// FAST_READ: all pages of a range, none of which may be protected.
    mutating func fastRead(
        _ first: UInt8, _ last: UInt8, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        let limit = readablePageCount
        guard first <= last, Int(last) < limit else { return refuse(into: &buffer) }
        let count = Int(last) - Int(first) + 1
        let reply = show(Int(first), count: count, wrappingAt: limit, context: &context, into: &buffer)
        return count <= quirks.fastReadMaxPages.pageCount ? reply : .silence
    }

    /// READ_CNT, which is no read that counts.
    mutating func readCounter(_ address: UInt8, into buffer: inout FrameBuffer) -> CardReply {
        let isAnswered = latches.access.isCounterEnabled || quirks.readCntWhenDisabled == .answer
        guard address == ReadCounter.nfcCounter, isAnswered, mayShowCounter else { return refuse(into: &buffer) }
        let isLowByteFirst = quirks.counterReadOrder == .lsbFirst
        ReadCounter.Response(value: isLowByteFirst ? counter : counter.byteSwapped >> 8).write(into: &buffer)
        return .data
    }

    /// Whether the password has been given, should the counter need it.
    private var mayShowCounter: Bool { isAuthenticated || !latches.access.isCounterProtected }

    /// Appends pages as a reader sees them, and lets the counter tick.
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

    /// Appends one page after the other: what wraps, what a mirror lies over, and what counts.
    private mutating func showEachPage(
        _ first: Int, count: Int, wrappingAt limit: Int, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        // A memory that cannot be programmed does not count either.
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

    /// Whether the next read ticks the counter.
    private var willCount: Bool { latches.access.isCounterEnabled && counterMayTick }

    /// What is laid over the memory now.
    private var mirror: NTAGMirror? {
        if latches.mirrorKind == .none { return nil }
        return NTAGMirror(
            latches.mirrorKind, configuration, showsCounter: latches.access.isCounterEnabled && mayShowCounter,
            fit: quirks.mirrorPartialFit, uid: template.definition.uid.bytes, counter: counter, layout: layout)
    }

    /// Counts the first read since the counter was armed; at its highest value it stays.
    private mutating func tick() {
        counterMayTick = false
        counter = min(counter + 1, ReadCounter.maximumValue)
    }
}

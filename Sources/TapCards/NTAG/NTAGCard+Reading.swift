import TapWire

/// READ, FAST_READ and READ_CNT.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "READ", "FAST_READ", "READ_CNT", "NFC counter function".
extension NTAGCard {
    /// How many pages from page 0 on can be read now.
    @inline(always)
    var readablePageCount: Int {
        guard latches.access.prot, !isAuthenticated else { return layout.pageCount }
        return min(Int(latches.auth0), layout.pageCount)
    }

    /// READ: four pages; behind the last readable one the address goes on at page 0.
    @inline(always)
    mutating func read(_ first: Int, context: inout CardContext, into buffer: inout FrameBuffer) -> Outcome {
        let limit = readablePageCount
        guard first < limit else { return refuse(into: &buffer) }
        show(first, count: ReadPages.pageCount, wrappingAt: limit, context: &context, into: &buffer)
        return .data
    }

    /// FAST_READ: all pages of a range, none of which may be protected.
    mutating func fastRead(
        _ first: Int, _ last: Int, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> Outcome {
        let limit = readablePageCount
        guard first <= last, last < limit else { return refuse(into: &buffer) }
        let count = last - first + 1
        show(first, count: count, wrappingAt: limit, context: &context, into: &buffer)
        return count <= quirks.fastReadMaxPages.pageCount ? .data : .silence
    }

    /// READ_CNT, which is no read that counts.
    mutating func readCounter(_ address: UInt8, into buffer: inout FrameBuffer) -> Outcome {
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
    ) {
        // A memory that cannot be programmed does not count either.
        let isCounted = counterMayTick && latches.access.isCounterEnabled && !context.isMemoryFailing
        if isCounted, quirks.counterTickOrder == .before { tick() }
        var start = first
        var left = count
        while left > 0 {
            let end = min(start + left, limit)
            if latches.mirrorKind == .none {
                buffer.append(pages, in: start * PageData.byteCount..<end * PageData.byteCount)
            } else {
                showMirrored(start..<end, into: &buffer)
            }
            left -= end - start
            start = 0
        }
        if isCounted, quirks.counterTickOrder == .after { tick() }
    }

    private func showMirrored(_ range: Range<Int>, into buffer: inout FrameBuffer) {
        let mirror = NTAGMirror(
            latches.mirrorKind, configuration, showsCounter: latches.access.isCounterEnabled && mayShowCounter,
            fit: quirks.mirrorPartialFit, uid: template.definition.uid.bytes, counter: counter, layout: layout)
        for page in range { mirror.overlay(storedPage(page), of: page).write(into: &buffer) }
    }

    /// Counts the first read since the counter was armed; at its highest value it stays.
    private mutating func tick() {
        counterMayTick = false
        counter = min(counter + 1, ReadCounter.maximumValue)
    }
}

import TapWire

/// A connection to the card in a reader, or to a reader itself.
///
/// It may be used by one thread at a time, and keeps its context alive.
@safe
public final class PCSCCard: @unchecked Sendable {
    private let context: PCSCContext
    private let handle: PCSCLong
    private var active: PCSCWord
    private var isClosed = false
    private let buffer: UnsafeMutablePointer<UInt8>

    init(handle: PCSCLong, in context: PCSCContext, _ active: PCSCWord) {
        self.context = context
        self.handle = handle
        self.active = active
        unsafe buffer = .allocate(capacity: PCSCLimit.longestAnswer)
    }

    deinit {
        disconnect(.leave)
        unsafe buffer.deallocate()
    }

    private var functions: PCSCFunctions { unsafe context.library.functions }

    /// The active protocol; empty in a direct connection.
    public var activeProtocol: PCSCProtocols { PCSCProtocols(rawValue: UInt32(truncatingIfNeeded: active)) }

    /// Ends the connection; a second call does nothing.
    public func disconnect(_ disposition: PCSCDisposition) {
        guard !isClosed else { return }
        isClosed = true
        _ = unsafe functions.disconnect(handle, PCSCWord(disposition.rawValue))
    }

    /// Connects again after a reset, or resets the card.
    package func reconnect(
        _ initialisation: PCSCDisposition, _ mode: PCSCShareMode = .shared, _ protocols: PCSCProtocols = [.t0, .t1]
    ) throws(PCSCError) {
        try PCSCLibrary.check(
            "SCardReconnect",
            unsafe functions.reconnect(
                handle, PCSCWord(mode.rawValue), PCSCWord(protocols.rawValue), PCSCWord(initialisation.rawValue),
                &active))
    }

    /// Keeps other programs away from the card until ``endTransaction(_:)``; waits while another program does so.
    public func beginTransaction() throws(PCSCError) {
        try PCSCLibrary.check("SCardBeginTransaction", unsafe functions.beginTransaction(handle))
    }

    package func endTransaction(_ disposition: PCSCDisposition) throws(PCSCError) {
        try PCSCLibrary.check(
            "SCardEndTransaction", unsafe functions.endTransaction(handle, PCSCWord(disposition.rawValue)))
    }

    public func atr() throws(PCSCError) -> [UInt8] {
        var (nameLength, state, active): (PCSCWord, PCSCWord, PCSCWord) = (0, 0, 0)
        var length = PCSCWord(ReaderStateLayout.maximumATR)
        try PCSCLibrary.check(
            "SCardStatus", unsafe functions.status(handle, nil, &nameLength, &state, &active, buffer, &length))
        return answer(ofLength: length)
    }

    /// Sends an APDU to the card and returns its answer.
    public func transmit(_ command: [UInt8]) throws(PCSCError) -> [UInt8] {
        var length = PCSCWord(PCSCLimit.longestAnswer)
        try PCSCLibrary.check(
            "SCardTransmit",
            unsafe functions.transmit(handle, pci, command, PCSCWord(command.count), nil, buffer, &length))
        return answer(ofLength: length)
    }

    /// Sends a command to the reader and returns its answer.
    public func control(_ code: UInt32, _ data: [UInt8] = []) throws(PCSCError) -> [UInt8] {
        var length: PCSCWord = 0
        try PCSCLibrary.check(
            "SCardControl",
            unsafe functions.control(
                handle, PCSCWord(code), data, PCSCWord(data.count), buffer, PCSCWord(PCSCLimit.longestAnswer), &length))
        return answer(ofLength: length)
    }

    public func attribute(_ id: UInt32) throws(PCSCError) -> [UInt8] {
        var length = PCSCWord(PCSCLimit.longestAttribute)
        try PCSCLibrary.check(
            "SCardGetAttrib", unsafe functions.getAttribute(handle, PCSCWord(id), buffer, &length))
        return answer(ofLength: length)
    }

    /// The protocol structure for `SCardTransmit`.
    private var pci: UnsafeRawPointer {
        switch activeProtocol {
        case .t0: unsafe functions.t0
        case .raw: unsafe functions.raw
        default: unsafe functions.t1
        }
    }

    private func answer(ofLength length: PCSCWord) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: buffer, count: min(Int(length), PCSCLimit.longestAnswer)))
    }
}

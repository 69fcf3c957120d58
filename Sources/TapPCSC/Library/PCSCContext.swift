import TapWire

/// A connection to the PC/SC service, for listing readers and waiting for cards.
///
/// It may be used by one thread at a time; only ``cancel()`` may be called from any thread.
public final class PCSCContext: @unchecked Sendable {
    let library: PCSCLibrary
    private let handle: PCSCLong
    private var isClosed = false

    /// Connects to the service; throws ``PCSCError``, with ``PCSCReturnCode/noService`` if none runs.
    public init(_ library: PCSCLibrary) throws(PCSCError) {
        var handle: PCSCLong = 0
        try PCSCLibrary.check(
            "SCardEstablishContext", unsafe library.functions.establishContext(PCSCLimit.systemScope, nil, nil, &handle)
        )
        self.library = library
        self.handle = handle
    }

    deinit { close() }

    /// Ends the connection; a second call does nothing.
    ///
    /// The cards must be closed before.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        _ = unsafe library.functions.releaseContext(handle)
    }

    /// Returns the names of the readers, in the order of the service; empty if there are none.
    ///
    /// - Throws: ``PCSCError``.
    public func readers() throws(PCSCError) -> [String] {
        var names = [CChar](repeating: 0, count: PCSCLimit.longestReaderList)
        var length = PCSCWord(names.count)
        let status = unsafe library.functions.listReaders(handle, nil, &names, &length)
        guard PCSCReturnCode(status) != .noReadersAvailable else { return [] }
        try PCSCLibrary.check("SCardListReaders", status)
        return names.prefix(Int(length)).split(separator: 0).map { name in
            String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Waits until a reader's state differs from the caller's, and returns the states of all readers.
    ///
    /// The call returns at once if the caller knows nothing about a reader.
    ///
    /// - Parameters:
    ///   - readers: The states that the caller knows; replaced by the service's.
    ///   - timeout: The time to wait; `nil` waits until ``cancel()``.
    /// - Returns: `true` if anything changed in that time.
    public func awaitChange(of readers: inout [ReaderStatus], timeout: Duration?) throws(PCSCError) -> Bool {
        let states = ReaderStateArray(readers)
        let status = unsafe states.withMemory { memory, count in
            unsafe library.functions.getStatusChange(handle, Self.milliseconds(timeout), memory, count)
        }
        guard PCSCReturnCode(status) != .timeout else { return false }
        try PCSCLibrary.check("SCardGetStatusChange", status)
        readers = states.readers
        return true
    }

    /// Ends the wait of another thread, which gets ``PCSCReturnCode/cancelled``.
    public func cancel() throws(PCSCError) {
        try PCSCLibrary.check("SCardCancel", unsafe library.functions.cancel(handle))
    }

    /// Connects to the card in a reader, or to the reader itself in ``PCSCShareMode/direct``.
    ///
    /// - Throws: ``PCSCError``, with ``PCSCReturnCode/noSmartCard`` if there is no card.
    public func connect(
        _ reader: String, _ mode: PCSCShareMode = .shared, _ protocols: PCSCProtocols = [.t0, .t1]
    ) throws(PCSCError) -> PCSCCard {
        var card: PCSCLong = 0
        var active: PCSCWord = 0
        try PCSCLibrary.check(
            "SCardConnect",
            unsafe library.functions.connect(
                handle, reader, PCSCWord(mode.rawValue), PCSCWord(protocols.rawValue), &card, &active))
        return PCSCCard(handle: card, in: self, active)
    }

    private static func milliseconds(_ duration: Duration?) -> PCSCWord {
        guard let duration else { return PCSCLimit.infinite }
        let longest = Duration.milliseconds(Int64(PCSCLimit.infinite) - 1)
        let (seconds, attoseconds) = min(max(duration, .zero), longest).components
        return PCSCWord(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
}

public struct ReaderStatus: Hashable, Sendable {
    public let name: String
    /// The known state; empty at first.
    package internal(set) var flags: PCSCReaderFlags
    /// The ATR of the card in the reader; empty without a card.
    public internal(set) var atr: [UInt8]

    public init(name: String) {
        self.name = name
        flags = []
        atr = []
    }

    /// A Boolean value that indicates whether there is a card that answers.
    public var hasCard: Bool { flags.contains(.present) && !flags.contains(.mute) }
}

/// Reader states in the memory layout of the library, followed by the names they point to.
@safe
final class ReaderStateArray {
    private let names: [String]
    private let memory: UnsafeMutableRawPointer

    /// Lays out the known states of readers.
    init(_ readers: [ReaderStatus]) {
        names = readers.map(\.name)
        let size = readers.reduce(0) { $0 + ReaderStateLayout.size + $1.name.utf8.count + 1 }
        unsafe memory = .allocate(byteCount: size, alignment: ReaderStateLayout.pointerSize)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        var place = unsafe memory + readers.count * ReaderStateLayout.size
        for (index, reader) in readers.enumerated() {
            let state = unsafe memory + index * ReaderStateLayout.size
            unsafe state.storeBytes(of: place, as: UnsafeMutableRawPointer.self)
            unsafe state.storeBytes(
                of: PCSCWord(reader.flags.subtracting(.changed).rawValue),
                toByteOffset: ReaderStateLayout.currentState, as: PCSCWord.self)
            for byte in reader.name.utf8 {
                unsafe place.storeBytes(of: byte, as: UInt8.self)
                unsafe place += 1
            }
            // The memory is zeroed, so the name is terminated.
            unsafe place += 1
        }
    }

    deinit {
        unsafe memory.deallocate()
    }

    func withMemory<Result>(_ body: (UnsafeMutableRawPointer, PCSCWord) -> Result) -> Result {
        unsafe body(memory, PCSCWord(names.count))
    }

    /// The states of the readers after a call of the library.
    var readers: [ReaderStatus] {
        names.enumerated().map { index, name in
            let state = unsafe UnsafeRawPointer(memory + index * ReaderStateLayout.size)
            var reader = ReaderStatus(name: name)
            let flags = unsafe state.loadUnaligned(fromByteOffset: ReaderStateLayout.eventState, as: PCSCWord.self)
            reader.flags = PCSCReaderFlags(rawValue: UInt32(truncatingIfNeeded: flags))
            let length = unsafe state.loadUnaligned(fromByteOffset: ReaderStateLayout.atrLength, as: PCSCWord.self)
            reader.atr = (0..<min(Int(length), ReaderStateLayout.maximumATR)).map { offset in
                unsafe state.load(fromByteOffset: ReaderStateLayout.atr + offset, as: UInt8.self)
            }
            return reader
        }
    }
}

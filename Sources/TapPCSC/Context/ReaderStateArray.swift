import TapWire

/// Reader states in the memory layout of the library, followed by the names they point to.
@safe
final class ReaderStateArray {
    private let names: [String]
    private let memory: UnsafeMutableRawPointer

    /// Lays out what is known of readers.
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
            // The memory is zero, so the name ends where it should.
            unsafe place += 1
        }
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// Calls the library with the states.
    func withMemory<Result>(_ body: (UnsafeMutableRawPointer, PCSCWord) -> Result) -> Result {
        unsafe body(memory, PCSCWord(names.count))
    }

    /// The readers as the library has left them.
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

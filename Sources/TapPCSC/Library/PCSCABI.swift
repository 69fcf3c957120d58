// The types of winscard.h, declared here so that no header and no library is needed to build or to start. Source:
// pcsc-lite 1.9.9, wintypes.h and pcsclite.h; on Apple's systems the headers of PCSC.framework, where integers have 32
// bits and structures are packed. A test compares all of it with a C program.

#if canImport(Darwin)
    /// DWORD of winscard.h.
    package typealias PCSCWord = UInt32
    /// LONG of winscard.h, also the type of context and card handles.
    package typealias PCSCLong = Int32
#else
    /// DWORD of winscard.h, an `unsigned long`.
    package typealias PCSCWord = UInt
    /// LONG of winscard.h, also the type of context and card handles.
    package typealias PCSCLong = Int
#endif

/// Where the fields of SCARD_READERSTATE lie.
///
/// ```
/// szReader (pointer) | pvUserData (pointer) | dwCurrentState | dwEventState | cbAtr | rgbAtr (33)
/// ```
package enum ReaderStateLayout {
    /// Bytes of a pointer, by which the whole is aligned where it is not packed.
    package static let pointerSize = MemoryLayout<UInt>.size
    package static let reader = 0
    package static let userData = pointerSize
    package static let currentState = 2 * pointerSize
    package static let eventState = currentState + MemoryLayout<PCSCWord>.size
    package static let atrLength = eventState + MemoryLayout<PCSCWord>.size
    package static let atr = atrLength + MemoryLayout<PCSCWord>.size
    /// Most bytes of an ATR.
    package static let maximumATR = 33
    /// Bytes of the structure.
    package static let size = {
        let end = atr + maximumATR
        #if canImport(Darwin)
            return end
        #else
            return (end + pointerSize - 1) / pointerSize * pointerSize
        #endif
    }()
}

/// Numbers of winscard.h.
package enum PCSCLimit {
    /// SCARD_SCOPE_SYSTEM, the scope of every context.
    package static let systemScope: PCSCWord = 2
    /// INFINITE, the time-out that never comes.
    package static let infinite: PCSCWord = 0xFFFF_FFFF
    /// Bytes of the longest answer: MAX_BUFFER_SIZE_EXTENDED of pcsc-lite.
    package static let longestAnswer = 65_548
    /// Bytes of the longest attribute: MAX_BUFFER_SIZE of pcsc-lite.
    package static let longestAttribute = 264
    /// Bytes of the list of all reader names taken: 16 readers of 128 bytes, with room for services that allow more.
    package static let longestReaderList = 65_536
}

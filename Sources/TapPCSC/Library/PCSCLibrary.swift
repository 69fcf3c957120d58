import TapWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The system's PC/SC library, opened when first needed, so that programs start without it.
///
/// Everything that a library has opened must be closed before the last reference to it goes away: contexts and cards keep one.
@safe
public final class PCSCLibrary: @unchecked Sendable {
    #if canImport(Darwin)
        public static let defaultPath = "/System/Library/Frameworks/PCSC.framework/PCSC"
    #else
        /// The name of the library, which the loader searches in its own directories.
        public static let defaultPath = "libpcsclite.so.1"
    #endif

    private let handle: UnsafeMutableRawPointer
    let functions: PCSCFunctions

    /// Opens the library.
    ///
    /// pcsc-lite reads `PCSCLITE_CSOCK_NAME` once, at the first context, and keeps it until the library is unloaded. A process
    /// that talks to several services opens a copy of the file for each service.
    ///
    /// - Parameter path: The file, or a name that the loader searches for.
    /// - Throws: ``PCSCLibraryError`` if it is not installed or lacks a function.
    public init(path: String = defaultPath) throws(PCSCLibraryError) {
        guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw .missing(path, Self.loaderMessage)
        }
        do throws(PCSCLibraryError) {
            unsafe functions = try PCSCFunctions { name throws(PCSCLibraryError) in
                guard let address = unsafe dlsym(handle, name) else { throw .functionMissing(name, in: path) }
                return unsafe address
            }
        } catch {
            unsafe dlclose(handle)
            throw error
        }
        unsafe self.handle = handle
    }

    deinit {
        unsafe dlclose(handle)
    }

    /// The loader's message about its last failure.
    private static var loaderMessage: String {
        guard let message = unsafe dlerror() else { return "the loader gives no reason" }
        return unsafe String(cString: message)
    }

    /// Throws an error unless a call succeeded.
    static func check(_ function: String, _ status: PCSCLong) throws(PCSCError) {
        let code = PCSCReturnCode(status)
        guard code == .success else { throw PCSCError(function, code) }
    }
}

extension PCSCReturnCode {
    /// Creates the code that a function returned, whatever the width of its type.
    init(_ status: PCSCLong) {
        self.init(UInt32(truncatingIfNeeded: status))
    }
}

/// The PC/SC library cannot be used on this machine.
public struct PCSCLibraryError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// The library is not installed, or the file is not a library.
        case missing
        case functionMissing(String)
    }

    public let code: Code
    public let description: String

    static func missing(_ path: String, _ reason: String) -> PCSCLibraryError {
        #if canImport(Darwin)
            let advice = "PC/SC readers need macOS"
        #else
            let advice =
                "install it with `apt install libpcsclite1`, `dnf install pcsc-lite-libs` or `apk add pcsc-lite-libs`"
        #endif
        return PCSCLibraryError(
            code: .missing, description: "the PC/SC library \(path) cannot be opened (\(reason)); \(advice)")
    }

    static func functionMissing(_ name: String, in path: String) -> PCSCLibraryError {
        PCSCLibraryError(
            code: .functionMissing(name),
            description: "the PC/SC library \(path) has no \(name); install pcsc-lite 1.8 or later")
    }
}

public struct PCSCError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The function called, such as `SCardConnect`.
    public let function: String
    /// The function's return code, such as 0x80100069.
    package let code: PCSCReturnCode

    package init(_ function: String, _ code: PCSCReturnCode) {
        self.function = function
        self.code = code
    }

    public var description: String {
        guard let entry = code.entry else {
            return "\(function) failed with \(code), an error of the driver; unplug the reader and plug it in again"
        }
        return "\(function) failed with \(entry.name) (\(code)): \(entry.advice)"
    }
}

/// The functions of the PC/SC library, looked up by name.
@unsafe
struct PCSCFunctions {
    typealias Address = UnsafeMutableRawPointer
    typealias EstablishContext =
        @convention(c) (PCSCWord, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeMutablePointer<PCSCLong>) -> PCSCLong
    typealias OfHandle = @convention(c) (PCSCLong) -> PCSCLong
    typealias ListReaders =
        @convention(c) (
            PCSCLong, UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<PCSCWord>
        ) -> PCSCLong
    typealias GetStatusChange = @convention(c) (PCSCLong, PCSCWord, Address?, PCSCWord) -> PCSCLong
    typealias Connect =
        @convention(c) (
            PCSCLong, UnsafePointer<CChar>, PCSCWord, PCSCWord, UnsafeMutablePointer<PCSCLong>,
            UnsafeMutablePointer<PCSCWord>
        ) -> PCSCLong
    typealias Reconnect =
        @convention(c) (PCSCLong, PCSCWord, PCSCWord, PCSCWord, UnsafeMutablePointer<PCSCWord>) -> PCSCLong
    typealias WithDisposition = @convention(c) (PCSCLong, PCSCWord) -> PCSCLong
    typealias Status =
        @convention(c) (
            PCSCLong, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<PCSCWord>?, UnsafeMutablePointer<PCSCWord>?,
            UnsafeMutablePointer<PCSCWord>?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<PCSCWord>?
        ) -> PCSCLong
    typealias Transmit =
        @convention(c) (
            PCSCLong, UnsafeRawPointer, UnsafePointer<UInt8>?, PCSCWord, Address?, UnsafeMutablePointer<UInt8>?,
            UnsafeMutablePointer<PCSCWord>
        ) -> PCSCLong
    typealias Control =
        @convention(c) (
            PCSCLong, PCSCWord, UnsafeRawPointer?, PCSCWord, Address?, PCSCWord, UnsafeMutablePointer<PCSCWord>
        ) -> PCSCLong
    typealias GetAttribute =
        @convention(c) (PCSCLong, PCSCWord, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<PCSCWord>) -> PCSCLong

    let establishContext: EstablishContext
    let releaseContext: OfHandle
    let listReaders: ListReaders
    let getStatusChange: GetStatusChange
    let cancel: OfHandle
    let connect: Connect
    let reconnect: Reconnect
    let disconnect: WithDisposition
    let beginTransaction: OfHandle
    let endTransaction: WithDisposition
    let status: Status
    let transmit: Transmit
    let control: Control
    let getAttribute: GetAttribute
    /// SCARD_PCI_T0, the protocol structure of `SCardTransmit` for T=0.
    let t0: UnsafeRawPointer
    /// SCARD_PCI_T1, the structure for T=1.
    let t1: UnsafeRawPointer
    /// SCARD_PCI_RAW, the structure for raw bytes.
    let raw: UnsafeRawPointer

    #if canImport(Darwin)
        /// The name of pcsc-lite's `SCardControl` (1.3.2 and later) on macOS.
        private static let controlName = "SCardControl132"
    #else
        private static let controlName = "SCardControl"
    #endif

    /// Throws ``PCSCLibraryError`` with the name of the first missing function.
    init(_ find: (String) throws(PCSCLibraryError) -> Address) throws(PCSCLibraryError) {
        func function<Function>(_ name: String) throws(PCSCLibraryError) -> Function {
            unsafe unsafeBitCast(try find(name), to: Function.self)
        }
        unsafe establishContext = try function("SCardEstablishContext")
        unsafe releaseContext = try function("SCardReleaseContext")
        unsafe listReaders = try function("SCardListReaders")
        unsafe getStatusChange = try function("SCardGetStatusChange")
        unsafe cancel = try function("SCardCancel")
        unsafe connect = try function("SCardConnect")
        unsafe reconnect = try function("SCardReconnect")
        unsafe disconnect = try function("SCardDisconnect")
        unsafe beginTransaction = try function("SCardBeginTransaction")
        unsafe endTransaction = try function("SCardEndTransaction")
        unsafe status = try function("SCardStatus")
        unsafe transmit = try function("SCardTransmit")
        unsafe control = try function(Self.controlName)
        unsafe getAttribute = try function("SCardGetAttrib")
        unsafe t0 = UnsafeRawPointer(try find("g_rgSCardT0Pci"))
        unsafe t1 = UnsafeRawPointer(try find("g_rgSCardT1Pci"))
        unsafe raw = UnsafeRawPointer(try find("g_rgSCardRawPci"))
    }
}

// The types of winscard.h, declared here so that neither building nor starting needs a header or library. Source: pcsc-lite
// 1.9.9, wintypes.h and pcsclite.h; on Apple's systems the headers of PCSC.framework, where integers have 32 bits and
// structures are packed. A test compares all of it with a C program.

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

/// The layout of SCARD_READERSTATE.
///
/// ```
/// szReader (pointer) | pvUserData (pointer) | dwCurrentState | dwEventState | cbAtr | rgbAtr (33)
/// ```
package enum ReaderStateLayout {
    /// The size of a pointer in bytes; also the alignment of the structure where it is not packed.
    package static let pointerSize = MemoryLayout<UInt>.size
    package static let reader = 0
    package static let currentState = 2 * pointerSize
    package static let eventState = currentState + MemoryLayout<PCSCWord>.size
    package static let atrLength = eventState + MemoryLayout<PCSCWord>.size
    package static let atr = atrLength + MemoryLayout<PCSCWord>.size
    /// The maximum length of an ATR in bytes.
    package static let maximumATR = 33
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
    /// INFINITE, the timeout that never expires.
    package static let infinite: PCSCWord = 0xFFFF_FFFF
    /// The maximum length of an answer in bytes: MAX_BUFFER_SIZE_EXTENDED of pcsc-lite.
    package static let longestAnswer = 65_548
    /// The maximum length of an attribute in bytes: MAX_BUFFER_SIZE of pcsc-lite.
    package static let longestAttribute = 264
    /// The maximum length of the list of reader names in bytes: far more than 16 readers of 128 bytes, for services that allow
    /// more.
    package static let longestReaderList = 65_536
}

import TapWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The PC/SC library of the system, opened when it is first needed so that programs start where it is absent.
///
/// Everything a library has opened must be closed before the last reference to it goes: contexts and cards keep one.
@safe
public final class PCSCLibrary: @unchecked Sendable {
    #if canImport(Darwin)
        /// Where the library is.
        public static let usualPath = "/System/Library/Frameworks/PCSC.framework/PCSC"
    #else
        /// Where the library is: the loader searches its own directories.
        public static let usualPath = "libpcsclite.so.1"
    #endif

    private let handle: UnsafeMutableRawPointer
    let functions: PCSCFunctions

    /// Opens the library.
    ///
    /// pcsc-lite reads `PCSCLITE_CSOCK_NAME` once, at the first context, and keeps it until the library is unloaded. A
    /// process that is to talk to several services opens a copy of the file for each.
    ///
    /// - Parameter path: The file, or a name the loader searches.
    /// - Throws: ``PCSCLibraryError`` if it is not installed or lacks a function.
    public init(path: String = usualPath) throws(PCSCLibraryError) {
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

    /// What the loader says of its last failure.
    private static var loaderMessage: String {
        guard let message = unsafe dlerror() else { return "the loader gives no reason" }
        return unsafe String(cString: message)
    }

    /// Makes a call fail as an error unless it succeeded.
    static func check(_ function: String, _ status: PCSCLong) throws(PCSCError) {
        let code = PCSCReturnCode(status)
        guard code == .success else { throw PCSCError(function, code) }
    }
}

extension PCSCReturnCode {
    /// The code in what a function returned, whatever the width of its type.
    init(_ status: PCSCLong) {
        self.init(UInt32(truncatingIfNeeded: status))
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A call to the operating system that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried, in words: `bind a UDP socket`.
    public let action: String
    /// The number the system gave.
    public let errno: Int32

    /// Creates an error; by default the number is the thread's current `errno`.
    public init(_ action: String, errno: Int32 = currentErrno()) {
        self.action = action
        self.errno = errno
    }

    /// The error as a sentence with the system's own words.
    public var description: String {
        "cannot \(action): \(Self.text(errno)) (errno \(errno))"
    }

    /// The system's words for an error number.
    public static func text(_ errno: Int32) -> String {
        guard let text = unsafe strerror(errno) else { return "error" }
        return unsafe String(cString: text)
    }

    /// The thread's current `errno`.
    public static func currentErrno() -> Int32 {
        #if canImport(Darwin)
            Darwin.errno
        #elseif canImport(Musl)
            Musl.errno
        #else
            Glibc.errno
        #endif
    }

    /// Sets the thread's `errno`, for a signal handler that has to leave it as it was.
    static func setErrno(_ number: Int32) {
        #if canImport(Darwin)
            Darwin.errno = number
        #elseif canImport(Musl)
            Musl.errno = number
        #else
            Glibc.errno = number
        #endif
    }
}

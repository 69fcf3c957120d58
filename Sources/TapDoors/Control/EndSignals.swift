#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The signals by which a user or a system ends a process, taken as a message instead of the end.
@safe
enum EndSignals {
    // Written once before a handler is installed, then only read.
    private nonisolated(unsafe) static var number: Int32 = -1
    /// Kept open for as long as handlers may run, which is for ever.
    private static let writing = Lock<Descriptor?>(nil)

    /// Takes interrupt, quit, termination and hang-up from now on; one that this process was started to ignore, as a
    /// shell does it in the background, stays ignored.
    ///
    /// - Returns: What becomes readable when one comes.
    /// - Throws: ``SystemError`` if the system gives no pipe.
    static func take() throws(SystemError) -> Descriptor {
        let (reading, writing) = try Descriptor.makePipe()
        writing.setNonBlocking()
        Self.writing.withLock { $0 = writing }
        unsafe number = writing.number
        for signal in ProcessGroups.endingSignals where !ProcessGroups.isIgnored(signal) {
            #if canImport(Darwin)
                Darwin.signal(signal) { _ in EndSignals.tell() }
            #elseif canImport(Musl)
                Musl.signal(signal) { _ in EndSignals.tell() }
            #else
                Glibc.signal(signal) { _ in EndSignals.tell() }
            #endif
        }
        unblock()
        return reading
    }

    /// Whoever starts a process from a thread that blocks signals hands that on, and means nothing by it.
    private static func unblock() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for signal in ProcessGroups.endingSignals { unsafe sigaddset(&signals, signal) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Called in a signal handler: nothing but a system call, whose error number nobody below may see.
    private static func tell() {
        let kept = SystemError.currentErrno()
        var byte: UInt8 = 0
        _ = unsafe write(number, &byte, 1)
        SystemError.setErrno(kept)
    }
}

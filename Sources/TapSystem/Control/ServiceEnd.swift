#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Waits for the end of a service: a signal, a request, or the end of the process it serves.
public final class ServiceEnd: Sendable {
    /// The interval at which to check whether the process still runs.
    private static let interval = Duration.milliseconds(100)

    /// `nil` in a process that handles its own signals.
    private let signals: Descriptor?
    private let requested: Descriptor
    private let request: Descriptor
    private let process: ProcessWatch

    /// Takes over the signals that end this process; writing to a closed pipe is an error from now on.
    ///
    /// - Parameter process: The process whose end also ends the service.
    /// - Throws: ``SystemError`` if the system provides no pipe.
    public init(with process: ProcessWatch) throws(SystemError) {
        self.process = process
        signal(SIGPIPE, SIG_IGN)
        signals = try EndSignals.take()
        (requested, request) = try Descriptor.makePipe()
    }

    /// Ends the service; may be called from any thread and more than once.
    public func ask() {
        request.shut()
    }

    public func wait() {
        while process.isRunning {
            let ready = Readiness.wait(for: [(signals, .reading), (requested, .reading)], timeout: Self.interval)
            if ready.contains(true) { return }
        }
    }

    /// Waits while there is something to do, until a signal or the end of the process; ignores a request to end, which has
    /// already been received.
    public func wait(while isBusy: () -> Bool) {
        while process.isRunning, isBusy() {
            if Readiness.wait(for: [(signals, .reading)], timeout: Self.interval)[0] { return }
        }
    }
}

/// The signals with which a user or a system ends a process, turned into a message.
@safe
enum EndSignals {
    // Written once before a handler is installed, then only read.
    private nonisolated(unsafe) static var number: Int32 = -1
    /// Kept open while handlers may run, that is, until the process ends.
    private static let writing = Lock<Descriptor?>(nil)

    /// Takes over the signals that would end this process; a signal that was ignored at startup, as by a shell for background
    /// jobs, stays ignored.
    ///
    /// - Returns: A descriptor that becomes readable when a signal arrives; `nil` unless ``ProcessGroups/endWithThisProcess()``
    ///   was called, since a process that only runs a command within itself handles its own signals.
    /// - Throws: ``SystemError`` if the system provides no pipe.
    static func take() throws(SystemError) -> Descriptor? {
        guard EndingThread.hasStarted else { return nil }
        let (reading, writing) = try Descriptor.makePipe()
        writing.setNonBlocking()
        Self.writing.withLock { $0 = writing }
        unsafe number = writing.number
        for ending in ProcessGroups.endingSignals {
            signal(ending) { _ in EndSignals.tell() }
        }
        unblock()
        return reading
    }

    /// Unblocks the signals: a process started from a thread that blocks signals inherits the mask, which is never intended.
    private static func unblock() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for signal in ProcessGroups.endingSignals { unsafe sigaddset(&signals, signal) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Called in a signal handler: makes one system call and restores `errno`.
    private static func tell() {
        let kept = SystemError.currentErrno()
        var byte: UInt8 = 0
        _ = unsafe write(number, &byte, 1)
        SystemError.setErrno(kept)
    }
}

/// Watches another process for its end.
public struct ProcessWatch: Hashable, Sendable {
    private let number: pid_t
    private let isParent: Bool

    /// The parent of this process, to be read early; its end is detected at once, since an orphan gets another parent.
    public static var parent: ProcessWatch { ProcessWatch(number: getppid(), isParent: true) }

    /// Returns `nil` if there is no such process.
    public init?(_ number: Int32) {
        self.init(number: number, isParent: false)
        guard number > 0, isRunning else { return nil }
    }

    private init(number: pid_t, isParent: Bool) {
        self.number = number
        self.isParent = isParent
    }

    /// A Boolean value that indicates whether the process has not ended.
    public var isRunning: Bool {
        if isParent { return getppid() == number }
        guard kill(number, 0) == 0 || SystemError.currentErrno() == EPERM else { return false }
        return !hasEndedUnseen
    }

    /// A Boolean value that indicates whether the process is a zombie, which `kill` still finds; without `/proc` a zombie
    /// counts as running.
    private var hasEndedUnseen: Bool {
        guard let file = unsafe fopen("/proc/\(number)/stat", "r") else { return false }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        // NUMBER (NAME) STATE …, where the name may contain anything. Source: proc(5), /proc/PID/stat.
        guard let end = bytes.prefix(count).lastIndex(of: UInt8(ascii: ")")), end + 2 < count else { return false }
        return "ZX".utf8.contains(bytes[end + 2])
    }
}

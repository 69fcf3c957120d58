#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The sockets, links and folders of this process, which are removed when it ends, by a signal or by itself.
public enum EndingCleanups {
    private struct State {
        var next = 0
        var removals: [Int: @Sendable () -> Void] = [:]
    }

    private static let state = Lock(State())

    /// Creates something and registers its removal; this process cannot end between the two.
    ///
    /// - Parameter make: Returns the result and its removal. Neither may create or forget a cleanup.
    static func making<Made, Failure: Error>(
        _ make: () throws(Failure) -> (made: Made, remove: @Sendable () -> Void)
    ) throws(Failure) -> (made: Made, number: Int) {
        try state.withLock { (state) throws(Failure) in
            let (made, remove) = try make()
            state.next += 1
            state.removals[state.next] = remove
            return (made, state.next)
        }
    }

    /// Unregisters a cleanup by its number, since its object has been removed.
    static func forget(_ number: Int) {
        state.withLock { _ = $0.removals.removeValue(forKey: number) }
    }

    /// Removes everything, then runs `body`; meanwhile nothing new can be created.
    static func run(then body: () -> Void) {
        state.withLock { state in
            for number in state.removals.keys.sorted() { state.removals[number]?() }
            state.removals = [:]
            body()
        }
    }

    /// Removes everything when this process exits, but not when a forked child that has not exec'd exits; a second call does
    /// nothing.
    public static func runAtExit() {
        _ = exitHandler
    }

    private static let exitHandler: Void = {
        _ = owner
        atexit {
            if getpid() == owner { run {} }
        }
    }()

    private static let owner = getpid()
}

/// The signals that end this process, handed to a thread.
///
/// A signal handler may do next to nothing, and nothing that takes a lock or allocates memory.
@safe
enum EndingThread {
    /// The seconds after the first signal in which another one counts as the same event: a terminal and a shell may both send
    /// it.
    private static let sameEvent = 2

    // Written once before a handler is installed, then only read.
    private nonisolated(unsafe) static var writing: Int32 = -1
    // Written only by the first handler.
    private nonisolated(unsafe) static var asked: time_t = 0
    /// Kept open while handlers may run, that is, until the process ends.
    private static let pipe = Lock<Descriptor?>(nil)

    /// A Boolean value that indicates whether TapSim handles the signals of this process.
    static var hasStarted: Bool { pipe.withLock { $0 != nil } }

    /// Starts the thread, which waits for ``ask(_:)`` and calls `end` with the signal.
    ///
    /// - Returns: `false` if the system provides no pipe or thread.
    static func start(_ end: @escaping @Sendable (Int32) -> Void) -> Bool {
        guard let (reading, writing) = try? Descriptor.makePipe() else { return false }
        unsafe Self.writing = writing.number
        pipe.withLock { $0 = writing }
        let thread = try? BlockingThread {
            guard case .bytes(let bytes) = reading.receive(upTo: 1) else { return }
            end(Int32(bytes[0]))
        }
        return thread != nil
    }

    /// Wakes the thread; called in a handler.
    ///
    /// If the thread does not finish, a later signal ends this process at once.
    static func ask(_ number: Int32) {
        let kept = SystemError.currentErrno()
        defer { SystemError.setErrno(kept) }
        var now = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        if unsafe asked == 0 {
            unsafe asked = max(1, now.tv_sec)
            var byte = UInt8(truncatingIfNeeded: number)
            _ = unsafe write(writing, &byte, 1)
        } else if unsafe now.tv_sec - asked > sameEvent {
            end(by: number)
        }
    }

    /// Ends this process with a signal.
    static func end(by number: Int32) {
        signal(number, SIG_DFL)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        _ = kill(getpid(), number)
    }

    /// Waits for the end of this process if a signal has requested it, so that the process does not exit by itself first.
    static func awaitEnd() {
        while unsafe asked != 0 { BlockingThread.sleep(until: .now + .seconds(1)) }
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The process groups of running clients, so that a signal that ends us ends them too.
///
/// A signal handler may touch only plain memory and call `kill`, hence a fixed table instead of a collection.
@safe
public enum ProcessGroups {
    /// How many clients can run at once.
    static let capacity = 256
    private static let slots = Lock(Slots())

    @safe
    private struct Slots: @unchecked Sendable {
        let memory: UnsafeMutablePointer<pid_t>

        init() {
            unsafe memory = .allocate(capacity: ProcessGroups.capacity)
            unsafe memory.initialize(repeating: 0, count: ProcessGroups.capacity)
        }
    }

    // Written once before a handler is installed, then only read.
    private nonisolated(unsafe) static var handlerSlots: UnsafeMutablePointer<pid_t>?

    /// Holds a place in the table for a client that is about to start.
    private static let starting: pid_t = -1

    /// Starts a client and keeps its group, so that no signal ends this process between the two: the client may be the
    /// one that sends it.
    ///
    /// - Parameter spawn: Starts it and gives its number, or nothing where it did not start.
    static func start(_ spawn: () -> pid_t?) {
        var (ending, usual) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&ending)
        for number in endingSignals { unsafe sigaddset(&ending, number) }
        // On this thread a handler would wait for ever.
        unsafe pthread_sigmask(SIG_BLOCK, &ending, &usual)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &usual, nil) }
        let place = slots.withLock { slots in
            let place = (0..<capacity).first { unsafe slots.memory[$0] == 0 }
            if let place { unsafe slots.memory[place] = starting }
            return place
        }
        let process = spawn()
        if let place { slots.withLock { unsafe $0.memory[place] = process ?? 0 } }
    }

    /// Whether no client runs or is about to.
    static var isEmpty: Bool {
        slots.withLock { slots in (0..<capacity).allSatisfy { unsafe slots.memory[$0] == 0 } }
    }

    static func remove(_ process: pid_t) {
        slots.withLock { slots in
            for index in 0..<capacity where unsafe slots.memory[index] == process {
                unsafe slots.memory[index] = 0
            }
        }
    }

    /// Makes interrupt, quit, termination and hang-up end every client's process group before they end this process.
    ///
    /// Sockets and private folders go away as well.
    /// A signal that this process was started to ignore, as `nohup` does it, stays ignored.
    public static func endWithThisProcess() {
        slots.withLock { slots in unsafe handlerSlots = unsafe slots.memory }
        EndingPaths.prepareForHandler()
        for number in endingSignals where !isIgnored(number) {
            signal(number) { number in
                if let slots = unsafe ProcessGroups.handlerSlots {
                    for index in 0..<ProcessGroups.capacity where unsafe slots[index] != 0 {
                        while unsafe slots[index] < 0 { poll(nil, 0, 1) }
                        if unsafe slots[index] > 0 { unsafe kill(-slots[index], SIGKILL) }
                    }
                }
                EndingPaths.removeInHandler()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// The signals by which a user or a system ends a process.
    static let endingSignals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]

    /// Whether this process ignores a signal.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = unsafe action.__sigaction_u.__sa_handler
        #else
            let handler = unsafe action.__sigaction_handler.sa_handler
        #endif
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

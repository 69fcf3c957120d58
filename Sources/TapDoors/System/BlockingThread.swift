#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A thread of the operating system for work that blocks, such as serving a door.
@safe
public final class BlockingThread: @unchecked Sendable {
    private let handle: pthread_t
    private let wasJoined = Lock(false)

    /// Starts a thread that runs `body` once.
    ///
    /// - Parameters:
    ///   - stackSize: Bytes of its stack, a multiple of the size of a page; what the system gives if nothing is said.
    ///   - body: What it does.
    /// - Throws: ``SystemError`` if the system gives no thread.
    public init(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let work = unsafe Unmanaged.passRetained(Work(body))
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        if let stackSize { unsafe pthread_attr_setstacksize(&attributes, stackSize) }
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let status = unsafe pthread_create(&thread, &attributes, runWork, work.toOpaque())
        guard status == 0 else {
            unsafe work.release()
            throw SystemError("start a thread", errno: status)
        }
        #if canImport(Darwin)
            guard let thread else { throw SystemError("start a thread", errno: EAGAIN) }
            unsafe handle = thread
        #else
            handle = thread
        #endif
    }

    deinit {
        // The system keeps what is left of a thread until somebody joins it, or nobody is going to.
        let isJoined = wasJoined.withLock { $0 }
        guard !isJoined else { return }
        #if canImport(Darwin)
            unsafe pthread_detach(handle)
        #else
            pthread_detach(handle)
        #endif
    }

    /// Lets the calling thread sleep until an instant.
    public static func sleep(until instant: ContinuousClock.Instant) {
        while true {
            let (seconds, attoseconds) = (instant - ContinuousClock.now).components
            guard seconds > 0 || seconds == 0 && attoseconds > 0 else { return }
            var time = timespec(tv_sec: Int(clamping: seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            _ = unsafe nanosleep(&time, nil)
        }
    }

    /// Waits for the end of the thread; a second call returns at once.
    public func join() {
        let isFirst = wasJoined.withLock { joined in
            defer { joined = true }
            return !joined
        }
        guard isFirst else { return }
        #if canImport(Darwin)
            unsafe pthread_join(handle, nil)
        #else
            pthread_join(handle, nil)
        #endif
    }
}

private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

#if canImport(Darwin)
    private func runWork(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
    }
#else
    private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
    }
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A thread of the operating system for work that blocks, such as serving a transport.
@safe
public final class BlockingThread: @unchecked Sendable {
    private let handle: pthread_t
    private let wasJoined = Lock(false)

    /// Starts a thread that runs `body` once.
    ///
    /// - Parameter stackSize: The size of the stack in bytes, a multiple of the page size; `nil` for the default of the system.
    /// - Throws: ``SystemError`` if the system provides no thread.
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
        // The system keeps an ended thread until it is joined or detached.
        let isJoined = wasJoined.withLock { $0 }
        guard !isJoined else { return }
        #if canImport(Darwin)
            unsafe pthread_detach(handle)
        #else
            pthread_detach(handle)
        #endif
    }

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

extension BlockingThread {
    /// Runs blocking work on its own thread, so that no thread of the concurrency runtime waits for it.
    ///
    /// - Throws: ``SystemError`` if the system provides no thread.
    public static func value<Value: Sendable>(
        of work: @escaping @Sendable () -> Value
    ) async throws(SystemError) -> Value {
        let result: Result<Value, SystemError> = await withCheckedContinuation { continuation in
            do throws(SystemError) {
                _ = try BlockingThread { continuation.resume(returning: .success(work())) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }
}

/// A thread that serves until it is stopped.
package final class ServingThread: Sendable {
    private let stop: Descriptor
    private let thread: BlockingThread

    /// - Parameter serve: Serves until `stopped` is readable.
    /// - Throws: ``SystemError`` if the system provides no pipe or thread.
    package init(_ serve: @escaping @Sendable (_ stopped: Descriptor) -> Void) throws(SystemError) {
        let (stopped, stop) = try Descriptor.makePipe()
        self.stop = stop
        thread = try BlockingThread { serve(stopped) }
    }

    /// Stops the thread and waits for its end; a second call does nothing.
    package func end() {
        // A client started at the wrong moment may also hold this end, so closing it alone would signal nothing.
        _ = stop.send([0])
        stop.shut()
        thread.join()
    }
}

/// A thread, observed from another one.
public struct OtherThread: Hashable, Sendable {
    #if canImport(Darwin)
        private let number = pthread_mach_thread_np(pthread_self())
    #else
        /// The thread's folder; `nil` without `/proc`.
        private let folder = Self.currentFolder
    #endif

    private init() {}

    public static var current: OtherThread { OtherThread() }

    /// A Boolean value that indicates whether the thread runs or waits for a processor; `false` once it has ended.
    public var isAtWork: Bool {
        #if canImport(Darwin)
            var info = thread_basic_info()
            let words = MemoryLayout<thread_basic_info>.size / MemoryLayout<integer_t>.size
            var count = mach_msg_type_number_t(words)
            let result = unsafe withUnsafeMutablePointer(to: &info) { info in
                unsafe info.withMemoryRebound(to: integer_t.self, capacity: words) { words in
                    unsafe thread_info(number, thread_flavor_t(THREAD_BASIC_INFO), words, &count)
                }
            }
            return result == KERN_SUCCESS && info.run_state == TH_STATE_RUNNING
        #else
            folder.flatMap { ProcessEntry(at: $0) }?.isAtWork ?? false
        #endif
    }

    #if !canImport(Darwin)
        private static var currentFolder: String? {
            var target = [CChar](repeating: 0, count: 64)
            let length = unsafe readlink("/proc/thread-self", &target, target.count)
            guard length > 0 else { return nil }
            return "/proc/" + String(decoding: target.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    #endif
}

/// A lock around a value: a POSIX mutex, since `Synchronization.Mutex` would need macOS 15.
@safe
public class Lock<Value>: @unchecked Sendable {
    fileprivate let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// Stored outside the object, so that no exclusivity check is added to the mutex.
    fileprivate let value: UnsafeMutablePointer<Value>

    public init(_ value: Value) {
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
        unsafe mutex = .allocate(capacity: 1)
        let status = unsafe pthread_mutex_init(mutex, nil)
        precondition(status == 0, "a mutex can be made")
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    /// Runs `body` with exclusive access to the value.
    public final func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&value.pointee)
    }

    /// Runs `body` with exclusive access to the value, unless another thread has it.
    ///
    /// - Returns: The result of `body`, or `nil` if it did not run.
    public func withLockIfFree<Result>(_ body: (inout Value) -> Result) -> Result? {
        guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { unsafe pthread_mutex_unlock(mutex) }
        return unsafe body(&value.pointee)
    }
}

/// A lock around a value; threads can wait for changes of the value.
@safe
public final class Condition<Value>: Lock<Value>, @unchecked Sendable {
    private let signal: UnsafeMutablePointer<pthread_cond_t>

    public override init(_ value: Value) {
        unsafe signal = .allocate(capacity: 1)
        let status = unsafe Self.makeSignal(signal)
        precondition(status == 0, "a condition can be made")
        super.init(value)
    }

    deinit {
        unsafe pthread_cond_destroy(signal)
        unsafe signal.deallocate()
    }

    /// Initializes a signal that waits by the monotonic clock.
    private static func makeSignal(_ signal: UnsafeMutablePointer<pthread_cond_t>) -> Int32 {
        #if canImport(Darwin)
            unsafe pthread_cond_init(signal, nil)
        #else
            var attributes = pthread_condattr_t()
            unsafe pthread_condattr_init(&attributes)
            defer { unsafe pthread_condattr_destroy(&attributes) }
            unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            return unsafe pthread_cond_init(signal, &attributes)
        #endif
    }

    public enum Step<Result> {
        /// The wait ends with a result.
        case done(Result)
        /// `body` is called again when woken, or at an instant.
        case wait(until: ContinuousClock.Instant?)
    }

    /// Runs `body` repeatedly with exclusive access to the value until it is done; releases the lock in between.
    public func waitUntilDone<Result>(_ body: (inout Value) -> Step<Result>) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            switch unsafe body(&value.pointee) {
            case .done(let result): return result
            case .wait(let instant?): sleep(atMost: instant - ContinuousClock.now)
            case .wait(nil): unsafe pthread_cond_wait(signal, mutex)
            }
        }
    }

    /// Releases the lock until woken or a time has passed.
    private func sleep(atMost duration: Duration) {
        let (seconds, attoseconds) = max(duration, .zero).components
        var time = timespec(tv_sec: Int(clamping: seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        #if canImport(Darwin)
            unsafe pthread_cond_timedwait_relative_np(signal, mutex, &time)
        #else
            var now = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC, &now)
            let nanoseconds = now.tv_nsec + time.tv_nsec
            // A wait beyond the range of the clock is limited to a year; `body` is then called again.
            time.tv_sec = now.tv_sec + min(time.tv_sec, 31_536_000) + nanoseconds / 1_000_000_000
            time.tv_nsec = nanoseconds % 1_000_000_000
            unsafe pthread_cond_timedwait(signal, mutex, &time)
        #endif
    }

    /// Wakes all waiting threads; the caller may hold the lock.
    public func wakeAll() {
        unsafe pthread_cond_broadcast(signal)
    }
}

/// The processors of this machine.
public enum Processors {
    /// The maximum number of parallel runs that a user may request.
    public static let maximumJobs = 256

    /// The number of processors this process can use, from 1 to ``maximumJobs``.
    public static var count: Int { min(maximumJobs, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// More than the length in bytes of the line about all processors.
    private static let lineLength = 256

    /// The ticks of all processors since the start of the system, idle and in total; `nil` if the system does not report them.
    ///
    /// Source: proc(5), /proc/stat: cpu USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL …
    public static var times: (idle: Int, total: Int)? {
        guard let bytes = try? FileContent.bytes(of: "/proc/stat", upTo: lineLength),
            let line = bytes.prefix(lineLength).split(separator: UInt8(ascii: "\n")).first
        else { return nil }
        let ticks = String(decoding: line, as: UTF8.self).split(separator: " ").prefix(9).compactMap { Int($0) }
        guard ticks.count == 8 else { return nil }
        return (ticks[3] + ticks[4], ticks.reduce(0, +))
    }

    /// The time that this process and its clients have used, in ticks; 0 if the system does not report it.
    public static var used: Int {
        let leaders = ProcessGroups.leaders
        return ownTicks() + ProcessEntry.all.reduce(0) { leaders.contains($1.group) ? $0 + $1.used : $0 }
    }
}

/// The time that this process and its ended children have used, in ticks.
private func ownTicks() -> Int {
    var own = tms()
    _ = unsafe times(&own)
    return Int(own.tms_utime + own.tms_stime + own.tms_cutime + own.tms_cstime)
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A lock around a value on whose changes threads can wait.
@safe
public final class Condition<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let signal: UnsafeMutablePointer<pthread_cond_t>
    /// Beside the object, where the mutex alone guards it and not also the check of the language.
    private let value: UnsafeMutablePointer<Value>

    public init(_ value: Value) {
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
        unsafe mutex = .allocate(capacity: 1)
        unsafe signal = .allocate(capacity: 1)
        let status = unsafe pthread_mutex_init(mutex, nil) | Self.makeSignal(signal)
        precondition(status == 0, "a mutex and a condition can be made")
    }

    /// A signal whose waiting no change of the time of day disturbs.
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

    deinit {
        unsafe pthread_cond_destroy(signal)
        unsafe pthread_mutex_destroy(mutex)
        unsafe signal.deallocate()
        unsafe mutex.deallocate()
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    /// Runs `body` alone with the value.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&value.pointee)
    }

    /// Whether a thread that waits has what it waited for.
    public enum Step<Result> {
        /// It has: the waiting ends with a result.
        case done(Result)
        /// Not yet: it is asked again when woken, or at an instant if one is named.
        case wait(until: ContinuousClock.Instant?)
    }

    /// Runs `body` alone with the value, again and again, until it is done; others have the lock in between.
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

    /// Gives the lock away until woken or a time has passed.
    private func sleep(atMost duration: Duration) {
        let (seconds, attoseconds) = max(duration, .zero).components
        var time = timespec(tv_sec: Int(clamping: seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        #if canImport(Darwin)
            unsafe pthread_cond_timedwait_relative_np(signal, mutex, &time)
        #else
            var now = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC, &now)
            let nanoseconds = now.tv_nsec + time.tv_nsec
            // A wait beyond the reach of the clock is cut to a year; whoever waits looks again.
            time.tv_sec = now.tv_sec + min(time.tv_sec, 31_536_000) + nanoseconds / 1_000_000_000
            time.tv_nsec = nanoseconds % 1_000_000_000
            unsafe pthread_cond_timedwait(signal, mutex, &time)
        #endif
    }

    /// Wakes every thread that waits; the caller may hold the lock.
    public func wakeAll() {
        unsafe pthread_cond_broadcast(signal)
    }
}

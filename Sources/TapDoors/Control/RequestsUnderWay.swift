#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Requests to the control sockets of this process that are not answered yet.
///
/// A request may bring a process to its end: an app may exit when it hears that its session was cancelled. Whoever
/// asked for that is answered all the same.
public enum RequestsUnderWay {
    /// How long the end of this process waits for answers.
    private static let patience = Duration.seconds(2)

    private static let number = Condition(0)

    /// Lets this process end only when the requests under way are answered, or hang.
    ///
    /// A second call does nothing.
    public static func answerAtExit() {
        _ = exitHandler
    }

    // A child that has not started another program has no thread that answers.
    private static let exitHandler: Void = {
        _ = owner
        atexit {
            if getpid() == owner { awaitAnswers() }
        }
    }()

    private static let owner = getpid()

    /// Does what answers a request.
    static func count<Result>(_ body: () -> Result) -> Result {
        number.withLock { $0 += 1 }
        defer {
            number.withLock { $0 -= 1 }
            number.wakeAll()
        }
        return body()
    }

    private static func awaitAnswers() {
        let deadline = ContinuousClock.now + patience
        number.waitUntilDone { number in
            number == 0 || ContinuousClock.now >= deadline ? .done(()) : .wait(until: deadline)
        }
    }
}

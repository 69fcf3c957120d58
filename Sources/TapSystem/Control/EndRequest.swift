#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An interrupt that asks for an orderly end; mostly the next one ends this process at once, and its clients.
@safe
public enum EndRequest {
    // The signal, written by the handler alone, and only once.
    private nonisolated(unsafe) static var flag: sig_atomic_t = 0
    private nonisolated(unsafe) static var endsOrderly = false
    /// Told at once: what is under way may take a while.
    private static let words: StaticString =
        "\ntapsim: what is under way comes to its end; a second interrupt ends it at once\n"
    private static let orderlyWords: StaticString = "\ntapsim: ending; what came so far is kept\n"

    /// A Boolean value that indicates whether a signal has come since ``take(isOrderly:)``.
    public static var isMade: Bool { unsafe flag != 0 }

    /// A Boolean value that indicates whether it was SIGTERM.
    public static var isTermination: Bool { unsafe flag == SIGTERM }

    /// Takes the next SIGINT, SIGTERM or SIGHUP as a request.
    ///
    /// Nothing is taken unless ``ProcessGroups/endWithThisProcess()`` was called: the signals of a process that only runs
    /// a command in it are its own.
    ///
    /// - Parameter isOrderly: Whether every signal that would end this process is a request, and later ones are no more than
    ///   the first, since the end comes soon and something would be lost.
    public static func take(isOrderly: Bool = false) {
        guard EndingThread.hasStarted else { return }
        unsafe flag = 0
        unsafe endsOrderly = isOrderly
        _ = words.utf8CodeUnitCount + orderlyWords.utf8CodeUnitCount
        let requests = isOrderly ? ProcessGroups.endingSignals : [SIGINT, SIGTERM, SIGHUP]
        for number in requests where ProcessGroups.endingSignals.contains(number) {
            signal(number) { number in
                if unsafe EndRequest.flag != 0 {
                    if unsafe EndRequest.endsOrderly { return }
                    ProcessGroups.end(by: number)
                }
                unsafe EndRequest.flag = number
                let words = unsafe EndRequest.endsOrderly ? EndRequest.orderlyWords : EndRequest.words
                _ = unsafe write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
            }
        }
    }
}

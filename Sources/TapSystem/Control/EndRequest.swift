#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An interrupt that requests an orderly end; by default, a second one ends this process and its clients at once.
@safe
public enum EndRequest {
    // The signal, written only by the handler, and only once.
    private nonisolated(unsafe) static var flag: sig_atomic_t = 0
    private nonisolated(unsafe) static var endsOrderly = false
    /// Printed at once: finishing the work in progress may take a while.
    private static let text: StaticString =
        "\ntapsim: finishing the work in progress; interrupt again to stop at once\n"
    private static let orderlyText: StaticString = "\ntapsim: stopping; everything recorded so far is kept\n"

    /// A Boolean value that indicates whether a signal has arrived since ``take(isOrderly:)``.
    public static var isMade: Bool { unsafe flag != 0 }

    /// A Boolean value that indicates whether the signal was SIGTERM.
    public static var isTermination: Bool { unsafe flag == SIGTERM }

    /// Treats the next SIGINT, SIGTERM or SIGHUP as a request.
    ///
    /// Does nothing unless ``ProcessGroups/endWithThisProcess()`` was called: a process that only runs a command within itself
    /// handles its own signals.
    ///
    /// - Parameter isOrderly: A Boolean value that indicates whether every signal that would end this process is a request.
    ///   Later signals then change nothing, since the end comes soon and an abrupt end would lose data.
    public static func take(isOrderly: Bool = false) {
        guard EndingThread.hasStarted else { return }
        unsafe flag = 0
        unsafe endsOrderly = isOrderly
        _ = text.utf8CodeUnitCount + orderlyText.utf8CodeUnitCount
        let requests = isOrderly ? ProcessGroups.endingSignals : [SIGINT, SIGTERM, SIGHUP]
        for number in requests where ProcessGroups.endingSignals.contains(number) {
            signal(number) { number in
                if unsafe EndRequest.flag != 0 {
                    if unsafe EndRequest.endsOrderly { return }
                    ProcessGroups.end(by: number)
                }
                unsafe EndRequest.flag = number
                let text = unsafe EndRequest.endsOrderly ? EndRequest.orderlyText : EndRequest.text
                _ = unsafe write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
            }
        }
    }
}

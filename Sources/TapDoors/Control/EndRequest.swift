#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An interrupt that asks for an orderly end; the next one ends this process at once, and its clients.
@safe
public enum EndRequest {
    // Written by the handler alone, and only once.
    private nonisolated(unsafe) static var flag: sig_atomic_t = 0
    /// Told at once: what is under way may take a while.
    private static let words: StaticString =
        "\ntapsim: what is under way comes to its end; a second interrupt ends it at once\n"

    /// Whether SIGINT or SIGTERM has come since ``take()``.
    public static var isMade: Bool { unsafe flag != 0 }

    /// Takes the next SIGINT or SIGTERM as a request; call it once ``ProcessGroups/endWithThisProcess()`` has been.
    public static func take() {
        unsafe flag = 0
        _ = words.utf8CodeUnitCount
        for number in [SIGINT, SIGTERM] where !ProcessGroups.isIgnored(number) {
            signal(number) { number in
                if unsafe EndRequest.flag != 0 { ProcessGroups.end(by: number) }
                unsafe EndRequest.flag = 1
                _ = unsafe write(STDERR_FILENO, EndRequest.words.utf8Start, EndRequest.words.utf8CodeUnitCount)
            }
        }
    }
}

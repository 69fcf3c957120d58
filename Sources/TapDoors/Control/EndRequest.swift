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

    /// Whether SIGINT or SIGTERM has come since ``take()``.
    public static var isMade: Bool { unsafe flag != 0 }

    /// Takes the next SIGINT or SIGTERM as a request; call it once ``ProcessGroups/endWithThisProcess()`` has been.
    public static func take() {
        unsafe flag = 0
        for number in [SIGINT, SIGTERM] where !ProcessGroups.isIgnored(number) {
            signal(number) { number in
                if unsafe EndRequest.flag != 0 { ProcessGroups.end(by: number) }
                unsafe EndRequest.flag = 1
            }
        }
    }
}

import TapField
import TapWire

/// Looks at how a client ended.
struct EndOracle {
    /// A client that sends so many times what the clean run needs is caught in a loop, though its time ended first.
    private static let busyFactor = 8
    /// And at least so many frames.
    private static let busyMinimum = 64
    /// Exit codes by which a shell says that a signal ended a program: 128 and SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV.
    private static let shellCrashes: Set<Int32> = [132, 134, 135, 136, 139]

    private let record: RunRecord
    private let clearError: ClearErrorSpec?
    private var client: ClientReport { record.client }

    init(_ record: RunRecord, _ clearError: ClearErrorSpec?) {
        self.record = record
        self.clearError = clearError
    }

    /// The crash, if it is one.
    var crash: OutcomeFinding? {
        switch client.end {
        case .signal(let number):
            let name = ClientJudge.name(ofSignal: number)
            return OutcomeFinding(.crash, at: record.place, "signal \(name) ended it\(lastWords)")
        case .exit(let code):
            if let (pattern, error) = CrashPattern.first(in: ErrorReport(client.standardError), hasFailed: code != 0),
                code == 0 || pattern.isAlways || !isStatedError(code)
            {
                return OutcomeFinding(
                    .crash, at: record.place,
                    "exit \(code), and \(pattern.printer) reports: \(ClientJudge.shorten(error))")
            }
            guard Self.shellCrashes.contains(code), !isStatedError(code) else { return nil }
            return OutcomeFinding(
                .crash, at: record.place,
                "exit \(code), by which a shell tells of signal \(ClientJudge.name(ofSignal: code - 128))\(lastWords)")
        default: return nil
        }
    }

    /// Whether it was ended here when its time was over, or when it did nothing any more.
    var isOutOfTime: Bool {
        switch client.end {
        case .timeLimit, .idleLimit: true
        default: false
        }
    }

    /// The exit code of a client that came to an end by itself; 0 of one that was ended where its scenario asks for
    /// that, or when no card was to come any more.
    var exit: Int32? {
        switch client.end {
        case .exit(let code): code
        case .dismissed, .killed: 0
        default: nil
        }
    }

    /// The hang or the livelock, if it is one.
    ///
    /// - Parameter cleanExchanges: How many frames the clean run needs, if that is known.
    func endless(cleanExchanges: Int?) -> OutcomeFinding? {
        let count = record.world.exchangeCount
        switch client.end {
        case .exchangeLimit:
            return livelock("it sent \(count) frames and came to no end")
        case .timeLimit where record.world.isExhausted:
            return livelock("it sent \(count) frames and came to no end")
        case .retryLimit(let limit):
            return livelock("it sent the same command \(limit) times in a row and got nowhere")
        case .timeLimit:
            if let cleanExchanges, count >= max(Self.busyMinimum, cleanExchanges * Self.busyFactor) {
                return livelock(
                    "it was still sending after \(count) exchanges when its time was over; "
                        + "the clean run needs \(cleanExchanges)")
            }
            return OutcomeFinding(.hang, at: record.place, "it was still running when its time was over\(lastWords)")
        case .idleLimit(let limit):
            return OutcomeFinding(
                .hang, at: record.place,
                "it neither printed nor sent anything for \(DurationRule.text(limit))\(lastWords)")
        case .exit, .signal, .dismissed, .killed, .elsewhere: return nil
        }
    }

    private func livelock(_ reason: String) -> OutcomeFinding {
        OutcomeFinding(.livelock, at: record.place, reason)
    }

    /// What an exit code that is not that of the clean runs says.
    func error(_ code: Int32, cleanExit: Int32) -> OutcomeFinding {
        if code == 0 {
            return OutcomeFinding(.wrongResult, at: record.place, "exit 0, though the clean runs end with \(cleanExit)")
        }
        if let told = clearError(code) { return told }
        return OutcomeFinding(
            .crash, at: record.place, "exit \(code), which is no error as `client.clear_error` states it\(lastWords)")
    }

    /// The error that the client tells of in the way its scenario states, if it does.
    ///
    /// - Parameter code: Its exit code; 0 of one that was ended here.
    func clearError(_ code: Int32) -> OutcomeFinding? {
        guard isMet(clearError ?? .usual, code) else { return nil }
        let words = clearError?.line(of: client.standardOutput).map { ": \(ClientJudge.shorten($0))" } ?? lastWords
        let end = isOwnEnd ? "exit \(code)" : "it says so and stays"
        return OutcomeFinding(.clearError, at: record.place, end + words)
    }

    private var isOwnEnd: Bool {
        if case .exit = client.end { true } else { false }
    }

    private func isMet(_ spec: ClearErrorSpec, _ code: Int32) -> Bool {
        spec.isMet(exit: code, standardError: client.standardError, standardOutput: client.standardOutput)
    }

    /// Whether the scenario states that an error looks so.
    private func isStatedError(_ code: Int32) -> Bool { clearError.map { isMet($0, code) } ?? false }

    /// The error the client tells of, behind a colon.
    var lastWords: String { ClientJudge.words(of: client) }
}

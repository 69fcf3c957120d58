import TapDocument
import TapField
import TapScenario
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
        guard isMet(clearError ?? .default, code) else { return nil }
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

/// What a sanitizer, or the runtime of a language, prints when a program dies.
///
/// Sources: the reports of clang's and gcc's sanitizers and of glibc 2.36, and what the runtimes of Swift 6, Rust 1.8x,
/// Go 1.2x, CPython 3, OpenJDK 17, Kotlin/Native, Node.js 18, .NET 8, Mono, libstdc++, libc++, Ruby 3, PHP 8, Elixir and
/// Dart print for an error that nobody catches; ``ErrorReport`` finds the error in it.
struct CrashPattern: Sendable {
    /// Who prints it, for a sentence.
    let printer: String
    /// Pieces of one line of the standard error, in this order.
    let parts: [String]
    /// Whether it tells of a crash also where the program goes on: a report that cannot be meant for people, or the
    /// death of a thread.
    let isAlways: Bool
    /// Where the report has the error itself.
    private let shape: ErrorReport.Shape

    private init(
        _ printer: String, _ parts: String..., isAlways: Bool = false, shape: ErrorReport.Shape = .line
    ) {
        self.printer = printer
        self.parts = parts
        self.isAlways = isAlways
        self.shape = shape
    }

    /// The patterns, those of sanitizers first: they say most.
    static let all = sanitizers + libraries + runtimes

    private static let sanitizers = [
        CrashPattern("AddressSanitizer", "ERROR: AddressSanitizer", isAlways: true),
        CrashPattern("LeakSanitizer", "ERROR: LeakSanitizer", isAlways: true),
        CrashPattern("MemorySanitizer", "WARNING: MemorySanitizer", isAlways: true),
        CrashPattern("ThreadSanitizer", "WARNING: ThreadSanitizer", isAlways: true),
        CrashPattern("UndefinedBehaviorSanitizer", ":", ": runtime error: ", isAlways: true),
        CrashPattern("UndefinedBehaviorSanitizer", "SUMMARY: UndefinedBehaviorSanitizer", isAlways: true),
        CrashPattern("Valgrind", "== Invalid read of size", isAlways: true),
        CrashPattern("Valgrind", "== Invalid write of size", isAlways: true),
    ]

    private static let libraries = [
        CrashPattern("glibc", "*** stack smashing detected ***"),
        CrashPattern("glibc", "*** buffer overflow detected ***"),
        CrashPattern("glibc", "double free or corruption"),
        CrashPattern("glibc", "corrupted size vs. prev_size"),
        CrashPattern("glibc", "free(): "),
        CrashPattern("glibc", "malloc(): "),
        CrashPattern("glibc", "realloc(): invalid"),
        CrashPattern("glibc", "munmap_chunk(): invalid pointer"),
        CrashPattern("an assertion of C", ": Assertion `", "' failed."),
        CrashPattern("C++", "terminate called ", shape: .terminate),
        CrashPattern("C++", "libc++abi: terminating"),
    ]

    private static let runtimes = [
        CrashPattern("PHP", "PHP Fatal error: "),
        CrashPattern("Swift", "Fatal error: "),
        CrashPattern("Swift", ".swift:", ": Precondition failed"),
        CrashPattern("Swift", ".swift:", ": Assertion failed"),
        CrashPattern("Swift", "Program crashed: "),
        CrashPattern("an assertion of C", "Assertion failed: "),
        CrashPattern("Rust", "thread '", "panicked at", isAlways: true, shape: .panic),
        CrashPattern("Go", "goroutine ", " [", "]:", shape: .goroutine),
        CrashPattern("Python", "Traceback (most recent call last):", shape: .traceback),
        CrashPattern("Python", "Fatal Python error: "),
        CrashPattern("Java", "Exception in thread \"", isAlways: true, shape: .causes("Caused by: ")),
        CrashPattern("Kotlin", "Uncaught Kotlin exception: ", shape: .causes("Caused by: ")),
        CrashPattern("Node.js", "UnhandledPromiseRejection", isAlways: true, shape: .rejection),
        CrashPattern("Node.js", "    at ", "(node:internal/", shape: .javaScript),
        CrashPattern("Node.js", "    at node:internal/", shape: .javaScript),
        CrashPattern("Node.js", "(Use `node --trace-uncaught", shape: .javaScript),
        // The last line of every uncaught error; an async function that has waited has no frame of Node.js itself.
        CrashPattern("Node.js", "Node.js v", shape: .source),
        CrashPattern(".NET", "Unhandled exception. ", shape: .causes("---> ")),
        CrashPattern("Mono", "Unhandled Exception:", shape: .nextLine),
        CrashPattern("Ruby", ":in `", "Error)"),
        CrashPattern("Ruby", ":in '", "Error)"),
        CrashPattern("Elixir", "** (", "Error) "),
        CrashPattern("Dart", "Unhandled exception:", shape: .nextLine),
    ]

    /// The first pattern that a report has, and the error it tells of.
    ///
    /// - Parameter hasFailed: Whether the program says that it failed; else a report may be of an error it has mended.
    static func first(in report: ErrorReport, hasFailed: Bool) -> (pattern: CrashPattern, error: String)? {
        for pattern in all where pattern.isAlways || hasFailed {
            let parts = pattern.parts.map { Array($0.utf8) }
            let places = report.lines.indices.filter { has(parts, in: Array(report.lines[$0].utf8)) }
            if let error = report.error(at: places, shape: pattern.shape) { return (pattern, error) }
        }
        return nil
    }

    private static func has(_ parts: [[UInt8]], in line: [UInt8]) -> Bool {
        var rest = line[...]
        for part in parts {
            let starts = rest.startIndex..<max(rest.startIndex, rest.endIndex - part.count + 1)
            guard let start = starts.first(where: { rest[$0...].starts(with: part) }) else { return false }
            rest = rest[(start + part.count)...]
        }
        return true
    }
}

/// Looks for what a client left open of a PC/SC service, and for calls that no sound client makes.
struct ServiceOracle {
    private let record: RunRecord

    init(_ record: RunRecord) {
        self.record = record
    }

    var misdeeds: [Misdeed] {
        guard let use = record.service else { return [] }
        return misuses(use) + leaks(use)
    }

    private func misuses(_ use: ServiceUse) -> [Misdeed] {
        var keys: Set<String> = []
        return use.misuses.compactMap { misuse in
            let key = "\(misuse.call) \(misuse.reason)"
            guard keys.insert(key).inserted else { return nil }
            let count = use.misuses.count { $0.call == misuse.call && $0.reason == misuse.reason }
            return Misdeed(
                .protocolMisuse, key: key, amount: count, at: misuse.exchange > 0 ? misuse.exchange : nil,
                "it called \(misuse.call) \(misuse.reason)")
        }
    }

    /// What is left open counts only against a client that ended by itself: one that was ended had no time to tidy up.
    private func leaks(_ use: ServiceUse) -> [Misdeed] {
        guard case .exit = record.client.end else { return [] }
        let left: [(count: Int, noun: String, call: String)] = [
            (use.transactions, "transaction", "SCardEndTransaction"), (use.cards, "card handle", "SCardDisconnect"),
            (use.contexts, "context", "SCardReleaseContext"),
        ]
        return left.filter { $0.count > 0 }.map { count, noun, call in
            Misdeed(
                .leak, key: noun, amount: count, at: record.place,
                "it ended with \(CountText.of(count, noun)) open; \(call) gives it back")
        }
    }
}

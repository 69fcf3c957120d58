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

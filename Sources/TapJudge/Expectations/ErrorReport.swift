/// The standard error of a failing program, and the error in it.
///
/// The last line is rarely the error: stack frames, causes, hints and version lines follow it. Sources: the output of the
/// runtimes in ``CrashPattern``, and anyhow for chains of causes in Rust.
struct ErrorReport {
    /// The location of the error in a runtime's report.
    enum Shape: Sendable {
        /// In the matching line.
        case line
        /// In the matching line after the pattern, or in the next line.
        case nextLine
        /// In the matching line; each cause begins with the given text.
        case causes(String)
        /// Python: after the indented lines; a chain of tracebacks ends with the uncaught exception.
        case traceback
        /// Rust: the location in the matching line, the message in it or in the next one.
        case panic
        /// Go: before the stacks of the goroutines.
        case goroutine
        /// JavaScript: before the frames, or after the caret below the source line.
        case javaScript
        /// JavaScript: after the caret below the source line, the only marker.
        case source
        /// Node.js: in the matching line, after a long explanation.
        case rejection
        /// C++: the exception in the matching line, its message in the next one.
        case terminate
    }

    /// The lines without colour sequences.
    let lines: [Substring]

    init(_ text: String) {
        lines = Self.plain(text).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// The uncaught error in one line, or else the last line; `nil` for empty output.
    var error: String? {
        CrashPattern.first(in: self, hasFailed: true)?.error ?? chain
            ?? lines.last { !Self.isBlank($0) }.map(Self.trimmed)
    }

    func error(at places: [Int], shape: Shape) -> String? {
        guard let first = places.first else { return nil }
        switch shape {
        case .line: return Self.trimmed(lines[first])
        case .nextLine:
            let rest = lines[first].drop { $0 != ":" }.dropFirst()
            return Self.isBlank(rest) ? word(after: first) ?? Self.trimmed(lines[first]) : Self.trimmed(rest)
        case .causes(let word): return Self.trimmed(lines[first]) + cause(after: first, word)
        case .traceback: return exception(places)
        case .panic: return panic(first)
        case .goroutine: return goroutine(first)
        case .javaScript: return javaScript(first)
        case .source: return places.last.flatMap(belowCaret)
        case .rejection:
            // The source line printed above may contain the name, too.
            return Self.rejection(lines[places.first { lines[$0].first?.isWhitespace == false } ?? first])
        case .terminate:
            let message = word(after: first).flatMap { Self.rest(of: $0, after: "what():") }
            return Self.trimmed(lines[first]) + (message.map { ": \($0)" } ?? "")
        }
    }

    /// The error of Rust's anyhow and similar libraries: `Error: …`, then `Caused by:` and the indented causes.
    private var chain: String? {
        guard let head = lines.firstIndex(where: { $0 == "Caused by:" }),
            let error = lines[..<head].last(where: { $0.hasPrefix("Error: ") })
        else { return nil }
        let causes = lines[(head + 1)...].prefix { $0.first?.isWhitespace == true }
        return Self.trimmed(error) + (causes.last.map { ", caused by \(Self.unnumbered($0))" } ?? "")
    }

    /// Returns the root cause, which comes last, after a comma; empty if there is none.
    private func cause(after line: Int, _ word: String) -> String {
        let cause = lines[(line + 1)...].lazy.compactMap { Self.rest(of: Self.trimmed($0), after: word) }.reversed()
            .first
        return cause.map { ", caused by \($0)" } ?? ""
    }

    private func word(after line: Int) -> String? {
        lines[(line + 1)...].first { !Self.isBlank($0) }.map(Self.trimmed)
    }
}

extension ErrorReport {
    /// The separators between the tracebacks of a chain, and the words that replace them in a message.
    private static let links = [
        "The above exception was the direct cause of the following exception:": "caused by",
        "During handling of the above exception, another exception occurred:": "while handling",
    ]

    /// Returns the exception of the last traceback, and the exception that started the chain.
    private func exception(_ places: [Int]) -> String? {
        // Members of a group have a bar. An exception in a destructor does not end the program; neither do the exceptions that
        // led to it.
        var heads: [Int] = []
        var isIgnored = false
        for place in places where !Self.trimmed(lines[place]).hasPrefix("|") {
            isIgnored = followsIgnored(place) || isIgnored && link(before: place) != nil
            if !isIgnored { heads.append(place) }
        }
        guard let last = heads.last else { return nil }
        guard let error = exception(after: last) else { return "an incomplete traceback" }
        var (index, beginning) = (heads.count - 1, "")
        while index > 0, let link = link(before: heads[index]) {
            index -= 1
            beginning = exception(after: heads[index]).map { ", \(link) \($0)" } ?? beginning
        }
        return error + beginning
    }

    /// Returns whether a traceback belongs to an ignored exception.
    ///
    /// The object is named above the traceback, on several lines if its description has several.
    private func followsIgnored(_ head: Int) -> Bool {
        let above = lines[..<head].reversed().prefix { !Self.isBlank($0) && !$0.hasPrefix("  File ") }
        return above.contains { $0.hasPrefix("Exception ignored") }
    }

    private func link(before head: Int) -> String? {
        lines[..<head].last { !Self.isBlank(Self.content($0)) }.flatMap { Self.links[Self.trimmed(Self.content($0))] }
    }

    /// Returns the first line that is indented no more than the head of its traceback; for a group, also its first member.
    private func exception(after head: Int) -> String? {
        let margin = Self.indent(Self.content(lines[head]))
        let isException = { (line: Substring) in
            let content = Self.content(line)
            return !Self.isBlank(content) && Self.indent(content) <= margin
        }
        guard let place = lines[(head + 1)...].firstIndex(where: isException) else { return nil }
        let error = Self.trimmed(Self.content(lines[place]))
        guard let border = lines.indices.dropFirst(place + 1).first, Self.trimmed(lines[border]).hasPrefix("+-+-"),
            let member = lines[(border + 1)...].first(where: { isException($0) && !$0.hasSuffix("call last):") })
        else { return error }
        return "\(error), first \(Self.trimmed(Self.content(member)))"
    }

    /// Returns a line without the bars of nested groups; empty for a border between members.
    private static func content(_ line: Substring) -> Substring {
        let inner = line.drop { $0 == " " }
        if inner.hasPrefix("+-") { return "" }
        return inner.hasPrefix("|") || inner.hasPrefix("+ ") ? inner.dropFirst(2) : line
    }

    private static func indent(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
}

extension ErrorReport {
    /// Returns the panic in `thread 'main' panicked at PLACE:` and a message or, before Rust 1.73,
    /// `panicked at 'MESSAGE', PLACE`.
    private func panic(_ line: Int) -> String {
        let place = Self.rest(of: Self.trimmed(lines[line]), after: "panicked at").map { "panicked at \($0)" } ?? ""
        guard place.hasSuffix(":"), let message = word(after: line), !message.hasPrefix("note: "),
            message != "stack backtrace:"
        else { return place }
        // assert_eq! prints each side on its own line.
        let sides = lines[(line + 2)...].prefix(2).prefix { $0.hasPrefix(" ") }.map(Self.trimmed)
        return ([place + " " + message] + sides).joined(separator: ", ")
    }

    private func goroutine(_ line: Int) -> String {
        let words = ["panic: ", "fatal error: ", "SIG"]
        let error = lines[..<line].last { line in words.contains { line.hasPrefix($0) } }
        return Self.trimmed(error ?? lines[line])
    }

    /// Returns the error above the frames, or else below the source line and its caret.
    private func javaScript(_ line: Int) -> String {
        let start = lines[...line].firstIndex { Self.isFrame($0) } ?? line
        let above = lines[..<start].reversed().prefix { !Self.isBlank($0) }
        if Self.isFrame(lines[line]), let error = above.first(where: Self.isErrorName) ?? above.first {
            return Self.trimmed(error) + cause(after: line, "[cause]: ")
        }
        return belowCaret(before: line) ?? Self.trimmed(lines[line])
    }

    private func belowCaret(before line: Int) -> String? {
        let caret = lines[..<line].lastIndex { Self.trimmed($0).first == "^" && Self.trimmed($0).last == "^" }
        return caret.flatMap { caret in word(after: caret).map { $0 + cause(after: caret, "[cause]: ") } }
    }

    private static func isFrame(_ line: Substring) -> Bool { line.hasPrefix("    at ") }

    /// Returns whether a line begins with an error name: `TypeError: …`, `Uncaught Error: …`, `DOMException [Abort]: …`.
    private static func isErrorName(_ line: Substring) -> Bool {
        let words = line.split(separator: " ").prefix(2).map { $0.prefix { $0 != ":" && $0 != "[" } }
        let name = words.first == "Uncaught" ? words.last : words.first
        return name.map { $0.hasSuffix("Error") || $0.hasSuffix("Exception") } ?? false
    }

    private static func rejection(_ line: Substring) -> String {
        let name = "UnhandledPromiseRejection"
        if let reason = rest(of: line, after: "The promise rejected with the reason ") {
            return "\(name): rejected with the reason \(reason.hasSuffix("] {") ? reason.dropLast(3) : reason[...])"
        }
        return name + (rest(of: line, after: name) ?? "")
    }
}

extension ErrorReport {
    /// Returns the trimmed rest of a line after a word; `nil` if the word is missing.
    static func rest(of line: some StringProtocol, after word: String) -> String? {
        let (bytes, needle) = (Array(line.utf8), Array(word.utf8))
        guard bytes.count >= needle.count,
            let start = (0...bytes.count - needle.count).first(where: { bytes[$0...].starts(with: needle) })
        else { return nil }
        return trimmed(String(decoding: bytes[(start + needle.count)...], as: UTF8.self))
    }

    private static func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }

    static func trimmed(_ text: some StringProtocol) -> String {
        guard let end = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(text[...end].drop(while: \.isWhitespace))
    }

    private static func unnumbered(_ line: Substring) -> String {
        let text = trimmed(line)
        let rest = text.drop(while: \.isNumber)
        return rest.hasPrefix(": ") && rest.count < text.count ? String(rest.dropFirst(2)) : text
    }

    /// Returns a text without terminal sequences such as colours: ESC, `[` or `(`, parameters, and a final character.
    static func plain(_ text: some StringProtocol) -> String {
        let escape: Unicode.Scalar = "\u{1B}"
        guard text.unicodeScalars.contains(escape) else { return String(text) }
        var plain = String.UnicodeScalarView()
        var rest = Substring(text).unicodeScalars
        while let start = rest.firstIndex(of: escape) {
            plain += rest[..<start]
            rest = rest[start...].dropFirst()
            guard rest.first == "[" || rest.first == "(" else { continue }
            rest = rest.dropFirst().drop { (0x20...0x3F).contains($0.value) }.dropFirst()
        }
        return String(plain + rest)
    }
}

/// A line that a sanitizer or a language runtime prints when a program dies; ``ErrorReport`` finds the error in it.
///
/// Sources: the reports of the sanitizers of clang and gcc and of glibc 2.36, and the output for an uncaught error of Swift 6,
/// Rust 1.8x, Go 1.2x, CPython 3, OpenJDK 17, Kotlin/Native, Node.js 18, .NET 8, Mono, libstdc++, libc++, Ruby 3, PHP 8,
/// Elixir and Dart.
struct CrashPattern: Sendable {
    let printer: String
    /// Parts of one line of standard error, in order.
    let parts: [String]
    /// A Boolean value that indicates whether the line means a crash even if the program continues: a report for developers,
    /// or the death of a thread.
    let isAlways: Bool
    private let shape: ErrorReport.Shape

    private init(
        _ printer: String, _ parts: String..., isAlways: Bool = false, shape: ErrorReport.Shape = .line
    ) {
        self.printer = printer
        self.parts = parts
        self.isAlways = isAlways
        self.shape = shape
    }

    /// All patterns; sanitizers come first because their reports are the most specific.
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
        CrashPattern("a C assertion", ": Assertion `", "' failed."),
        CrashPattern("C++", "terminate called ", shape: .terminate),
        CrashPattern("C++", "libc++abi: terminating"),
    ]

    private static let runtimes = [
        CrashPattern("PHP", "PHP Fatal error: "),
        CrashPattern("Swift", "Fatal error: "),
        CrashPattern("Swift", ".swift:", ": Precondition failed"),
        CrashPattern("Swift", ".swift:", ": Assertion failed"),
        CrashPattern("Swift", "Program crashed: "),
        CrashPattern("a C assertion", "Assertion failed: "),
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
        // The last line of every uncaught error; after an await, there may be no frame of Node.js itself.
        CrashPattern("Node.js", "Node.js v", shape: .source),
        CrashPattern(".NET", "Unhandled exception. ", shape: .causes("---> ")),
        CrashPattern("Mono", "Unhandled Exception:", shape: .nextLine),
        CrashPattern("Ruby", ":in `", "Error)"),
        CrashPattern("Ruby", ":in '", "Error)"),
        CrashPattern("Elixir", "** (", "Error) "),
        CrashPattern("Dart", "Unhandled exception:", shape: .nextLine),
    ]

    /// Returns the first pattern in a report, and its error.
    ///
    /// - Parameter hasFailed: Whether the exit status reports a failure; if not, the program may have handled the error.
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

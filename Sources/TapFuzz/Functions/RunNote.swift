#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A note that names the current run of a campaign on standard error if the process ends during it.
///
/// A trap in a client takes the tests with it, and without the note nobody would know which run to repeat.
package actor RunNote {
    package static let shared = RunNote()

    /// The signals that end a process: a trap, a memory error, an abort, and an interrupt by a user who is tired of waiting.
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGINT, SIGTERM]
    private static let capacity = 1_024

    /// The text of the note; written before the signal handlers are installed, and read by a handler, which must not allocate.
    private nonisolated(unsafe) static let text = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    private nonisolated(unsafe) static var length = 0
    private nonisolated(unsafe) static let before = UnsafeMutablePointer<sigaction>.allocate(capacity: signals.count)
    private var depth = 0

    /// Sets the current run or control card; `nil` for a run without faults.
    package func set(_ name: String?) {
        let place =
            name.map {
                "run \($0) of a campaign; to repeat it alone: only: [\"\($0)\"]; to continue without it: "
                    + "except: [\"\($0)\"]"
            } ?? "a run without faults of a campaign; fix that first"
        let line = "\ntapsim: the process ended during \(place)\n"
        unsafe Self.length = 0
        let bytes = Array(line.utf8.prefix(Self.capacity))
        for (index, byte) in bytes.enumerated() { unsafe Self.text[index] = byte }
        unsafe Self.length = bytes.count
    }

    /// Performs some work and names the current run if the process ends during it.
    static func during<Value>(_ work: () async throws -> Value) async throws -> Value {
        await shared.take()
        do {
            let value = try await work()
            await shared.giveBack()
            return value
        } catch {
            await shared.giveBack()
            throw error
        }
    }

    func take() {
        depth += 1
        guard depth == 1 else { return }
        unsafe Self.length = 0
        for (index, number) in Self.signals.enumerated() {
            var action = sigaction()
            #if canImport(Darwin)
                unsafe action.__sigaction_u.__sa_handler = reportRun
            #else
                unsafe action.__sigaction_handler.sa_handler = reportRun
            #endif
            _ = unsafe sigaction(number, &action, Self.before + index)
        }
    }

    private func giveBack() {
        depth -= 1
        if depth == 0 { Self.restore() }
    }

    fileprivate static func restore() {
        for (index, number) in signals.enumerated() { _ = unsafe sigaction(number, before + index, nil) }
    }

    fileprivate static func print() {
        _ = unsafe write(STDERR_FILENO, text, length)
    }
}

/// Prints the note and lets the signal take its normal effect: a trap recurs when its instruction is repeated.
private func reportRun(_ number: Int32) {
    RunNote.print()
    RunNote.restore()
    if [SIGINT, SIGTERM, SIGABRT].contains(number) { raise(number) }
}

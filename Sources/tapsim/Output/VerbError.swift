/// Why a verb ends early: a sentence for standard error and what to leave with.
struct VerbError: Error {
    let code: ExitCode
    /// What happened and what to do next; nothing if it was told already.
    let message: String?

    init(_ code: ExitCode, _ message: String? = nil) {
        self.code = code
        self.message = message
    }
}

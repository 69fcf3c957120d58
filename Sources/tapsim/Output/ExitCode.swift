/// What the command leaves with; scripts may rely on it.
enum ExitCode: Int32, Sendable {
    /// All went as expected.
    case passed = 0
    /// An expectation failed.
    case failed = 1
    /// The command line or a file cannot be followed.
    case usage = 2
    /// The machine does not give what is needed.
    case environment = 3
    /// A time limit was reached.
    case timeLimit = 124
}

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

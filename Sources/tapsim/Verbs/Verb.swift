/// One verb of the command: how it is called, what it does, and the doing.
struct Verb: Sendable {
    let name: String
    /// What follows the word, one line for each way to call it.
    let usages: [String]
    /// What it does, one sentence.
    let summary: String
    /// What else a user wants to know, whole lines.
    let details: String
    /// Its options besides `--help`.
    let options: [Option]
    /// Whether a client may stand behind `--`.
    var takesClient = false
    /// Carries it out.
    let run: @Sendable (Arguments, Console) async throws -> ExitCode

    /// Every verb, in the order in which help lists them.
    static let all: [Verb] = [
        .run, .fuzz, .initialize, .serve, .ctl, .check, .fmt, .list, .explain, .decode, .exchange, .doctor,
    ]

    /// The option every verb has.
    static let help = Option.flag("--help", short: "-h", "Show this text.")
}

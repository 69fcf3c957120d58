import CVersion
import TapDocument
import TapReport
import TapScenario

/// The `tapsim` command, which finds the verb and runs it.
package enum TapSimCommand {
    static let version = unsafe String(cString: tapsim_version())

    /// Runs the verb that the arguments name, and returns the exit code.
    package static func run(_ words: [String], _ context: CommandContext) async -> ExitCode {
        let console = context.console
        guard let first = words.first else {
            console.printError(Help.overview)
            return .usage
        }
        switch first {
        case "--help", "-h": return report(Help.overview, console)
        case "help": return help(words.dropFirst().first, console)
        case "--version", "-V": return report("tapsim \(version)", console)
        // Called by the scripts that `completions` prints.
        case "complete":
            console.printAsIs(Completion(Array(words.dropFirst())).lines.map { "\($0)\n" }.joined())
            return .passed
        default:
            guard let verb = Verb.all.first(where: { $0.name == first }) else {
                return report(unknown(first, before: Array(words.dropFirst())), words, console)
            }
            return await run(verb, Array(words.dropFirst()), context)
        }
    }

    private static func run(_ verb: Verb, _ words: [String], _ context: CommandContext) async -> ExitCode {
        var context = context
        do {
            let arguments = try Arguments(words, of: verb)
            if let colour: Console.Colour = try arguments.word(Console.Colour.option.name) {
                context.console.apply(colour)
            }
            if arguments.isGiven(Verb.completeHelp.name) {
                return report(Help.text(of: verb, isComplete: true), context.console)
            }
            if arguments.isGiven(Verb.help.name) { return report(Help.text(of: verb), context.console) }
            guard arguments.client == nil || verb.takesClient else {
                throw UsageError("`\(verb.name)` takes no client after `--`")
            }
            return try await verb.run(arguments, context)
        } catch let error as UsageError {
            // A message with a semicolon contains its own advice.
            let help = error.help ?? (error.message.contains("; ") ? nil : "see `tapsim \(verb.name) --help`")
            return report(VerbError(.usage, error.message, help: help), words, context.console)
        } catch let error as VerbError {
            return report(error, words, context.console)
        } catch {
            // All expected errors of verbs are handled above.
            let sentence = "\(error); this is a bug in TapSim; please report it with the command line"
            return report(VerbError(.ownBug, sentence), words, context.console)
        }
    }

    /// Reports an error.
    ///
    /// Also reports it as JSON if `--json` is among the arguments, even if the arguments are invalid.
    private static func report(_ error: VerbError, _ words: [String], _ console: Console) -> ExitCode {
        console.report(error, isForProgram: words.prefix { $0 != "--" }.contains("--json"))
        return error.code
    }

    private static func help(_ name: String?, _ console: Console) -> ExitCode {
        guard let name else { return report(Help.overview, console) }
        guard let verb = Verb.all.first(where: { $0.name == name }) else {
            return report(unknown(name), [], console)
        }
        return report(Help.text(of: verb), console)
    }

    private static func report(_ text: String, _ console: Console) -> ExitCode {
        console.print(text)
        return .passed
    }

    /// Returns the error for a verb that does not exist, or for an option without a verb.
    ///
    /// - Parameter rest: The arguments after it.
    private static func unknown(_ name: String, before rest: [String] = []) -> VerbError {
        let plain = LookAlike.plain(name) ?? name
        guard !plain.hasPrefix("-"), plain != "version" else {
            let options = ["--help", "--version"]
            let meant = Spelling.closest(to: plain, among: options).map { "tapsim \($0)" } ?? runCommand(plain, rest)
            return VerbError(
                .usage, "there is no \(plain.hasPrefix("-") ? "option" : "verb") `\(name)`",
                help: meant.map { "did you mean `\($0)`?" }
                    ?? "options follow a verb: tapsim run \(ShellText.text([plain]))")
        }
        if CardArgument.meant(by: plain) == [plain] {
            return VerbError(
                .usage, "there is no verb `\(name)`", help: "did you mean `tapsim run --card \(plain)`?")
        }
        return VerbError(
            .usage, "there is no verb `\(name)`", help: Spelling.advice(on: plain, among: Verb.all.map(\.name)))
    }

    /// Returns the `tapsim run` command with an option whose verb was forgotten.
    ///
    /// Returns `nil` if `run` has no such option, or if a verb follows.
    private static func runCommand(_ word: String, _ rest: [String]) -> String? {
        let written = String(word.prefix { $0 != "=" })
        let hasVerb = rest.prefix { $0 != "--" }.contains { word in Verb.all.contains { $0.name == word } }
        guard !hasVerb, let option = Arguments.meant(by: written, among: Verb.run.allOptions) else { return nil }
        return "tapsim run \(ShellText.text([option + word.dropFirst(written.count)] + rest))"
    }
}

struct Verb: Sendable {
    let name: String
    /// The text after the verb, one line for each form.
    let usages: [String]
    let summary: String
    /// One to three commands for a start.
    let examples: [Example]
    /// Further help: paragraphs, and indented lines that keep their breaks.
    let details: String
    /// Details that only `--help-all` and the manual page show.
    var more = ""
    let options: [Option]
    var takesClient = false
    /// A Boolean value that indicates whether options of other verbs are operands: `tapsim explain --timeout`.
    var explainsOptions = false
    let run: @Sendable (Arguments, CommandContext) async throws -> ExitCode

    /// A command as a reader can enter it.
    struct Example: Sendable {
        let purpose: String
        let command: String

        init(_ purpose: String, _ command: String) {
            (self.purpose, self.command) = (purpose, command)
        }
    }

    /// All verbs, in the order of help.
    static let all: [Verb] = [
        .run, .fuzz, .audit, .coverage, .trace, .record, .card, .initialize, .serve, .ctl, .check, .fmt, .list,
        .explain,
        .decode,
        .exchange, .webUSB, .doctor, .completions, .man,
    ]

    static let help = Option.flag("--help", short: "-h", "Show this help")
    static let completeHelp = Option.flag("--help-all", "Show all options and details")
    /// The options that every verb has.
    private static let common = [Console.Colour.option, help, completeHelp]

    var allOptions: [Option] { options + Self.common }
}

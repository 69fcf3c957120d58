import TapDocument
import TapDoors
import TapRun

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The command: finds the verb, carries it out, and leaves with its exit code.
@main
enum TapSimCommand {
    /// The version of the command and of what it writes.
    static let version = "0.1.0"

    static func main() async {
        StandardStreams.fillClosed()
        ProcessGroups.endWithThisProcess()
        Leftovers.adoptOrphans()
        let console = Console()
        // Swift asks Linux for them; even without any there is the name of the command.
        guard !CommandLine.arguments.isEmpty else {
            console.fail("the arguments cannot be read: /proc is not there, where Linux keeps them; mount it first")
            exit(ExitCode.environment.rawValue)
        }
        let code = await run(Array(CommandLine.arguments.dropFirst()), console)
        exit(finish(code, console).rawValue)
    }

    /// What to leave with: output that was lost is no success, whatever the verb made of it.
    private static func finish(_ code: ExitCode, _ console: Console) -> ExitCode {
        for sentence in Leftovers.sentences { console.printError("tapsim: \(sentence)") }
        guard let loss = console.lostOutput else { return code }
        console.fail("\(loss); what was printed is incomplete")
        return .environment
    }

    static func run(_ words: [String], _ console: Console) async -> ExitCode {
        guard let first = words.first else {
            console.printError(Help.overview)
            return .usage
        }
        switch first {
        case "--help", "-h": return tell(Help.overview, console)
        case "help": return help(words.dropFirst().first, console)
        case "--version": return tell("tapsim \(version)", console)
        default:
            guard let verb = Verb.all.first(where: { $0.name == first }) else { return unknown(first, console) }
            return await run(verb, Array(words.dropFirst()), console)
        }
    }

    private static func run(_ verb: Verb, _ words: [String], _ console: Console) async -> ExitCode {
        do {
            let arguments = try Arguments(words, options: verb.options + [Verb.help])
            if arguments.isGiven(Verb.help.name) { return tell(Help.text(of: verb), console) }
            guard arguments.client == nil || verb.takesClient else {
                throw UsageError("`\(verb.name)` takes no client behind `--`")
            }
            return try await verb.run(arguments, console)
        } catch let error as UsageError {
            console.fail("\(error.message); see tapsim \(verb.name) --help")
            return .usage
        } catch let error as VerbError {
            if let message = error.message { console.fail(message) }
            return error.code
        } catch {
            // Verbs tell all that can go wrong as one of the errors above.
            console.fail("\(error); this is a bug of TapSim, please report it with the command line")
            return .ownBug
        }
    }

    private static func help(_ name: String?, _ console: Console) -> ExitCode {
        guard let name else { return tell(Help.overview, console) }
        guard let verb = Verb.all.first(where: { $0.name == name }) else { return unknown(name, console) }
        return tell(Help.text(of: verb), console)
    }

    private static func tell(_ text: String, _ console: Console) -> ExitCode {
        console.print(text)
        return .passed
    }

    private static func unknown(_ name: String, _ console: Console) -> ExitCode {
        let names = Verb.all.map(\.name)
        let guess = Spelling.question(for: name, among: names)
        console.fail("there is no verb `\(name)`, only \(names.joined(separator: ", "))\(guess)")
        return .usage
    }
}

/// One verb of the command: how it is called, what it does, and the doing.
struct Verb: Sendable {
    let name: String
    /// What follows the word, one line for each way to call it.
    let usages: [String]
    let summary: String
    /// What else a user wants to know, whole lines.
    let details: String
    let options: [Option]
    /// Whether a client may stand behind `--`.
    var takesClient = false
    let run: @Sendable (Arguments, Console) async throws -> ExitCode

    /// Every verb, in the order in which help lists them.
    static let all: [Verb] = [
        .run, .fuzz, .initialize, .serve, .ctl, .check, .fmt, .list, .explain, .decode, .exchange, .doctor,
    ]

    static let help = Option.flag("--help", short: "-h", "Show this text.")
}

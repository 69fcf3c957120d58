import TapDoors
import TapRun
import TapScenario

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
        ProcessGroups.endWithThisProcess()
        let console = Console()
        exit(await run(Array(CommandLine.arguments.dropFirst()), console).rawValue)
    }

    /// Carries out a command line.
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
            return try await verb.run(arguments, console)
        } catch let error as UsageError {
            fail("\(error.message); see tapsim \(verb.name) --help", console)
            return .usage
        } catch let error as VerbError {
            if let message = error.message { fail(message, console) }
            return error.code
        } catch {
            fail("\(error)", console)
            return .environment
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
        fail("there is no verb `\(name)`, only \(names.joined(separator: ", "))\(guess)", console)
        return .usage
    }

    private static func fail(_ message: String, _ console: Console) {
        console.printError(console.errorStyle.severity("error", .error) + ": \(message)")
    }
}

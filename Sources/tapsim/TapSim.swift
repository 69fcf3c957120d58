import TapCommand
import TapSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The program: prepares the process for the command, runs it, and exits with its code.
@main
enum TapSim {
    static func main() async {
        StandardStreams.fillClosed()
        StandardStreams.keepOwnerBits()
        ProcessGroups.resetInheritedSignals()
        ProcessGroups.endWithThisProcess()
        Leftovers.adoptOrphans()
        let surroundings = Surroundings()
        let console = Console(output: StandardStreams.output, error: StandardStreams.error, in: surroundings)
        // Swift reads the arguments from /proc; even an empty command line contains the name of the command.
        guard !CommandLine.arguments.isEmpty else {
            console.fail("cannot read the arguments: Linux keeps them in /proc, which is not mounted; mount it first")
            exit(ExitCode.environment.rawValue)
        }
        let context = CommandContext(console: console, surroundings: surroundings, input: StandardStreams.input)
        let code = finish(await TapSimCommand.run(Array(CommandLine.arguments.dropFirst()), context), console)
        ProcessGroups.awaitEnd()
        exit(code.rawValue)
    }

    /// Returns the exit code: a run with lost output has not succeeded, whatever its verb returns.
    private static func finish(_ code: ExitCode, _ console: Console) -> ExitCode {
        for sentence in Leftovers.sentences { console.printError("tapsim: \(sentence)") }
        guard let loss = console.lostOutput else { return code }
        console.fail("\(loss); the printed output is incomplete")
        return .environment
    }
}

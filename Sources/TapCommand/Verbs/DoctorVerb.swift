import TapDocument
import TapReport
import TapRun

extension Verb {
    static let doctor = Verb(
        name: "doctor",
        usages: ["[-- CLIENT ARG…]"],
        summary: "Check whether PC/SC clients can reach virtual cards on this machine, and suggest fixes.",
        examples: [
            Example("Check this machine", "tapsim doctor"),
            Example("Check also whether a program can reach the cards", "tapsim doctor -- ./reader"),
        ],
        details: """
            Checks the library, the private service, the temporary directory and the system's
            PC/SC service. A CLIENT after -- is examined but not run: something may prevent
            PCSCLITE_CSOCK_NAME from reaching it. The exit code is 3 if PC/SC cannot work.
            """,
        options: [.flag("--json", "Print a JSON document instead of text")],
        takesClient: true,
        run: { arguments, context in
            guard arguments.operands.isEmpty else {
                throw UsageError("a client comes after `--`: tapsim doctor -- \(ShellText.text(arguments.operands))")
            }
            if let client = arguments.client, client.isEmpty { throw UsageError("name a client after `--`") }
            let console = context.console
            let doctor = Doctor(client: arguments.client, in: context.surroundings)
            if arguments.isGiven("--json") {
                console.print(json: doctor.node)
            } else {
                for line in doctor.findings.flatMap({ $0.lines(console.style) }) { console.print(line) }
                console.print(doctor.summary)
            }
            return doctor.works ? .passed : .environment
        })
}

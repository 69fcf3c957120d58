import TapDocument
import TapReport
import TapRun

extension Verb {
    static let doctor = Verb(
        name: "doctor",
        usages: ["[-- CLIENT ARG…]"],
        summary: "Say whether PC/SC clients can reach virtual cards on this machine, and what to do if not.",
        details: """
            Checks the library, the private service, the temporary directory and the PC/SC service of the system. A
            CLIENT behind -- is examined, not run: something may keep PCSCLITE_CSOCK_NAME from reaching it. The exit code
            is 3 when PC/SC cannot work.
            """,
        options: [.flag("--json", "Print one JSON document instead of text.")],
        takesClient: true,
        run: { arguments, context in
            guard arguments.operands.isEmpty else {
                throw UsageError("a client comes after `--`: tapsim doctor -- \(ShellWords.text(arguments.operands))")
            }
            if let client = arguments.client, client.isEmpty { throw UsageError("name a client behind `--`") }
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

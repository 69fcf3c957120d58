import TapDoors
import TapReport
import TapScenario
import TapServe

extension Verb {
    /// `tapsim ctl`: steers a field that `tapsim serve` serves, or that of an app.
    static let ctl = Verb(
        name: "ctl",
        usages: [
            "tap CARD [READER]", "remove [CARD]", "swap OUT IN [--gap 30ms]", "set CARD KEY=VALUE…", "reset",
            "journal [--last N]", "verify [--count COMMAND=N] [--never COMMAND] [--file FILE]", "status",
            "plug [READER]", "unplug [READER]", "phone cancel|background|radio on|radio off", "stop",
        ],
        summary: "Steer the cards that tapsim serve or an app keeps, see what clients did, and judge it.",
        details: """
            The service is the one whose socket TAPSIM_CTL or --control names: tapsim serve, or an app that is built on
            VirtualCoreNFC and was started with TAPSIM_CARD or TAPSIM_SCENARIO, which says on standard error where its
            socket is, or listens where its own TAPSIM_CTL says (in the iOS simulator SIMCTL_CHILD_TAPSIM_CTL). tap,
            remove and swap move cards; set makes a card anew with other values, where it lies; reset brings everything
            back to the beginning. journal shows the exchanges in words. verify judges them: by what the command line or
            a FILE with the keys of `expect` says, else by what the scenario expects; it exits with 1 and shows the
            nearest exchange when something is not met. plug and unplug are for the readers of tapsim serve, phone for
            an app: cancel is the button on the sheet of its session, background leaves the app, radio switches NFC on
            or off; stop ends the steering of an app, not the app. Programs may speak to the socket themselves, in a
            line of JSON each way: {"tap": "suica"},
            {"swap": {"out": "suica", "in": "tag", "gap": "30ms"}}, {"set": {"card": "suica", "values": {"balance": 1}}},
            {"verify": {"counts": {"felica.read": 2}}}, {"journal": {"last": 5}}, {"status": {}},
            {"phone": "cancel"}, {"phone": {"radio": "off"}}.
            """,
        options: [
            .value("--control", "PATH", "The socket of the service, in place of TAPSIM_CTL."),
            .value("--gap", "TIME", "How long no card lies before the reader in a swap."),
            .value("--last", "N", "How many exchanges and other commands the journal shows, the newest ones."),
            .value("--count", "COMMAND=N", isRepeatable: true, "How often a command was sent: felica.read=2, or 1..3"),
            .value("--never", "COMMAND", isRepeatable: true, "A command that must not have been sent."),
            .value("--file", "FILE", "A file with expectations: those under `expect`, or all of it."),
            .flag("--json", "Print one JSON document instead of text."),
        ],
        run: { arguments, console in
            let request = try CtlRequest(arguments, console).node
            let answer = try ControlCall(arguments).answer(to: request)
            if arguments.isGiven("--json") {
                console.print(JSONWriter.text(answer["result"] ?? .null, .pretty))
            } else {
                for line in answer["text"]?.items ?? [] { console.print(line.text ?? "") }
            }
            return answer["result"]?["passed"]?.text == "false" ? .failed : .passed
        })
}

/// One question to a service.
private struct ControlCall {
    private let path: String

    init(_ arguments: Arguments) throws(VerbError) {
        guard let path = arguments.value("--control") ?? ProcessEnvironment[FieldService.variable], !path.isEmpty
        else {
            throw VerbError(
                .environment,
                "\(FieldService.variable) is not set, so it is not known which service is meant; "
                    + "evaluate what tapsim serve --env prints, or name its socket with --control")
        }
        self.path = path
    }

    /// Sends a request and takes the answer.
    ///
    /// - Throws: ``VerbError`` if nobody answers, or the service refuses.
    func answer(to request: Node) throws(VerbError) -> Node {
        let client: ControlClient
        do {
            client = try ControlClient(to: path)
        } catch {
            throw VerbError(
                .environment,
                "no service is there: \(error); start one with tapsim serve, or an app with TAPSIM_CARD")
        }
        guard let line = client.ask(JSONWriter.text(request)) else {
            throw VerbError(.environment, "the service at \(path) gave no answer; it has ended, or hangs")
        }
        var diagnostics = Diagnostics()
        let reader = JSONReader(limits: Self.limits)
        let answer = reader.read(SourceFile(name: "answer", text: line), into: &diagnostics)
        guard let answer, let isDone = answer["ok"]?.text else {
            throw VerbError(
                .environment, "what listens at \(path) is neither tapsim serve nor an app with virtual cards")
        }
        guard isDone == "true" else { throw VerbError(.usage, answer["error"]?.text ?? "refused") }
        return answer
    }

    /// A journal is larger than any scenario.
    private static let limits = DocumentLimits(
        maximumBytes: ControlClient.maximumAnswerLength, maximumDepth: DocumentLimits.scenario.maximumDepth,
        maximumNodes: 10_000_000)
}

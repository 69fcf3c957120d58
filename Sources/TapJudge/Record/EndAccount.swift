import TapDocument
import TapField
import TapScenario
import TapWire

/// The end of a client: verdicts, outcomes, text and JSON take their words from here.
public struct EndAccount: Sendable {
    enum Kind: Sendable {
        case own(Int32)
        /// Ended by TapSim as intended; with its exit code if no signal was needed.
        case asMeant(Int32?)
        /// An end that always fails.
        case failing(Complaint)
        case unseen
    }

    struct Complaint: Sendable {
        /// A crash, a hang or a livelock.
        let outcome: Outcome
        /// A sentence without its full stop.
        let reason: String
        let expected: String
        let got: String
        var nearest: Int?
        /// A sentence.
        var hint: String?

        /// Returns the client's last error; empty for a livelock, whose output does not explain it.
        func lastError(of client: ClientReport) -> String { outcome == .livelock ? "" : client.lastError }
    }

    /// The phrase for an end that TapSim caused as intended, whose exit status may be unknown.
    public var endedByTapSim: String? {
        guard case .asMeant(let code) = kind else { return nil }
        return Self.endedByTapSim(code)
    }

    fileprivate static func endedByTapSim(_ code: Int32?) -> String {
        "ended by TapSim, " + (code.map { "exit \($0)" } ?? "exit status unknown")
    }

    public let line: String
    let kind: Kind
    /// A Boolean value that indicates whether the client is a function in this process, which has no exit code.
    let isOfFunction: Bool

    private init(_ line: String, _ kind: Kind, isOfFunction: Bool = false) {
        self.line = line
        self.kind = kind
        self.isOfFunction = isOfFunction
    }

    /// - Parameters:
    ///   - exchanges: The number of exchanges.
    ///   - isWaitingForCards: Whether the client was waiting for another card when its time was over.
    ///   - transport: The transport that it used.
    init(
        _ end: ClientReport.End, after exchanges: Int, isWaitingForCards: Bool = false, through transport: String? = nil
    ) {
        switch end {
        case .exit(let code):
            self.init("nothing more; the client exits \(code)", .own(code))
        case .returned:
            self.init("nothing more; the client returns", .own(0), isOfFunction: true)
        case .threw:
            self.init("nothing more; the client throws", .own(1), isOfFunction: true)
        case .signal(let number):
            let name = Self.name(ofSignal: number)
            self.init(
                "nothing more; signal \(number) ended the client",
                .failing(
                    Complaint(
                        outcome: .crash, reason: "signal \(name) ended it", expected: "the client to end by itself",
                        got: "a crash by signal \(name)")))
        case .timeLimit:
            self.init(
                "nothing more; the client's time was over",
                .failing(
                    Complaint(
                        outcome: .hang, reason: "it was still running when its time was over",
                        expected: "the client to end in time",
                        got: isWaitingForCards ? Self.stillWaiting : Self.stillRunning,
                        hint: isWaitingForCards ? Self.waitingHint : Self.timeHint(through: transport))))
        case .exchangeLimit:
            self.init(
                "nothing more is answered; the run's exchanges are used up",
                .failing(
                    Complaint(
                        outcome: .livelock, reason: "it sent \(exchanges) frames and did not end",
                        expected: "the client to end", got: "\(exchanges) exchanges without an end",
                        hint: "Raise `settings.limits.exchanges` if it needs more.")))
        case .idleLimit(let limit):
            let time = DurationText.of(limit)
            self.init(
                "nothing more; the client went idle",
                .failing(
                    Complaint(
                        outcome: .hang, reason: "it neither printed nor sent anything for \(time)",
                        expected: "the client to continue", got: "neither output nor a frame for \(time)",
                        hint: "Raise `settings.limits.idle` if it needs longer.")))
        case .lineLimit(let text, let time):
            self.init(
                "nothing more; a line that contains `\(text)` did not come",
                .failing(
                    Complaint(
                        outcome: .hang,
                        reason:
                            "it only looked for cards for \(DurationText.of(time)), and printed no line that contains "
                            + "`\(text)`",
                        expected: "a line that contains `\(text)`, which the visit waits for",
                        got: "none while it only looked for cards for \(DurationText.of(time))",
                        hint:
                            "TapSim looks for the text in each line of standard output; a client that buffers its output "
                            + "has to flush it.")))
        case .retryLimit(let limit):
            self.init(
                "nothing more is answered; the same command came too often",
                .failing(
                    Complaint(
                        outcome: .livelock, reason: "it sent the same command \(limit) times in a row and got nowhere",
                        expected: "the client to give up or to try something else",
                        got: "the same command \(limit) times in a row", nearest: exchanges,
                        hint: "Raise `settings.limits.retries_per_command` if that is intended.")))
        case .dismissed(let code):
            self.init(
                "nothing more; TapSim ended the client", .asMeant(code))
        case .killed(let limit, let code):
            let time = DurationText.of(limit)
            self.init(
                "nothing more; the client was ended after \(time)", .asMeant(code))
        case .elsewhere: self.init("nothing more so far", .unseen)
        }
    }

    static let stillRunning = "a client that was still running"
    private static let stillWaiting =
        "a client still waiting for cards after the last one left; add `--taps 1` if that is intended"
    private static let waitingHint =
        "In a scenario write `taps: 1`, or expect the output of the client and no exit code."

    private static func timeHint(through transport: String?) -> String {
        // The driver of pcscd sees neither SCardGetStatusChange nor SCardStatus.
        guard transport == ReaderSpec.Transport.vpcd.rawValue else { return timeHint }
        return "Through vpcd, TapSim cannot see whether a client waits for cards. If it does, add `--taps 1`, or in a "
            + "scenario `taps: 1` or `client.kill_after`. If it needs longer, raise --timeout or `settings.limits.wall`."
    }

    private static let timeHint =
        "If it waits for a card to arrive or to leave, state when: `tap` and `remove` in a timeline, or `taps`. If it stays by "
        + "design, say so with `client.ready` or `client.kill_after`. If it needs longer, raise --timeout or "
        + "`settings.limits.wall`, or remove the limit with --debug."

    var ownExit: Int32? { if case .own(let code) = kind { code } else { nil } }

    var exit: Int32? {
        switch kind {
        case .own(let code): code
        case .asMeant(let code): code
        case .failing, .unseen: nil
        }
    }

    /// Returns text such as `exit 0`; for a function, `it returns`.
    func words(_ code: Int32) -> String {
        isOfFunction ? code == 0 ? "it returns" : "it throws" : "exit \(code)"
    }

    /// Returns text such as `it exits 0`; for a function, `it returns`.
    func sentence(_ code: Int32) -> String {
        if isAsMeant { "it continues" } else if isOfFunction { words(code) } else { "it exits \(code)" }
    }

    /// A Boolean value that indicates whether the client was started elsewhere, so that TapSim cannot see its end.
    package var isUnseen: Bool { if case .unseen = kind { true } else { false } }

    /// A Boolean value that indicates whether the client stayed until TapSim ended it as intended.
    var isAsMeant: Bool { if case .asMeant = kind { true } else { false } }

    var complaint: Complaint? { if case .failing(let complaint) = kind { complaint } else { nil } }

    /// Returns the name of a signal; the numbers are the ones that POSIX systems share.
    static func name(ofSignal number: Int32) -> String {
        let names: [Int32: String] = [
            1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL",
            11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM",
        ]
        return names[number].map { "\(number) (\($0))" } ?? "\(number)"
    }
}

extension ClientReport.End {
    /// The end as a program reads it; an unseen end has no keys.
    package static let output = OutputTable<Self>(
        "end", "How a client ended",
        .maybe("returned", "true for a function that returned a result") { $0 == .returned ? true : nil },
        .maybe("threw", "true for a function that threw an error") { $0 == .threw ? true : nil },
        .maybe("signal", "The signal that ended it") { if case .signal(let number) = $0 { number } else { nil } },
        .maybe("limit", "The limit that ended it; `line` if it never printed an expected line", \.limit),
        .maybe(
            "dismissed", "Whether TapSim ended it as intended, because it stays or has printed the expected output"
        ) { if case .dismissed = $0 { true } else { nil } },
        .maybe("killed_after", "When `kill_after` ended it") {
            if case .killed(let limit, _) = $0 { DurationText.of(limit) } else { nil }
        },
        .maybe("exit", "Its exit code", \.exit),
        .maybe("status", "`ended by TapSim` with its exit status, if it is known") { end in
            switch end {
            case .dismissed(let code), .killed(_, let code): EndAccount.endedByTapSim(code)
            default: nil
            }
        })

    private var exit: Int32? {
        switch self {
        case .exit(let code): code
        case .dismissed(let code), .killed(_, let code): code
        default: nil
        }
    }

    private enum Limit: String, CaseIterable, OutputValue {
        case time, exchanges, idle, line
        case retries = "retries_per_command"
    }

    private var limit: Limit? {
        switch self {
        case .timeLimit: .time
        case .exchangeLimit: .exchanges
        case .idleLimit: .idle
        case .lineLimit: .line
        case .retryLimit: .retries
        default: nil
        }
    }
}

extension RunRecord {
    public var end: EndAccount {
        EndAccount(
            client.end, after: world.exchangeCount, isWaitingForCards: client.isWaitingForCards, through: transportUsed)
    }

    /// The visit in which the client ended although more were planned.
    var earlyVisit: (number: Int, planned: Int)? {
        guard end.ownExit != nil, let visits = client.visits, visits.finished < visits.planned else { return nil }
        return (visits.finished + 1, visits.planned)
    }
}

extension RunRecord {
    private static let mostKinds = 3

    /// The client's last line and the commands after it, such as `the last line was "UID 04", then 319 × felica.polling`.
    var sinceLastLine: String {
        let line = client.standardOutput.split(whereSeparator: \.isNewline).last.map { String($0) }
        let said = line.map { "the last line was \(ClientJudge.quote($0))" } ?? "it printed no line"
        let number = client.marks.last { $0.stream == .output }?.exchange ?? 0
        guard world.exchangeCount > number else { return said }
        guard world.trace.omission == nil else {
            return "\(said), then \(CountText.of(world.exchangeCount - number, "exchange"))"
        }
        var counts: [(name: String, count: Int)] = []
        for exchange in world.trace.exchanges where exchange.number > number {
            let name = CommandName(of: exchange.command)?.rawValue ?? "frame"
            if let index = counts.firstIndex(where: { $0.name == name }) {
                counts[index].count += 1
            } else {
                counts.append((name, 1))
            }
        }
        let most = counts.enumerated()
            .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
            .prefix(Self.mostKinds).map { "\($0.element.count) × \($0.element.name)" }
        return "\(said), then \(most.joined(separator: ", "))"
    }
}

extension ClientReport {
    /// The error from standard error, after a colon; empty if there is none.
    var lastError: String { ErrorReport(standardError).error.map { ": \(ClientJudge.shorten($0))" } ?? "" }
}

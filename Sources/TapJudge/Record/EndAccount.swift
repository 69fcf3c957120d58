import TapDocument
import TapField
import TapScenario
import TapWire

/// All there is to tell of how a client ended: verdicts, outcomes, text and JSON take their words from here.
public struct EndAccount: Sendable {
    /// What an end means for the judge.
    enum Kind: Sendable {
        /// By itself, with an exit code.
        case own(Int32)
        /// Here, as it was meant to; with its exit code if no signal was needed.
        case asMeant(Int32?)
        /// As no client may end, whatever its case expects.
        case failing(Complaint)
        /// Out of sight.
        case unseen
    }

    /// What is wrong about an end.
    struct Complaint: Sendable {
        /// What it is under faults: a crash, a hang or a livelock.
        let outcome: Outcome
        /// Why it is that, a sentence without its full stop.
        let reason: String
        /// Both halves of the failure.
        let expected: String
        let got: String
        /// The exchange to look at.
        var nearest: Int?
        /// What to do about it, a sentence.
        var hint: String?

        /// What the client printed last, where that tells more: one that goes round in circles printed nothing about it.
        func lastWords(of client: ClientReport) -> String { outcome == .livelock ? "" : client.lastWords }
    }

    /// The line behind the last exchange.
    public let line: String
    /// The end as a program reads it; empty for one out of sight.
    public let entries: [(key: String, value: Node)]
    let kind: Kind

    private init(_ line: String, _ kind: Kind, _ entries: [(key: String, value: Node)]) {
        self.line = line
        self.entries = entries
        self.kind = kind
    }

    /// The account of an end.
    ///
    /// - Parameter exchanges: How many exchanges there were.
    init(_ end: ClientReport.End, after exchanges: Int) {
        switch end {
        case .exit(let code):
            self.init("nothing more; the client exits \(code)", .own(code), [("exit", .number(code))])
        case .signal(let number):
            let name = Self.name(ofSignal: number)
            self.init(
                "nothing more; signal \(number) ended the client",
                .failing(
                    Complaint(
                        outcome: .crash, reason: "signal \(name) ended it", expected: "the client to end by itself",
                        got: "a crash by signal \(name)")),
                [("signal", .number(number))])
        case .timeLimit:
            self.init(
                "nothing more; the client's time was over",
                .failing(
                    Complaint(
                        outcome: .hang, reason: "it was still running when its time was over",
                        expected: "the client to end in time", got: Self.stillRunning, hint: Self.timeHint)),
                [("limit", "time")])
        case .exchangeLimit:
            self.init(
                "nothing more is answered; the run's exchanges are used up",
                .failing(
                    Complaint(
                        outcome: .livelock, reason: "it sent \(exchanges) frames and came to no end",
                        expected: "the client to end", got: "\(exchanges) exchanges and no end",
                        hint: "Raise `settings.limits.exchanges` if it needs more.")),
                [("limit", "exchanges")])
        case .idleLimit(let limit):
            let time = DurationText.of(limit)
            self.init(
                "nothing more; the client did nothing any more",
                .failing(
                    Complaint(
                        outcome: .hang, reason: "it neither printed nor sent anything for \(time)",
                        expected: "the client to go on", got: "neither output nor a frame for \(time)",
                        hint: "Raise `settings.limits.idle` if it needs longer.")),
                [("limit", "idle")])
        case .retryLimit(let limit):
            self.init(
                "nothing more is answered; the same command came too often",
                .failing(
                    Complaint(
                        outcome: .livelock, reason: "it sent the same command \(limit) times in a row and got nowhere",
                        expected: "the client to give up or to try something else",
                        got: "the same command \(limit) times in a row", nearest: exchanges,
                        hint: "Raise `settings.limits.retries_per_command` if that is meant.")),
                [("limit", "retries_per_command")])
        case .dismissed(let code):
            self.init(
                "nothing more; the client was asked to end", .asMeant(code),
                [("dismissed", true)] + (code.map { [("exit", .number($0))] } ?? []))
        case .killed(let limit, let code):
            let time = DurationText.of(limit)
            self.init(
                "nothing more; the client was ended after \(time)", .asMeant(code),
                [("killed_after", .text(time))] + (code.map { [("exit", .number($0))] } ?? []))
        case .elsewhere: self.init("nothing more so far", .unseen, [])
        }
    }

    static let stillRunning = "a client that was still running"

    /// What to do about a client that is still there when its time is over.
    private static let timeHint =
        "If it waits for the card to go, let the card go: `remove` in a timeline, or `taps`. If it stays by design, say so "
        + "with `client.ready` or `client.kill_after`. If it needs longer, raise --timeout or `settings.limits.wall`, or "
        + "set no limit with --debug."

    /// The exit code of a client that ended by itself.
    var ownExit: Int32? { if case .own(let code) = kind { code } else { nil } }

    /// The exit code, of a client that had one.
    var exit: Int32? {
        switch kind {
        case .own(let code): code
        case .asMeant(let code): code
        case .failing, .unseen: nil
        }
    }

    /// Whether the client stayed until it was ended here, as it was meant to.
    var isAsMeant: Bool { if case .asMeant = kind { true } else { false } }

    /// What is wrong about the end by itself.
    var complaint: Complaint? { if case .failing(let complaint) = kind { complaint } else { nil } }

    /// The name of a signal, by the numbers that POSIX systems share.
    static func name(ofSignal number: Int32) -> String {
        let names: [Int32: String] = [
            1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL",
            11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM",
        ]
        return names[number].map { "\(number) (\($0))" } ?? "\(number)"
    }
}

extension RunRecord {
    /// How the client ended.
    public var end: EndAccount { EndAccount(client.end, after: world.exchangeCount) }

    /// The visit in which the client ended by itself although more cards were to come, and how many there were to be.
    var earlyVisit: (number: Int, planned: Int)? {
        guard end.ownExit != nil, let visits = client.visits, visits.finished < visits.planned else { return nil }
        return (visits.finished + 1, visits.planned)
    }
}

extension ClientReport {
    /// The error the client tells of on its standard error, behind a colon; empty if it says nothing.
    var lastWords: String { ErrorReport(standardError).error.map { ": \(ClientJudge.shorten($0))" } ?? "" }
}

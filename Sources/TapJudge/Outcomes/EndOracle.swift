import TapField
import TapScenario
import TapWire

struct EndOracle {
    /// The factor by which repeated frames must exceed those of the baseline run to count as a loop, even if the time limit
    /// ended the client first.
    private static let busyFactor = 8
    /// The minimum number of repeated frames that counts as a loop.
    private static let busyMinimum = 64
    /// The exit codes with which shells report a fatal signal: 128 plus SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV.
    private static let shellCrashes: Set<Int32> = [132, 134, 135, 136, 139]

    static let lookingForCard = "it was still looking for a card, and none came"

    private let facts: RunFacts
    private let clearError: ClearErrorSpec?
    private var end: EndAccount { facts.end }
    private var client: ClientReport { facts.client }

    init(_ facts: RunFacts, _ clearError: ClearErrorSpec?) {
        self.facts = facts
        self.clearError = clearError
    }

    var crash: OutcomeFinding? {
        if let complaint = end.complaint, complaint.outcome == .crash { return finding(of: complaint) }
        // The error of a function is not a report of a runtime.
        guard let code = end.ownExit, !end.isOfFunction else { return nil }
        let report = ErrorReport(client.standardError)
        if let (pattern, error) = CrashPattern.first(in: report, hasFailed: code != 0),
            code == 0 || pattern.isAlways || !isStatedError(code)
        {
            let place = report.place
            return facts.finding(
                .crash, "exit \(code), and \(pattern.printer) reports: \(ClientJudge.shorten(error))",
                sign: place.map { "\(Sign.kind(of: error)) in \($0)" } ?? Sign.general(error), isPlaced: place != nil)
        }
        guard Self.shellCrashes.contains(code), !isStatedError(code) else { return nil }
        let name = EndAccount.name(ofSignal: code - 128)
        return facts.finding(
            .crash, "exit \(code), which is how a shell reports signal \(name)\(client.lastError)")
    }

    /// The exit code of a client that ended by itself; 0 if TapSim ended it as its scenario asks, or when no more cards were
    /// to come.
    var exit: Int32? { end.isAsMeant ? 0 : end.ownExit }

    /// A Boolean value that indicates whether the client was stopped because its time was over or because it was idle.
    var isOutOfTime: Bool { end.complaint?.outcome == .hang }

    /// Returns the hang or livelock, if there is one.
    ///
    /// - Parameter baselineExchanges: The number of frames in the baseline run, if known.
    func endless(baselineExchanges: Int?) -> OutcomeFinding? {
        guard let complaint = end.complaint, complaint.outcome != .crash else { return nil }
        guard client.end == .timeLimit else { return finding(of: complaint) }
        let count = facts.world.exchangeCount
        if facts.world.isExhausted { return EndAccount(.exchangeLimit, after: count).complaint.map(finding) }
        // A client that keeps sending new commands makes progress.
        let repeated = count - Set(facts.exchanges.map(\.command.bytes)).count
        guard let baselineExchanges, repeated >= max(Self.busyMinimum, baselineExchanges * Self.busyFactor) else {
            return finding(of: complaint)
        }
        return facts.finding(
            .livelock,
            "it was still sending after \(count) exchanges when its time was over; the baseline run needs "
                + "\(baselineExchanges)", sign: endlessSign)
    }

    /// The hang of a client that was stopped when no more cards were to come, although it should have ended by itself.
    var waiting: OutcomeFinding { facts.finding(.hang, Self.lookingForCard) }

    private func finding(of complaint: EndAccount.Complaint) -> OutcomeFinding {
        let isWaiting = client.end == .timeLimit && facts.isLookingForCard
        let reason = isWaiting ? "\(Self.lookingForCard), when its time was over" : complaint.reason
        return facts.finding(
            complaint.outcome, reason + complaint.lastError(of: client),
            sign: complaint.outcome == .crash
                ? "\(Sign.general(complaint.reason)), after \(facts.lastAct)" : endlessSign)
    }

    /// The sign of an endless client; it does not mention the limit, because the machine determines which one is reached
    /// first.
    private var endlessSign: String {
        facts.isLookingForCard ? Self.lookingForCard : "it did not end, after \(facts.lastAct)"
    }

    /// Returns the finding for an exit code that differs from the baseline runs.
    func error(_ code: Int32, cleanExit: Int32) -> OutcomeFinding {
        if code == 0 { return facts.finding(.wrongResult, "exit 0, though the baseline runs end with \(cleanExit)") }
        if let reported = clearError(code) { return reported }
        return facts.finding(
            .crash, "exit \(code), which is not an error as `client.clear_error` defines it\(client.lastError)")
    }

    /// Returns the error that the client reports in the way its scenario states, if any.
    ///
    /// - Parameter code: The exit code; 0 if TapSim ended the client.
    func clearError(_ code: Int32) -> OutcomeFinding? {
        guard isMet(clearError ?? .default, code) else { return nil }
        let line = clearError?.line(of: client.standardOutput)
        let words = line.map { ": \(ClientJudge.shorten($0))" } ?? client.lastError
        let reported = end.ownExit == nil ? "it reports an error and stays" : end.words(code)
        return facts.finding(.clearError, reported + words)
    }

    private func isMet(_ spec: ClearErrorSpec, _ code: Int32) -> Bool {
        spec.isMet(exit: code, standardError: client.standardError, standardOutput: client.standardOutput)
    }

    private func isStatedError(_ code: Int32) -> Bool { clearError.map { isMet($0, code) } ?? false }
}

extension Oracle {
    static func serviceMisuses(_ facts: RunFacts) -> [Misdeed] {
        let misuses = facts.record.service?.misuses ?? []
        var keys: Set<String> = []
        return misuses.compactMap { misuse in
            let key = "\(misuse.call) \(misuse.reason)"
            guard keys.insert(key).inserted else { return nil }
            let count = misuses.count { $0.call == misuse.call && $0.reason == misuse.reason }
            return Misdeed(
                .protocolMisuse, key: key, amount: count, at: misuse.exchange > 0 ? misuse.exchange : nil,
                "it called \(misuse.call) \(misuse.reason)")
        }
    }

    /// Finds open resources, which count only if the client ended by itself: a client that is stopped has no time to clean up
    /// and may have been reading a card, but not several.
    static func serviceLeaks(_ facts: RunFacts) -> [Misdeed] {
        guard let use = facts.record.service else { return [] }
        if facts.end.isAsMeant, use.surplusCards > 0 {
            return [
                Misdeed(
                    .leak, key: "card handle", amount: use.surplusCards, at: facts.place,
                    "it still had \(CountText.of(use.surplusCards, "card handle")) of earlier cards open when it was asked "
                        + "to end; SCardDisconnect releases what SCardConnect opened")
            ]
        }
        guard facts.end.ownExit != nil else { return [] }
        let left: [(count: Int, noun: String, call: String)] = [
            (use.transactions, "transaction", "SCardEndTransaction"), (use.cards, "card handle", "SCardDisconnect"),
            (use.contexts, "context", "SCardReleaseContext"),
        ]
        return left.filter { $0.count > 0 }.map { count, noun, call in
            Misdeed(
                .leak, key: noun, amount: count, at: facts.place,
                "it ended with \(CountText.of(count, noun)) open; \(call) releases it")
        }
    }
}

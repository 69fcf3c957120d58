import TapDocument
import TapJudge

/// Lets a client in this process run until it ends, or until it is clear that it will not.
package struct ClientEnd: Sendable {
    /// The number of checks of a silent client before it counts as one that does not end.
    private static let looks = 20

    /// The wall-clock time for which the client may neither end nor reach its card.
    let patience: Duration
    private let end = FirstEnd()

    package init(patience: Duration) {
        self.patience = patience
    }

    /// Ends the run from outside; the first end counts.
    func take(_ end: ClientReport.End) async { await self.end.take(ClientReport(end: end)) }

    /// Runs a client in its own task, which continues if the client does not end.
    ///
    /// - Parameter progress: Returns a number that grows with the client's activity; `nil` once the client has exceeded the
    ///   limit of exchanges.
    package func report<Value>(
        progress: @escaping @Sendable () async -> Int?, _ client: @escaping @Sendable () async throws -> Value
    ) async -> ClientReport {
        let (end, patience) = (end, patience)
        let task = Task { await end.take(Self.report(of: client)) }
        let watch = Task { await Self.watch(end, patience, progress) }
        defer {
            task.cancel()
            watch.cancel()
        }
        return await end.value
    }

    private static func report<Value>(of client: @Sendable () async throws -> Value) async -> ClientReport {
        do {
            let result = Node(describing: try await client())
            return ClientReport(
                end: .returned, standardOutput: result.isNull ? "" : JSONWriter.text(result), result: result)
        } catch {
            return ClientReport(end: .threw, standardError: "\(error)\n")
        }
    }

    private static func watch(
        _ end: FirstEnd, _ patience: Duration, _ progress: @Sendable () async -> Int?
    ) async {
        var (seen, silent) = (await progress(), 0)
        while silent < looks {
            guard (try? await Task.sleep(for: patience / looks)) != nil else { return }
            guard let now = await progress() else { return await end.take(ClientReport(end: .exchangeLimit)) }
            silent = now == seen ? silent + 1 : 0
            seen = now
        }
        await end.take(ClientReport(end: .idleLimit(patience)))
    }
}

/// The end of a run; later ends are dropped.
private actor FirstEnd {
    private var report: ClientReport?
    private var waiter: CheckedContinuation<ClientReport, Never>?

    func take(_ report: ClientReport) {
        guard self.report == nil else { return }
        self.report = report
        waiter?.resume(returning: report)
        waiter = nil
    }

    var value: ClientReport {
        get async {
            if let report { return report }
            return await withCheckedContinuation { waiter = $0 }
        }
    }
}

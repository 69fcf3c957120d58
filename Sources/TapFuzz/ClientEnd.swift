import TapDocument
import TapSystem
import TapJudge

/// Lets a client run to its end, or until it is clear that there will be none.
package struct ClientEnd: Sendable {
    /// How often is looked whether the client still does something, in the time that it may do nothing.
    private static let looks = 20

    /// How long the client may neither end nor reach its card, by the clock of the machine.
    let patience: Duration
    private let end = FirstEnd()

    package init(patience: Duration) {
        self.patience = patience
    }

    /// Ends the run from outside; the first end counts.
    func take(_ end: ClientReport.End) { self.end.take(ClientReport(end: end)) }

    /// Runs a client in a task of its own, which goes on where the client does not end.
    ///
    /// - Parameter progress: A number that grows with what the client does; `nil` once it has sent more than a run may have.
    package func report<Value>(
        progress: @escaping @Sendable () -> Int?, _ client: @escaping @Sendable () async throws -> Value
    ) async -> ClientReport {
        let (end, patience) = (end, patience)
        let task = Task { end.take(await Self.report(of: client)) }
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

    private static func watch(_ end: FirstEnd, _ patience: Duration, _ progress: @Sendable () -> Int?) async {
        var (seen, silent) = (progress(), 0)
        while silent < looks {
            guard (try? await Task.sleep(for: patience / looks)) != nil else { return }
            guard let now = progress() else { return end.take(ClientReport(end: .exchangeLimit)) }
            silent = now == seen ? silent + 1 : 0
            seen = now
        }
        end.take(ClientReport(end: .idleLimit(patience)))
    }
}

/// How a run ended; what comes after the first end is dropped.
private final class FirstEnd: Sendable {
    private struct State {
        var report: ClientReport?
        var waiter: (@Sendable (ClientReport) -> Void)?
    }

    private let state = Lock(State())

    func take(_ report: ClientReport) {
        let waiter = state.withLock { state -> (@Sendable (ClientReport) -> Void)? in
            guard state.report == nil else { return nil }
            state.report = report
            return state.waiter
        }
        waiter?(report)
    }

    var value: ClientReport {
        get async {
            await withCheckedContinuation { continuation in
                let report = state.withLock { state -> ClientReport? in
                    if state.report == nil { state.waiter = { continuation.resume(returning: $0) } }
                    return state.report
                }
                if let report { continuation.resume(returning: report) }
            }
        }
    }
}

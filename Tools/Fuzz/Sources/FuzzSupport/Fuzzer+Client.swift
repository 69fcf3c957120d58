import Dispatch
import TapFuzz
import TapJudge
import TapScenario
import TapWire

extension Fuzzer {
    /// The time a client may go without ending or reaching its card; sanitizers make everything slower.
    private static let patience = Duration.seconds(5)

    /// Fuzzes a client that reads over a link: an input is a sequence of fault choices, the same choices that `tapsim fuzz`
    /// draws.
    ///
    /// If a client neither behaves as it does without faults nor throws, that run is a finding, and its run and `faults:` lines
    /// are printed; a trap is a finding too.
    ///
    /// - Parameters:
    ///   - card: The card, in the syntax of `tapsim serve --card`: a template or an IC, and keys.
    ///   - except: Patterns of faults to leave out, such as faults that the client cannot notice.
    ///   - client: Called for each input; the returned value is compared.
    /// - Returns: The exit code.
    public static func run<Value>(
        _ count: Int32, _ arguments: Arguments?, card: String, except: [String] = [],
        _ client: @escaping @Sendable (inout FuzzedLink) async throws -> Value
    ) -> Int32 {
        let campaign: Campaign
        switch finish({ try await Fuzzing.campaign(card, except: except, patience: patience, client) }) {
        case .success(let made): campaign = made
        case .failure(let error):
            print("error: \(error)")
            return 1
        }
        let space = campaign.space
        var isNaming = false
        return unsafe run(count, arguments) { choices in
            // After libFuzzer, which takes over signals when it starts.
            if !isNaming { _ = finish { await Fuzzing.nameRuns() } }
            isNaming = true
            let bytes = choices.bytes(FuzzSpace.maximumFaults * FuzzSpace.bytesPerFault)
            guard let run = space.run(from: bytes) else { return }
            let made = finish { try await campaign.judged(run) }
            guard case .success(let judged) = made else { return }
            exchanges &+= judged.record.world.exchangeCount
            let finding = judged.entry.finding
            expect(finding == nil, "\(run.name): \(finding.map { "\($0)" } ?? "")\n\(run.scenarioLines)")
        }
    }

    /// Runs work to its end on this thread.
    private static func finish<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) -> Result<Value, any Error> {
        let outcome = Outcome<Value>()
        let hasEnded = DispatchSemaphore(value: 0)
        Task {
            do { outcome.result = .success(try await work()) } catch { outcome.result = .failure(error) }
            hasEnded.signal()
        }
        hasEnded.wait()
        guard let result = outcome.result else { fatalError("work that has ended has a result") }
        return result
    }
}

/// The outcome of work; the semaphore separates writing from reading.
private final class Outcome<Value>: @unchecked Sendable {
    var result: Result<Value, any Error>?
}

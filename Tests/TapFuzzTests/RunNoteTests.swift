import TapFuzz
import Testing

/// Fuzzes a client that traps on an unexpected balance or error.
private func trap(atBalance: @escaping @Sendable (Int) -> Bool, atError: Bool = false, only: [String]) async throws {
    _ = try await Fuzzing.run("suica:balance=3120,trips=20", only: only) { link in
        let trips: TripReader.Trips
        do {
            trips = try await TripReader().read(from: &link)
        } catch {
            if atError { fatalError() }
            throw error
        }
        if atBalance(trips.balance) { fatalError() }
        return trips
    }
}

@Suite struct `A trap in a fuzzed function` {
    @Test func `reports its run, how to reproduce it and how to continue without it`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await trap(atBalance: { _ in false }, atError: true, only: ["felica.status"])
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("the process ended during run felica.status@"))
        #expect(text.contains("to repeat it alone: only: [\"felica.status@"))
        #expect(text.contains("to continue without it: except: [\"felica.status@"))
    }

    @Test func `reports the control card`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await trap(atBalance: { $0 != 3120 }, only: ["card.*"])
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("the process ended during run card."))
        #expect(text.contains("except: [\"card."))
    }

    @Test func `is reported as a run without faults if the client traps on its own card`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await trap(atBalance: { _ in true }, only: ["felica.status"])
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("the process ended during a run without faults of a campaign; fix that first"))
    }
}

import TapField
import TapFuzz
import TapJudge
import TapScenario
import TapWire
import Testing

/// A program that reads a card and, after an error, retries for some time before it reports failure.
private struct PatientProgram: Runner {
    /// The time it retries.
    let patience: Duration
    let client = ClientKind.program(reportsReady: false)

    func record(of run: CampaignRun) async throws -> RunRecord {
        var world = run.scenarioCase.makeWorld(trace: Trace(bound: .run))
        let start = world.rfCount
        let request = RFFrame(.felica212, Polling.Request(systemCode: .transit).bytes)
        let answer = world.exchange(request, waiting: .milliseconds(100))
        world.noteHost(since: start)
        let limit = run.scenarioCase.limits.wall
        let client =
            if case .frame = answer {
                ClientReport(end: .exit(0), standardOutput: "a card\n", wall: .milliseconds(5))
            } else if limit < patience {
                ClientReport(end: .timeLimit, wall: limit)
            } else {
                ClientReport(end: .exit(1), standardError: "no card\n", wall: patience)
            }
        return RunRecord(world: world, client: client)
    }
}

/// The longest time that a campaign gives a client under a fault.
private actor LongestTime {
    private(set) var value = Duration.zero

    func add(_ time: Duration) { value = max(value, time) }
}

/// A program that finds a card and, after an error, polls for every system code several times before it gives up.
private struct RereadingProgram: Runner {
    private static let systems: Range<UInt16> = 0..<256

    let times: Int
    var longest: LongestTime?
    let client = ClientKind.program(reportsReady: false)

    func record(of run: CampaignRun) async throws -> RunRecord {
        if run.name != nil { await longest?.add(run.scenarioCase.limits.wall) }
        var world = run.scenarioCase.makeWorld(trace: Trace(bound: .run))
        let start = world.rfCount
        let request = RFFrame(.felica212, Polling.Request(systemCode: .transit).bytes)
        var client = ClientReport(end: .exit(0), standardOutput: "a card\n")
        if case .frame = world.exchange(request, waiting: .milliseconds(100)) {
        } else {
            client = ClientReport(end: .exit(1), standardError: "no card\n")
            for _ in 0..<times {
                for system in Self.systems where !world.isExhausted {
                    let polling = Polling.Request(systemCode: SystemCode(system))
                    _ = world.exchange(RFFrame(.felica212, polling.bytes), waiting: .milliseconds(1))
                }
            }
        }
        if world.isExhausted { client = ClientReport(end: .exchangeLimit) }
        world.noteHost(since: start)
        return RunRecord(world: world, client: client)
    }
}

@Suite struct `A client's exchanges in a campaign` {
    @Test(arguments: [(1, []), (5, []), (12, []), (40, [Outcome.livelock])] as [(Int, [Outcome])])
    func `are a livelock if the same request repeats without end`(times: Int, found: [Outcome]) async throws {
        let scenarioCase = try Fuzzing.scenarioCase(of: "suica:trips=2", seed: 1)
        let settings = try Campaign.Settings(only: ["rf.silence"], except: [])
        let report = try await Fuzzing.report(scenarioCase, settings, on: RereadingProgram(times: times))
        #expect(report.causes.map(\.finding.outcome) == found)
        #expect(report.runCount > 0)
    }

    @Test(arguments: [(nil, true), (300, false)] as [(Int?, Bool)])
    func `are tried with a higher limit only if the case allows it`(limit: Int?, isRepeated: Bool) async throws {
        let loaded = try Fuzzing.scenarioCase(of: "suica:trips=2", seed: 1)
        let scenarioCase = limit.map { loaded.limited(toExchanges: $0) } ?? loaded
        let settings = try Campaign.Settings(only: ["rf.silence"], except: [])
        let longest = LongestTime()
        let report = try await Fuzzing.report(
            scenarioCase, settings, on: RereadingProgram(times: 5, longest: longest))
        // The higher limit comes with the time for a client that seems to hang.
        #expect(await (longest.value >= .seconds(20)) == isRepeated)
        #expect(report.runCount > 0)
    }
}

@Suite struct `A client's time limit in a campaign` {
    @Test(
        arguments: [
            (17, nil, []), (25, nil, [Outcome.hang]), (45, 60, []), (17, 5, [.hang]),
        ] as [(Int, Int?, [Outcome])])
    func `is the stated limit or 20 seconds`(patience: Int, limit: Int?, found: [Outcome]) async throws {
        let loaded = try Fuzzing.scenarioCase(of: "suica:trips=2", seed: 1)
        let scenarioCase = limit.map { loaded.limited(to: .seconds($0)) } ?? loaded
        let settings = try Campaign.Settings(only: ["rf.silence"], except: [])
        let program = PatientProgram(patience: .seconds(patience))
        let report = try await Fuzzing.report(scenarioCase, settings, on: program)
        #expect(report.causes.map(\.finding.outcome) == found)
        #expect(report.runCount > 0)
    }
}

import ScenarioSupport
import TapDocument
@testable import TapField
import TapJudge
import TapScenario
import TapWire
import TapYAML
import Testing

/// Runs that are too long to keep all exchanges.
@Suite(.enabled(if: YAMLReader.isAvailable)) struct `A run with omitted exchanges` {
    private static let bound = TraceBound(exchanges: 2_000, bytes: .max)
    /// Requests for the existence of services; one alone is a Polling, in the middle.
    private static let count = 6_000
    private static let middle = 3_000

    private static func load(_ expect: String) throws -> ScenarioCase {
        let loaded = LoadedScenario(
            "format: 1\ncards: {pass: {ic: RC-S962, idm: \"0102030405060708\", systems: {\"0003\": {}}}}\n"
                + "expect: {\(expect)}\n")
        return try #require(loaded.first, "\(loaded.diagnostics.text())")
    }

    private static func record(_ test: ScenarioCase) -> RunRecord {
        var world = test.makeWorld(trace: Trace(bound: bound))
        let start = world.rfCount
        let idm = IDm(0x0102_0304_0506_0708)
        let request = RequestService.Request(idm: idm, nodes: [NodeCode(0x090F)]).bytes
        let polling = Polling.Request(systemCode: .transit).bytes
        for number in 1...count {
            let frame = RFFrame(.felica212, number == middle ? polling : request)
            _ = world.exchange(frame, waiting: .milliseconds(100))
        }
        world.noteHost(since: start)
        return RunRecord(world: world, client: ClientReport(end: .exit(0)))
    }

    @Test func `keeps its start and end, and reports the omitted exchanges`() throws {
        let test = try Self.load("")
        let record = Self.record(test)
        let kept = record.world.trace.exchanges
        #expect(kept.count <= 2_000 && kept.count > 1_200)
        let numbers = try #require(record.world.trace.omission?.numbers)
        #expect(kept.map(\.number) == Array(1..<numbers.lowerBound) + Array(numbers.upperBound + 1...Self.count))
        let verdict = Judge.judge(test, record)
        #expect(verdict.isPassed)
        let text = "exchanges \(numbers.lowerBound) to \(numbers.upperBound) are not kept"
        #expect(verdict.warnings.map(\.text) == [text])
        #expect(verdict.warnings.first?.hint == TraceBound.run.text)
        #expect(TraceBound.run == TraceBound(exchanges: 100_000, bytes: 64 << 20))
    }

    /// Expectations that do not depend on the omitted exchanges, and whether they are met.
    static let certain = [
        ("counts: {felica.polling: 1, felica.request_service: 5999}", true),
        ("counts: {felica.polling: 0}", false), ("counts: {felica.request_service: 1..5998}", false),
        ("never: [felica.write]", true), ("never: [felica.request_service]", false),
        ("exchanges: {list: [felica.request_service, felica.request_service]}", true),
        ("exchanges: {list: [felica.write]}", false),
        ("exchanges: {order: any, list: [felica.request_service]}", true),
        ("exchanges: {order: exact, list: [felica.request_service, felica.polling]}", false),
    ]

    @Test(arguments: certain) func `is judged if no omitted exchange matters`(expect: String, isMet: Bool) throws {
        let test = try Self.load(expect)
        let verdict = Judge.judge(test, Self.record(test))
        #expect(verdict.isPassed == isMet)
        #expect(!verdict.failures.contains { $0.got.contains("not kept") }, "\(verdict.failures)")
    }

    @Test(arguments: [
        "never: [felica.polling]", "exchanges: {list: [felica.polling]}",
        "exchanges: {order: any, list: [felica.polling]}",
    ])
    func `fails with an unknown outcome if an omitted exchange matters`(expect: String) throws {
        let test = try Self.load(expect)
        let failures = Judge.judge(test, Self.record(test)).failures
        #expect(failures.count == 1)
        #expect(failures.first?.got.contains("not kept, 1 of them relevant here") == true, "\(failures)")
        #expect(failures.first?.hint?.contains("expect `counts`") == true)
    }

    @Test func `cannot serve as a baseline for faults`() throws {
        let test = try Self.load("")
        let record = Self.record(test)
        #expect(throws: BaselineError.self) { try Baseline([record, record, record], of: test) }
        do {
            _ = try Baseline([record, record, record], of: test)
        } catch {
            #expect(error.code == .tooLong && error.found.contains("are not kept"))
        }
    }
}

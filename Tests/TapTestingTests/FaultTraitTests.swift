import CoreNFC
import TapSystem
import Testing

@testable import TapTesting

@Suite struct FaultTraitTests {
    @Test(.card(.suica(balance: 3120)), .fault(.silence, when: .felicaRead))
    func aSilentCardGivesTheClientAnError() async throws {
        let reader = BalanceReader()
        reader.start()
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorMessage == "The card cannot be read")
        #expect(reader.balance == nil)
        #expect(end.trace.text.contains("silence"))
    }

    @Test(.card(.suica()), .fault(.status(0xFF, 0xA6), when: .felicaRead))
    func aStatusFlagHasTheValueOfTheFault() async throws {
        let reader = BalanceReader()
        reader.start()
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorMessage == "The card cannot be read")
        #expect(end.trace.text.contains("A6"))
        #expect(reader.balance == nil)
    }

    @Test func aPassingTestHasNoFindingsAndKeepsNoTrace() async throws {
        let (told, traces) = try await findings([.card(.suica()), .fault("rf.silence", when: "felica.read")]) {
            let reader = BalanceReader()
            reader.start()
            _ = try await VirtualNFC.sessionEnd()
        }
        #expect(told.isEmpty)
        #expect(traces.isEmpty)
    }

    @Test func anErrorOfATestIsReportedAloneWithItsTrace() async throws {
        struct Broken: Error {}
        let traces = Lock<[String]>([])
        await #expect(throws: Broken.self) {
            let reporter = Reporter(
                report: { Issue.record("\($0.text)") }, attach: { text in traces.withLock { $0.append(text) } })
            let traits: [PhoneTrait] = [.card(.suica()), .fault(.silence, when: .felicaRead)]
            try await PhoneScope.run(traits.map(\.part), at: #_sourceLocation, reporting: reporter) { throw Broken() }
        }
        let text = "   #    card ms  dir  what\n            0.0  *    suica comes before the reader\n"
        #expect(traces.withLock { $0 } == [text])
    }

    @Test func aFaultThatIsNeverInjectedFailsTheTestAtItsLine() async throws {
        let line = #line + 1
        let (told, traces) = try await findings([.card(.suica()), .fault(.silence, when: .felicaWrite)]) {
            let reader = BalanceReader()
            reader.start()
            _ = try await VirtualNFC.sessionEnd()
            #expect(reader.balance != nil)
        }
        #expect(told.count == 1)
        #expect(told.first?.location.line == line)
        #expect(told.first?.text.contains("never") == true)
        #expect(traces.count == 1)
        #expect(traces.first?.contains("Read") == true)
    }
}

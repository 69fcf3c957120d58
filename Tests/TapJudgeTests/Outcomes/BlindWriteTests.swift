import Foundation
import ScenarioSupport
import TapDocument
import TapJudge
import TapScenario
import TapWire
import TapYAML
import Testing

/// A stamp whose answer was lost: a cyclic service stores it twice if the client writes it again without checking.
@Suite(.enabled(if: YAMLReader.isAvailable)) struct `A repeated stamp` {
    private static let source = """
        format: 1
        cards:
          card:
            ic: RC-S962
            idm: "01 02 03 04 05 06 07 08"
            systems: {"0003": {services: {"090D": 3, "090F": {}, "004B": 3}}}
        """

    /// - Parameter readBack: The service whose block 0 is read before the second attempt; nil for none.
    private func outcome(readBack: NodeCode?) throws -> Outcome {
        let loaded = LoadedScenario(Self.source)
        let test = try #require(loaded.first, "\(loaded.diagnostics.text())")
        let stamps = NodeCode(0x090D)
        var clean = OutcomeScript(test)
        clean.poll()
        clean.writeBlock(0, BlockData([7]), service: stamps)
        let baseline = try Baseline([clean.record, clean.record, clean.record], of: test)
        var script = OutcomeScript(test)
        script.poll()
        script.remove("card")
        script.writeBlock(0, BlockData([7]), service: stamps)
        script.tap("card")
        script.poll()
        if let readBack { script.read(0..<1, service: readBack) }
        script.writeBlock(0, BlockData([7]), service: stamps)
        return baseline.finding(of: script.record).outcome
    }

    @Test func `was preceded by a read through the service that shares the blocks`() throws {
        #expect(try outcome(readBack: NodeCode(0x090F)) == .correct)
        #expect(try outcome(readBack: NodeCode(0x090D)) == .correct)
    }

    /// The command names the card, and the block contains the same data however often it is written.
    @Test(arguments: [(NodeCode(0x0009), Outcome.correct), (NodeCode(0x090D), .safety)])
    func `is harmless if the service is not cyclic, without looking for the card again`(
        service: NodeCode, outcome: Outcome
    ) throws {
        let test = try #require(
            LoadedScenario(Self.source.replacingOccurrences(of: "\"004B\": 3", with: "\"0009\": 3")).first)
        var clean = OutcomeScript(test)
        clean.poll()
        clean.writeBlock(0, BlockData([7]), service: service)
        let baseline = try Baseline([clean.record, clean.record, clean.record], of: test)
        var script = OutcomeScript(test)
        script.poll()
        script.remove("card")
        script.writeBlock(0, BlockData([7]), service: service)
        script.tap("card")
        script.writeBlock(0, BlockData([7]), service: service)
        #expect(baseline.finding(of: script.record).outcome == outcome)
    }

    @Test func `was not preceded by a check if other blocks or none were read`() throws {
        #expect(try outcome(readBack: NodeCode(0x004B)) == .safety)
        #expect(try outcome(readBack: nil) == .safety)
    }
}

import ScenarioSupport
import TapCards
import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `A message that is written` {
    private static let type3 = """
        format: 1
        cards:
          tag:
            ic: RC-S962
            idm: "01 02 03 04 05 06 07 08"
            systems:
              "12FC":
                services:
                  "0009":
                    blocks: 4
                    data: ["10 04 01 00 03 00 00 00 00 00 01 00 00 03 00 1C", "D0 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"]
        """

    /// A client that writes another record to a Type 3 Tag until it is interrupted.
    private func type3(_ test: ScenarioCase, setsFlag: Bool, blocks: Int) throws -> OutcomeScript {
        var script = OutcomeScript(test)
        let slot = try #require(script.world.card(named: "tag"))
        let attributes = try #require(WrittenBlocks.first(of: slot))
        script.poll(.ndef)
        var steps: [(UInt16, BlockData)] = []
        var begun = AttributeInformationBlock(attributes)
        begun.writeFlag = .inProgress
        begun.updateChecksum()
        if setsFlag { steps.append((0, begun.stored)) }
        steps.append((1, BlockData([0xD1, 0x01, 0x02, 0x54, 0x00, 0x41])))
        var done = begun
        done.writeFlag = .finished
        done.messageLength = 6
        done.updateChecksum()
        steps.append((0, done.stored))
        for (number, data) in steps.prefix(blocks) { script.writeBlock(number, data) }
        return script
    }

    private func findings(
        of script: (ScenarioCase) throws -> OutcomeScript, clean: (ScenarioCase) throws -> OutcomeScript
    )
        throws -> [Outcome]
    {
        let loaded = LoadedScenario(Self.type3)
        let test = try #require(loaded.first, "\(loaded.diagnostics.text())")
        let record = try clean(test).record
        let baseline = try Baseline([record, record, record], of: test)
        var script = try script(test)
        if script.world.exchangeCount < record.world.exchangeCount { script.fail() }
        return baseline.findings(of: script.record).map(\.outcome)
    }

    @Test(arguments: [(true, 1, Outcome.clearError), (true, 2, .clearError), (true, 3, .correct), (false, 1, .safety)])
    func `to a Type 3 Tag is safe if WriteFlag is set meanwhile`(_ setsFlag: Bool, _ blocks: Int, _ outcome: Outcome)
        throws
    {
        let found = try findings {
            try type3($0, setsFlag: setsFlag, blocks: blocks)
        } clean: {
            try type3($0, setsFlag: true, blocks: 3)
        }
        #expect(found.first == outcome)
    }

    @Test func `is safe if an acknowledgement is lost and the page is read back`() throws {
        let test = try `The outcome of a run`.test("faults: [{when: {command: ntag.write, nth: 3}, do: rf.silence}]")
        let baseline = try `The outcome of a run`.baseline(test.undisturbed, isWriter: true)
        var script = OutcomeScript(test)
        script.select()
        script.write(4, "03 00 FE 00")
        script.write(5, "02 54 00 41")
        script.write(6, "FE 00 00 00")
        script.ntag("30 04")
        script.write(4, "03 06 D1 01")
        #expect(baseline.findings(of: script.record).map(\.outcome) == [.correct])
    }
}

/// The contents of a Type 3 Tag.
private enum WrittenBlocks {
    /// The attribute information block.
    static func first(of slot: CardSlot) -> BlockData? {
        (slot.engine as? FeliCaCard)?.blocks(of: Type3Services.write, in: .ndef)?.first
    }
}

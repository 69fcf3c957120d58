import TapField
import TapScenario
import TapWire
import Testing

@testable import TapServe

/// The audit settings that the environment gives to fields of a test suite's programs.
@Suite struct `An audit order` {
    private func order(_ variables: [String: String]) throws(AuditOrder.Problem) -> AuditOrder? {
        try AuditOrder { variables[$0] }
    }

    @Test func `contains a lie, a diary, both or nothing`() throws {
        #expect(try order([:]) == nil)
        #expect(try order(["TAPSIM_LIE": "", "TAPSIM_AUDIT": ""]) == nil)
        let told = try #require(try order(["TAPSIM_LIE": "ntag.pack"]))
        #expect(told.lie?.name == "ntag.pack" && !told.isOfAudit)
        let quiet = try #require(try order(["TAPSIM_AUDIT": "/nonexistent/diary"]))
        #expect(quiet.lie == nil && quiet.isOfAudit)
        #expect(throws: AuditOrder.Problem.self) { try order(["TAPSIM_LIE": "ntag.pak"]) }
    }

    @Test func `can be read from the lines that fields have written`() {
        let lines = "felica.read\ntold\nreceived 17\nfelica.read\nreceived 18\nreceived x\nnonsense\nrecei"
        let diary = AuditDiary(Array(lines.utf8))
        #expect(diary.commands.map(\.rawValue) == ["felica.read"])
        #expect(diary.hasInjectedLie && diary.received == [17, 18])
        #expect(AuditDiary().joined(with: diary) == diary)
    }

    @Test func `records the data that a client receives: frames, or a reader's answers`() throws {
        let read = RFFrame(.typeA106, [0x30, 0x04])
        var world = World(seed: 1)
        let witness = AuditWitness(nil)
        world.trace = Trace(keepsEvents: false, observer: witness)
        _ = world.exchange(read, waiting: .milliseconds(5))
        #expect(witness.diary.commands.map(\.rawValue) == ["ntag.read"])
        #expect(witness.diary.received.count == 1)
        _ = world.exchange(read, waiting: .milliseconds(5))
        #expect(witness.diary.received.count == 1, "the same answer to the same command must not be recorded again")
        world.noteHost(since: world.rfCount, HostCall(.apdu, [0xFF, 0xB0, 0, 4, 16], .answer([0x63, 0])))
        _ = world.exchange(RFFrame(.typeA106, [0x30, 0x08]), waiting: .milliseconds(5))
        #expect(witness.diary.received.count == 2, "a client with a reader does not receive frames")
    }
}

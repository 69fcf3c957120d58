import TapField
import TapScenario
import TapWire
import Testing

@testable import TapServe

/// What the environment asks of fields that the programs of a test suite make.
@Suite struct `The order of an audit` {
    private func order(_ variables: [String: String]) throws(AuditOrder.Problem) -> AuditOrder? {
        try AuditOrder { variables[$0] }
    }

    @Test func `names a lie, a diary, both or nothing`() throws {
        #expect(try order([:]) == nil)
        #expect(try order(["TAPSIM_LIE": "", "TAPSIM_AUDIT": ""]) == nil)
        let told = try #require(try order(["TAPSIM_LIE": "ntag.pack"]))
        #expect(told.lie?.name == "ntag.pack" && !told.isOfAudit)
        let quiet = try #require(try order(["TAPSIM_AUDIT": "/nonexistent/diary"]))
        #expect(quiet.lie == nil && quiet.isOfAudit)
        #expect(throws: AuditOrder.Problem.self) { try order(["TAPSIM_LIE": "ntag.pak"]) }
    }

    @Test func `comes back from the lines that fields have written`() {
        let lines = "felica.read\ntold\nreceived 17\nfelica.read\nreceived 18\nreceived x\nnonsense\nrecei"
        let diary = AuditDiary(Array(lines.utf8))
        #expect(diary.commands.map(\.rawValue) == ["felica.read"])
        #expect(diary.isTold && diary.received == [17, 18])
        #expect(AuditDiary().joined(with: diary) == diary)
    }

    @Test func `notes what a client receives: frames, or what a reader makes of them`() throws {
        let read = AirFrame(.typeA106, [0x30, 0x04])
        var world = World(seed: 1)
        let witness = AuditWitness(nil)
        world.trace = Trace(keepsEvents: false, observer: witness)
        _ = world.exchange(read, waiting: .milliseconds(5))
        #expect(witness.diary.commands.map(\.rawValue) == ["ntag.read"])
        #expect(witness.diary.received.count == 1)
        _ = world.exchange(read, waiting: .milliseconds(5))
        #expect(witness.diary.received.count == 1, "the same answer to the same command is no news")
        world.noteHost(since: world.airCount, HostCall(.apdu, [0xFF, 0xB0, 0, 4, 16], .answer([0x63, 0])))
        _ = world.exchange(AirFrame(.typeA106, [0x30, 0x08]), waiting: .milliseconds(5))
        #expect(witness.diary.received.count == 2, "behind a reader a client receives no frame")
    }
}

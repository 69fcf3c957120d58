import TapCards
import TapField
import TapPhone
import TapWire
import TestSupport
import Testing

@Suite struct `The connection of a phone to a tag` {
    /// Every command, by name.
    static let commands: [(name: String, call: @Sendable (inout PhoneBench) throws -> Void)] = [
        ("polling", { _ = try $0.polling("0003") }),
        ("requestService", { _ = try $0.requestService(["8B00"]) }),
        ("requestResponse", { _ = try $0.reader.requestResponse(of: $0.tag, in: &$0.world) }),
        ("read", { _ = try $0.read(["0F09"], ["8000"]) }),
        ("write", { _ = try $0.write("0910", "8000", String(repeating: "00", count: 16)) }),
        ("requestSystemCode", { _ = try $0.reader.requestSystemCode(of: $0.tag, in: &$0.world) }),
        ("requestServiceV2", { _ = try $0.reader.requestServiceV2([[0x8B, 0]], of: $0.tag, in: &$0.world) }),
        ("specification", { _ = try $0.reader.requestSpecificationVersion(of: $0.tag, in: &$0.world) }),
        ("resetMode", { _ = try $0.reader.resetMode(of: $0.tag, in: &$0.world) }),
        ("raw", { _ = try $0.feliCa("04 01010A1020304050") }),
        ("miFare", { _ = try $0.miFare("3004") }),
        ("iso7816", { try $0.reader.refuseISO7816Command(of: $0.tag, in: &$0.world) }),
        ("queryNDEF", { _ = try $0.queryNDEF() }),
        ("readNDEF", { _ = try $0.readNDEF() }),
        ("writeNDEF", { try $0.writeNDEF([0xD0, 0, 0]) }),
        ("lock", { try $0.lock() }),
    ]

    /// The result of each command on a FeliCa card and on a tag: an error number, or 0 for success.
    @Test(arguments: [
        ("polling", 0, 1), ("requestService", 0, 1), ("requestResponse", 0, 1), ("read", 0, 1), ("write", 0, 1),
        ("requestSystemCode", 0, 1), ("requestServiceV2", 0, 1), ("specification", 0, 1), ("resetMode", 0, 1),
        ("raw", 0, 1), ("miFare", 1, 0), ("iso7816", 1, 1), ("queryNDEF", 0, 0), ("readNDEF", 102, 0),
        ("writeNDEF", 400, 0), ("lock", 400, 0),
    ])
    func `is required by every command, and ends when the tag leaves`(name: String, feliCa: Int, tag: Int) throws {
        let call = try #require(Self.commands.first { $0.name == name }?.call)
        let cards: [(any CardEngine, Int)] = [
            (try PhoneCards.talkative(), feliCa), (NTAGCard(SampleTags.t0()), tag),
        ]
        for (engine, expected) in cards {
            var bench = PhoneBench([("card", engine)])
            bench.look()
            let error = bench.error(call)
            #expect(error?.code == .tagNotConnected)
            #expect(error?.text == "Tag is not connected")
            try bench.connect()
            #expect(bench.code(call) ?? 0 == expected)
            bench.look()
            try bench.connect()
            bench.world.remove("card")
            let frames = bench.frames.count
            let before = bench.world.now
            #expect(bench.code(call) == 100)
            #expect(bench.frames.count == frames)
            #expect(bench.world.now > before)
            bench.world.tap("card")
            #expect(bench.code(call) == 100)
            #expect(bench.look().count == 1)
            try bench.connect()
            // A permanently locked tag cannot be locked again.
            #expect(bench.code(call) ?? 0 == (name == "lock" ? 400 : expected))
        }
    }

    @Test(arguments: [
        ("read", "felica.read", true), ("polling", "felica.polling", true), ("miFare", "ntag.read", false),
        ("readNDEF", "ntag.read", false), ("writeNDEF", "ntag.write", false), ("lock", "ntag.write", false),
        ("requestResponse", "felica.request_response", true),
    ])
    func `is lost during a command with error 100`(name: String, command: String, isFeliCa: Bool) throws {
        let call = try #require(Self.commands.first { $0.name == name }?.call)
        for point in FieldMoment.allCases {
            let nth = name == "polling" ? 3 : 1
            let plan = try PhoneBench.plan("rf.lose_tag", ["point": .keyword(point.rawValue)], at: command, nth: nth)
            let engine: any CardEngine = isFeliCa ? try CardS.card() : NTAGCard(SampleTags.t0())
            var bench = try PhoneBench.connected(engine, codes: ["0003"], plan: plan)
            let code = bench.code(call)
            #expect(bench.world.plan.unmet.isEmpty)
            #expect(!bench.reader.isAvailable(bench.tag, in: bench.world))
            // A command that was answered completely succeeds, except for procedures that continue.
            let mayEnd = point == .afterAnswer && !["readNDEF", "writeNDEF", "lock"].contains(name)
            #expect(code == (mayEnd ? nil : 100), "\(point)")
        }
    }

    @Test func `is made once, and can move between tags`() throws {
        var bench = PhoneBench([("tag", NTAGCard(SampleTags.t0())), ("S", try CardS.card())])
        bench.look()
        #expect(bench.reader.connectedTag == nil)
        #expect(bench.tags.allSatisfy { !bench.reader.isAvailable($0, in: bench.world) })
        try bench.connect(0)
        let frames = bench.frames
        try bench.connect(0)
        #expect(bench.frames == frames)
        #expect(bench.reader.isAvailable(bench.tags[0], in: bench.world))
        try bench.connect(1)
        #expect(bench.frames.dropFirst(frames.count) == ["5000", "060000030000"])
        #expect(bench.reader.isAvailable(bench.tags[1], in: bench.world))
        #expect(!bench.reader.isAvailable(bench.tags[0], in: bench.world))
        bench.reader.disconnect(in: &bench.world)
        #expect(bench.reader.connectedTag == nil)
        #expect(bench.code { try $0.read(["0F09"], ["8000"]) } == 104)
    }

    @Test func `is rejected for tags of an earlier look and tags that have left`() throws {
        var bench = PhoneBench([("card", NTAGCard(SampleTags.t0()))])
        let old = bench.look()
        let new = bench.look()
        #expect(old != new)
        #expect(bench.code { try $0.reader.connect(to: old[0], in: &$0.world) } == 100)
        #expect(bench.code { try $0.reader.sendMiFareCommand([0x60], of: old[0], in: &$0.world) } == 104)
        try bench.connect()
        bench.world.remove("card")
        #expect(bench.code { try $0.connect() } == 100)
        bench.world.tap("card")
        bench.look()
        bench.world.remove("card")
        #expect(bench.code { try $0.connect() } == 100)
        #expect(bench.reader.connectedTag == nil)
        #expect(bench.reader.currentIDm(of: old[0]).isEmpty)
    }

    @Test func `keeps the identity of an old FeliCa tag readable`() throws {
        var bench = PhoneBench([("S", try CardS.card())])
        let old = bench.look()
        bench.look()
        #expect(Hex.text(bench.reader.currentIDm(of: old[0])) == FeliCa.idm)
        #expect(bench.reader.currentSystemCode(of: old[0]) == [0x00, 0x03])
    }

    private typealias FeliCa = `A FeliCa tag of a phone`

    @Test func `survives an answer after the exchange limit`() throws {
        var bench = try PhoneBench.connected(try CardS.card())
        bench.world.exchangeLimit = bench.world.exchangeCount
        #expect(bench.code { try $0.read(["0F09"], ["8000"]) } == 102)
        #expect(bench.look().isEmpty)
    }
}

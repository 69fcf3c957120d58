import TapCards
import TapField
import TapPhone
import TapWire
import TestSupport
import Testing

@Suite struct `A FeliCa tag of a phone` {
    static let idm = "01010A1020304050"

    @Test func `answers every command`() throws {
        var bench = try PhoneBench.connected(try PhoneCards.talkative())
        #expect(try bench.requestService(["8B00", "0F09", "CD12", "FFFF"]) == ["0500", "0400", "FFFF", "0001"])
        #expect(try bench.reader.requestResponse(of: bench.tag, in: &bench.world) == 0)
        let systems = try bench.reader.requestSystemCode(of: bench.tag, in: &bench.world)
        #expect(systems == [[0x00, 0x03], [0xFE, 0x00]])
        let blocks = try bench.read(["0F09"], ["8000", "8001", "000200"])
        #expect(blocks.status == .success)
        #expect(blocks.blocks.map(\.count) == [16, 16, 16])
        #expect(blocks.blocks[0].prefix(2) == [0x16, 0x01])
        #expect(try bench.write("0910", "8001", String(repeating: "5A", count: 16)) == .success)
        #expect(try bench.read(["0B10"], ["8001"]).blocks == [Array(repeating: 0x5A, count: 16)])
        let version = try bench.reader.requestSpecificationVersion(of: bench.tag, in: &bench.world)
        #expect(version.status == .success)
        #expect(version.basic == [0x00, 0x85])
        #expect(try bench.reader.resetMode(of: bench.tag, in: &bench.world) == .success)
        let keys = try bench.reader.requestServiceV2([[0x0F, 0x09]], of: bench.tag, in: &bench.world)
        #expect(keys.status == .success)
        #expect(keys.aes.isEmpty)
        #expect(keys.des == [[0x04, 0x00]])
    }

    private static let refused: [([String], [String])] = [
        (["CD12"], ["8000"]), (["0F09"], ["8014"]), (["0F09"], ["8100"]), (["4800"], ["8000"]),
        (["0F09"], (0..<13).map { "80" + Hex.digits($0, width: 2) }),
    ]

    @Test(arguments: refused)
    func `rejects commands with status flags, which are not errors`(services: [String], blocks: [String]) throws {
        var bench = try PhoneBench.connected(try CardS.card())
        let answer = try bench.read(services, blocks)
        #expect(!answer.status.isSuccess)
        #expect(answer.blocks.isEmpty)
        #expect(try bench.read(["0F09"], ["8000"]).status == .success)
    }

    @Test func `switches systems by polling, and keeps the current system if that is not permitted`() throws {
        var bench = try PhoneBench.connected(try CardS.card(), codes: ["0003", "FE00", "88B4"])
        #expect(try bench.polling("FE00", 1) == ("100B4B428485D0FF", "FE00"))
        #expect(bench.systemCode == "FE00")
        #expect(bench.idm == "11010A1020304050")
        #expect(try bench.read(["0B11"], ["8000"]).status == .success)
        for code in ["FFFF", "00FF", "FF03", "12FC"] {
            #expect(bench.code { try $0.polling(code) } == 2)
            #expect(bench.idm == "11010A1020304050")
            #expect(bench.systemCode == "FE00")
        }
        #expect(try bench.read(["0B11"], ["8000"]).status == .success)
        #expect(try bench.polling("0003", 2).1 == "0083")
        #expect(try bench.polling("0003", 0, slot: 15) == ("100B4B428485D0FF", ""))
    }

    @Test func `has no current IDm after a failed polling`() throws {
        var bench = try PhoneBench.connected(try CardS.card(), codes: ["0003", "88B4"])
        #expect(bench.code { try $0.polling("88B4") } == 102)
        #expect(bench.idm == "")
        #expect(bench.code { try $0.read(["0F09"], ["8000"]) } == 102)
        #expect(try bench.polling("0003", 1).1 == "0003")
        #expect(bench.idm == Self.idm)
        #expect(try bench.read(["0F09"], ["8000"]).status == .success)
    }

    private static let nodeLists: [([String], Int)] = [
        ([], 5), (Array(repeating: "8B00", count: 33), 5), (["8B"], 4), (["8B0000"], 4), (["8B00", ""], 4),
    ]

    @Test(arguments: nodeLists)
    func `checks node lists`(nodes: [String], code: Int) throws {
        var bench = try PhoneBench.connected(try CardS.card())
        let count = bench.frames.count
        #expect(bench.code { try $0.requestService(nodes) } == code)
        #expect(bench.frames.count == count)
    }

    private static let blockLists: [([String], [String], Int)] = [
        (["0F09"], [], 5), ([], ["8000"], 5), (Array(repeating: "0F09", count: 17), ["8000"], 5),
        (["0F"], ["8000"], 4), (["0F09"], ["80"], 4), (["0F09"], ["80000000"], 4), (["0F09"], ["0000"], 3),
        (["0F09"], ["800000"], 3), (["0F09"], Array(repeating: "000000", count: 81), 105),
    ]

    @Test(arguments: blockLists)
    func `checks service and block lists`(services: [String], blocks: [String], code: Int) throws {
        var bench = try PhoneBench.connected(try CardS.card())
        let count = bench.frames.count
        #expect(bench.code { try $0.read(services, blocks) } == code)
        #expect(bench.frames.count == count)
    }

    @Test(arguments: [(0, 16, 3), (2, 16, 3), (1, 15, 4), (1, 17, 4), (1, 16, nil)])
    func `checks the data of a write`(count: Int, length: Int, code: Int?) throws {
        var bench = try PhoneBench.connected(try CardS.card())
        let data = Array(repeating: Array(repeating: UInt8(1), count: length), count: count)
        let error = bench.code {
            try $0.reader.writeWithoutEncryption(
                services: [[0x09, 0x10]], blocks: [[0x80, 0x00]], data: data, of: $0.tag, in: &$0.world)
        }
        #expect(error == code)
        let many = (0..<15).map { [UInt8(0x80), UInt8($0)] }
        let long = bench.code {
            try $0.reader.writeWithoutEncryption(
                services: [[0x09, 0x10]], blocks: many, data: many.map { _ in Array(repeating: 1, count: 16) },
                of: $0.tag, in: &$0.world)
        }
        #expect(long == 105)
    }

    @Test(arguments: [("00", 0 as UInt8, 0 as UInt8, 4), ("000300", 0, 0, 4), ("0003", 3, 0, 3), ("0003", 0, 2, 3)])
    func `checks polling arguments`(systemCode: String, requestCode: UInt8, slot: UInt8, code: Int) throws {
        var bench = try PhoneBench.connected(try CardS.card())
        #expect(bench.code { try $0.polling(systemCode, requestCode, slot: slot) } == code)
        #expect(bench.idm == Self.idm)
    }

    @Test func `answers raw packets with their LEN byte`() throws {
        var bench = try PhoneBench.connected(try CardS.card())
        #expect(try bench.feliCa("04" + Self.idm) == "0B05" + Self.idm + "00")
        #expect(try bench.feliCa("0C" + Self.idm) == "0F0D" + Self.idm + "020003FE00")
        #expect(try bench.feliCa("06" + Self.idm + "01 CD12 01 8000").hasPrefix("0C07" + Self.idm))
        #expect(try bench.feliCa("06" + Self.idm + "01 8B00 01 8000").count == 2 * 29)
    }

    private static let longest = "04" + idm + String(repeating: "00", count: 245)
    private static let packets: [(String, Int?)] = [
        ("04 11010A1020304050", 2), ("04 01010A1020304051", 2), ("04", 2), ("0A04 01010A1020304050", 2),
        ("00 0003 01 00", 2), ("", 4), (longest + "00", 105), ("F2" + idm, 102), (longest, nil),
    ]

    @Test(arguments: packets)
    func `rejects raw packets with another IDm than the current one`(packet: String, code: Int?) throws {
        var bench = try PhoneBench.connected(try CardS.card())
        #expect(bench.code { try $0.feliCa(packet) } == code)
        #expect(bench.idm == Self.idm)
        #expect(try bench.feliCa("04" + Self.idm) == "0B05" + Self.idm + "00")
    }

    @Test func `rejects an undeclared system like a real device`() throws {
        var bench = try PhoneBench.connected(try CardS.card())
        let error = bench.error { try $0.feliCa("04 11010A1020304050") }
        #expect(error?.text == "Missing required entitlement")
    }

    @Test(arguments: ["rf.bad_crc", "rf.silence", "rf.cut", "felica.idm", "felica.response_code", "felica.length"])
    func `fails on wrong answers with error 102, and the next command succeeds`(fault: String) throws {
        var bench = try PhoneBench.connected(try CardS.card(), plan: try PhoneBench.plan(fault, at: "felica.read"))
        #expect(bench.code { try $0.read(["0F09"], ["8000"]) } == 102)
        #expect(bench.world.plan.unmet.isEmpty)
        #expect(try bench.read(["0F09"], ["8000"]).status == .success)
    }
}

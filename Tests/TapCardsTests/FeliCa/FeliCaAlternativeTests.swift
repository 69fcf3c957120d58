import TapCards
import TapWire
import TestSupport
import Testing

/// A different answer to a vector, from cards with another profile.
struct VectorAlternative: Sendable, CustomTestStringConvertible {
    let id: String
    let condition: String
    let profile: @Sendable () throws -> FeliCaProfile
    let response: String

    var testDescription: String { "\(id) where \(condition)" }

    /// A case for a card with one switch set.
    init(_ id: String, _ name: String, _ value: String, _ response: String) {
        self.init(id, [(name, value)], response)
    }

    /// A case for a card with several switches set.
    init(_ id: String, _ switches: [(name: String, value: String)], _ response: String) {
        self.id = id
        condition = switches.map { "\($0.name) is \($0.value)" }.joined(separator: " and ")
        self.response = compact(response)
        profile = {
            var profile = FeliCaProfile()
            for (name, value) in switches { try profile.set(name, to: value) }
            return profile
        }
    }

    /// A case for a card with a certain chip.
    init(_ id: String, ic name: String, _ response: String) {
        self.id = id
        condition = "the chip is \(name)"
        self.response = compact(response)
        profile = { try #require(FeliCaIC.named(name)).profile }
    }
}

@Suite struct `FeliCa Standard vectors on other chips` {
    private static let idm = "01010A1020304050"
    private static let polling = "12 01 \(idm) 100B4B428485D0FF"

    private static func read(_ status: String) -> String { "0C 07 \(idm) \(status)" }
    private static func written(_ status: String) -> String { "0C 09 \(idm) \(status)" }

    private static let pollings: [VectorAlternative] = [
        VectorAlternative("S03", ic: "RC-S914", polling),
        VectorAlternative("S03", ic: "RC-S915", polling),
        VectorAlternative("S03", "performanceBytes", "0003", "14 01 \(idm) 100B4B428485D0FF 0003"),
        VectorAlternative("S04", "pollingReservedCodes", "silence", "-"),
        VectorAlternative("S14", "trailingBytes", "silence", "-"),
        VectorAlternative("S14", ic: "RC-S95x", "-"),
        VectorAlternative("S14", ic: "RC-S962", "-"),
        VectorAlternative("S14", ic: "Octopus", "-"),
        VectorAlternative("S14", ic: "Mobile FeliCa 4.1", "-"),
    ]

    private static let counts: [VectorAlternative] = [
        VectorAlternative(
            "S29", "requestServiceBadCount", "answer", "4D 03 \(idm) 21" + String(repeating: "0400", count: 33)),
        VectorAlternative("S47", "maxReadBlocks", "8", read("FFA2")),
        VectorAlternative("S49", ic: "RC-SA00", read("FFA2")),
        VectorAlternative("S50", "serviceCountErrors", "silence", "-"),
        VectorAlternative("S51", "serviceCountErrors", "silence", "-"),
        VectorAlternative("S52", "serviceCountErrors", "silence", "-"),
        VectorAlternative("S80", ic: "RC-SA00", written("0000")),
    ]

    private static let accesses: [VectorAlternative] = [
        VectorAlternative("S55", "statusLocation", "bitmap", read("04A8")),
        VectorAlternative("S55", "statusLocation", "flag", read("FFA8")),
        VectorAlternative("S56", "statusLocation", "bitmap", read("02A8")),
        VectorAlternative("S56", "statusLocation", "flag", read("FFA8")),
        VectorAlternative("S61", "authRequiredPlainAccess", "B1", read("01B1")),
        VectorAlternative("S65", "serviceListCheck", "eager", read("01A6")),
        VectorAlternative("S65", [("serviceListCheck", "eager"), ("statusLocation", "flag")], read("FFA6")),
        VectorAlternative("S73", "authRequiredPlainAccess", "B1", written("01B1")),
        VectorAlternative("S85", "cyclicWriteBlockNonZero", "A8", written("01A8")),
        VectorAlternative("S98", "purseDirectRaise", "true", written("0000")),
        VectorAlternative("S101", ic: "RC-S914", "-"),
        VectorAlternative("S101", ic: "Octopus", "-"),
        VectorAlternative("S102", ic: "RC-SA00/1", "0C 3F \(idm) 0000"),
    ]

    @Test(arguments: pollings + counts + accesses)
    func `a card answers as documented for its profile`(_ alternative: VectorAlternative) throws {
        let card = try CardS.card(try alternative.profile())
        let answer = try VectorS.answer(to: alternative.id, card)
        #expect(answer.map { Hex.text($0) } ?? "-" == alternative.response)
    }

    @Test func `a chip with a limit of 15 blocks returns the 13 blocks of S48`() throws {
        let card = try CardS.card(try #require(FeliCaIC.named("RC-SA00")).profile)
        let answer = try #require(try VectorS.answer(to: "S48", card))
        let response = try ReadWithoutEncryption.Response(parsing: answer)
        #expect(answer[0] == 0xDD)
        #expect(response.blocks == card.blocks(of: NodeCode(0x090F), in: .transit).map { Array($0.prefix(13)) })
    }

    @Test func `a raised purse contains the written value`() throws {
        var profile = FeliCaProfile()
        profile.purseDirectRaise = true
        var card = try CardS.card(profile)
        let command = "200801010A1020304050019110018000B7030000000000000000000000000005"
        #expect(try card.answer(hex: command) == Self.written("0000").filter { $0 != " " })
        #expect(
            card.blocks(of: NodeCode(0x1097), in: .transit)?[0].description == "B7030000000000000000000000000005")
    }
}

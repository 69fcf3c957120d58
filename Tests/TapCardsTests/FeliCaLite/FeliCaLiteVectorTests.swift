import TapCards
import TapWire
import TestSupport
import Testing

/// A line of `felica-l.txt`.
struct VectorL: Sendable, CustomTestStringConvertible {
    let id: String
    let command: [UInt8]
    /// The answer; `nil` for silence.
    let response: [UInt8]?
    /// A Boolean value that indicates whether the card lost power before the command.
    let isAfterPowerOn: Bool
    let note: String

    var testDescription: String { "\(id) \(note)" }

    static let all: [VectorL] = {
        var vectors: [VectorL] = []
        var isAfterPowerOn = false
        for line in VectorFile.lines("felica-l.txt") {
            if line.hasPrefix("@") {
                isAfterPowerOn = true
                continue
            }
            let halves = line.split(separator: ";", maxSplits: 1)
            let words = halves[0].split(separator: " ")
            guard words.count == 4, words[2] == ">", let command = try? Hex.bytes(words[1]) else {
                fatalError("felica-l.txt: `\(line)` is not `ID command > response ; note`")
            }
            vectors.append(
                VectorL(
                    id: String(words[0]), command: command, response: words[3] == "-" ? nil : try? Hex.bytes(words[3]),
                    isAfterPowerOn: isAfterPowerOn, note: halves[1].trimmingPrefix { $0 == " " }.description))
            isAfterPowerOn = false
        }
        return vectors
    }()

    /// A card's answers to all vectors in order, by vector name; `-` for silence.
    static func answers(of card: FeliCaLiteCard) -> [String: String] {
        var card = card
        var context = CardContext(random: SeededGenerator(seed: 1))
        var answers: [String: String] = [:]
        for vector in all {
            if vector.isAfterPowerOn {
                card.fieldFell()
                card.fieldRose()
            }
            answers[vector.id] = card.answer(vector.command, context: &context).map { Hex.text($0.bytes) } ?? "-"
        }
        return answers
    }

    static func answers(_ switches: [(name: String, value: String)]) throws -> [String: String] {
        var definition = CardL.definition
        for (name, value) in switches { try definition.profile.set(name, to: value) }
        return answers(of: FeliCaLiteCard(definition))
    }
}

@Suite struct `FeliCa Lite-S vectors` {
    static let answers = VectorL.answers(of: FeliCaLiteCard(CardL.definition))

    @Test(arguments: VectorL.all)
    func `the card answers as the vector specifies`(_ vector: VectorL) {
        #expect(Self.answers[vector.id] == vector.response.map { Hex.text($0) } ?? "-")
    }

    @Test func `there are 76 vectors and two power cycles`() {
        #expect(VectorL.all.count == 76)
        #expect(VectorL.all.count { $0.isAfterPowerOn } == 2)
    }

    private static func read(_ tail: String) -> String { compact("07 0102030405060708 \(tail)") }

    /// Answers that differ from the vectors when a switch is set, by vector name; `*` for any other answer.
    static let alternatives: [(switches: [(name: String, value: String)], answers: [String: String])] = [
        ([("liteReadRoThroughRW", "data")], ["L31": "1D" + read("0000 01 0102030405060708 00F1000000014300")]),
        (
            [("liteRegViolation", "merge")],
            [
                "L43": "0C090102030405060708" + "0000",
                "L44": "1D" + read("0000 01 10000000 20000000 0102030405060708"),
                "L55": "0C09010203040506070802B2", "L57": "0C0901020304050607080000",
            ]
        ),
        (
            [("liteMacWhereNotAsked", "false")],
            [
                "L55": "0C09010203040506070802B2", "L57": "0C09010203040506070802B2",
                "L70": "0C09010203040506070802B2", "L71": "0C07010203040506070801B1",
                "L72": "0C09010203040506070801B1", "L73": "0C09010203040506070802B2",
            ]
        ),
        ([("liteWcntCountsRC", "true")], ["L51": "*", "L55": "0C09010203040506070802B2"]),
        (
            [("liteStatusLocation", "ordinal")],
            [
                "L19": "0C07" + "0102030405060708" + "03A8", "L20": "0C07010203040506070804A8",
                "L53": "0C07010203040506070803B0",
            ]
        ),
    ]

    @Test(arguments: alternatives.indices)
    func `switches change the answers that sources disagree on`(_ index: Int) throws {
        let (switches, expected) = Self.alternatives[index]
        let answers = try VectorL.answers(switches)
        for (id, answer) in expected {
            #expect(answer == "*" ? answers[id] != Self.answers[id] : answers[id] == answer, "\(id)")
        }
        let first = try #require(expected.keys.min())
        for vector in VectorL.all where vector.id < first { #expect(answers[vector.id] == Self.answers[vector.id]) }
    }

    @Test func `a new MC takes effect immediately if the switch is set`() throws {
        var definition = CardL.definition
        try definition.profile.set("liteMcImmediate", to: "true")
        var card = FeliCaLiteCard(definition)
        var context = CardContext(random: SeededGenerator(seed: 1))
        let vector = try #require(VectorL.all.first { $0.id == "L59" })
        _ = card.answer(vector.command, context: &context)
        let read = try Hex.bytes("10060102030405060708010B00018000")
        #expect(card.answer(read, context: &context).map { Hex.text($0.bytes) } == "0C07010203040506070801B1")
    }
}

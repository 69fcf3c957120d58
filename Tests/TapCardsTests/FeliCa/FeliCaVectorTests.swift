import TapCards
import TapWire
import TestSupport
import Testing

/// A line of an ordered vector file, such as `felica-s.txt`.
struct VectorS: Sendable, CustomTestStringConvertible {
    let id: String
    let command: [UInt8]
    /// The answer; `nil` for silence.
    let response: [UInt8]?
    let note: String
    /// A Boolean value that indicates whether the card loses power before the command.
    let losesPower: Bool

    var testDescription: String { "\(id) \(note)" }

    init(_ line: String, losesPower: Bool = false) throws {
        let halves = line.split(separator: ";", maxSplits: 1)
        let words = halves[0].split(separator: " ")
        try #require(words.count == 4 && words[2] == ">", "`\(line)` is not `ID command > response ; note`")
        id = String(words[0])
        command = try Hex.bytes(words[1])
        response = words[3] == "-" ? nil : try Hex.bytes(words[3])
        note = halves[1].trimmingPrefix { $0 == " " }.description
        self.losesPower = losesPower
    }

    static let all = read("felica-s.txt")

    /// Reads the vectors of a file, in which a line that begins with `@` is a loss of power.
    static func read(_ file: String) -> [VectorS] {
        let lines = VectorFile.lines(file)
        do {
            return try zip([""] + lines, lines).filter { !$0.1.hasPrefix("@") }.map {
                try VectorS($0.1, losesPower: $0.0.hasPrefix("@"))
            }
        } catch {
            fatalError("\(file): \(error)")
        }
    }

    /// Sends the command to a card.
    func answer(of card: inout FeliCaCard, _ context: inout CardContext) -> CardAnswer? {
        if losesPower {
            card.fieldFell()
            card.fieldRose()
        }
        return card.answer(command, context: &context)
    }

    /// Sends all vectors up to the given one to a card and returns the last answer.
    static func answer(to id: String, _ card: FeliCaCard) throws -> [UInt8]? {
        let last = try #require(all.firstIndex { $0.id == id })
        var card = card
        var context = CardContext(random: SeededGenerator(seed: 1))
        var answer: CardAnswer?
        for vector in all[...last] { answer = vector.answer(of: &card, &context) }
        return answer?.bytes
    }
}

@Suite struct `FeliCa Standard vectors` {
    /// The answers of a single card to all vectors, in order.
    static let answers: [String: [UInt8]] = {
        var answers: [String: [UInt8]] = [:]
        guard var card = try? CardS.card() else { fatalError("sample card S does not compile") }
        var context = CardContext(random: SeededGenerator(seed: 1))
        for vector in VectorS.all { answers[vector.id] = vector.answer(of: &card, &context)?.bytes }
        return answers
    }()

    @Test(arguments: VectorS.all)
    func `the card answers as the vector specifies`(_ vector: VectorS) {
        #expect(Self.answers[vector.id].map { Hex.text($0) } == vector.response.map { Hex.text($0) })
    }

    @Test func `there are 129 vectors`() {
        #expect(VectorS.all.count == 129)
    }

    @Test func `a card with an AES key answers as the version 2 vectors specify`() throws {
        let node = FeliCaServiceDefinition(
            NodeCode(0x1008), keys: FeliCaKeys(desVersion: nil, aesVersion: 1), blocks: [BlockData(0...15)])
        var definition = CardS.definition
        definition.challenge = Array(0x10...0x1F)
        definition.profile.supportedCommands = .aes
        definition.systems[0].services.insert(node, at: 0)
        var card = try FeliCaCard(definition)
        var context = CardContext(random: SeededGenerator(seed: 1))
        for vector in VectorS.read("felica-aes.txt") {
            let answer = vector.answer(of: &card, &context)?.bytes
            #expect(answer.map { Hex.text($0) } == vector.response.map { Hex.text($0) }, "\(vector.id)")
        }
    }
}

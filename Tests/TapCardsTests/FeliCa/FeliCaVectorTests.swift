import TapCards
import TapWire
import TestSupport
import Testing

/// One line of `felica-s.txt`.
struct VectorS: Sendable, CustomTestStringConvertible {
    let id: String
    let command: [UInt8]
    /// The answer, or nothing for silence.
    let response: [UInt8]?
    let note: String

    var testDescription: String { "\(id) \(note)" }

    init(_ line: String) throws {
        let halves = line.split(separator: ";", maxSplits: 1)
        let words = halves[0].split(separator: " ")
        try #require(words.count == 4 && words[2] == ">", "`\(line)` is not `ID command > response ; note`")
        id = String(words[0])
        command = try Hex.bytes(words[1])
        response = words[3] == "-" ? nil : try Hex.bytes(words[3])
        note = halves[1].trimmingPrefix { $0 == " " }.description
    }

    static let all: [VectorS] = {
        do {
            return try VectorFile.lines("felica-s.txt").map(VectorS.init)
        } catch {
            fatalError("felica-s.txt: \(error)")
        }
    }()

    /// What a card answers to all vectors up to one, the answer to the last.
    static func answer(to id: String, _ card: FeliCaCard) throws -> [UInt8]? {
        let last = try #require(all.firstIndex { $0.id == id })
        var card = card
        var context = CardContext(random: SeededGenerator(seed: 1))
        var answer: CardAnswer?
        for vector in all[...last] { answer = card.answer(vector.command, context: &context) }
        return answer?.bytes
    }
}

@Suite struct `FeliCa Standard vectors` {
    /// The answers of one card to all vectors in order.
    static let answers: [String: [UInt8]] = {
        var answers: [String: [UInt8]] = [:]
        guard var card = try? CardS.card() else { fatalError("sample card S does not compile") }
        var context = CardContext(random: SeededGenerator(seed: 1))
        for vector in VectorS.all { answers[vector.id] = card.answer(vector.command, context: &context)?.bytes }
        return answers
    }()

    @Test(arguments: VectorS.all)
    func `the card answers as the vector says`(_ vector: VectorS) {
        #expect(Self.answers[vector.id].map { Hex.text($0) } == vector.response.map { Hex.text($0) })
    }

    @Test func `there are 103 vectors`() {
        #expect(VectorS.all.count == 103)
    }
}

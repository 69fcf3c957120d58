import Meters
import TapCards
import TapWire

/// The allocations of every command of all engines except the ones with keys, since ciphers allocate.
struct AllocationCounts {
    /// The allocations of a script, with spans and a buffer that the caller keeps, and with arrays.
    struct Line {
        let name: String
        let onSpans, onArrays: Double
    }

    private static let (warmUpRounds, countedRounds) = (10, 100)

    private(set) var lines: [Line] = []

    /// Runs all scripts, and ends the program if a command has none.
    init() throws {
        let feliCa = try FeliCaCard(BenchmarkCards.everything)
        let keyed = FeliCaCommandSet.session.union([.authentication1, .authentication1V2])
        let commands = feliCa.template.definition.profile.supportedCommands.subtracting(keyed).codes
        run(AllocationScript.feliCa, on: feliCa, driving: commands.map(\.first), at: 1)
        let lite = FeliCaLiteCard(BenchmarkCards.lite)
        let ofLite = lite.template.definition.profile.liteCommands.codes
        run(AllocationScript.lite, on: lite, driving: ofLite.map(\.first), at: 1)
        let tag = NTAGCard(try BenchmarkCards.mirroringTag())
        run(AllocationScript.ntag(tag.uid), on: tag, driving: Type2Opcode.ofNTAG21x.map(\.rawValue), at: 0)
    }

    private mutating func run<Card: CardEngine>(
        _ scripts: [AllocationScript], on card: Card, driving codes: [UInt8], at place: Int
    ) {
        let frames = scripts.flatMap(\.frames).map(\.bytes)
        if let code = codes.first(where: { code in !frames.contains { $0.count > place && $0[place] == code } }) {
            fail("no script drives command \(Hex.digits(code, width: 2)) of \(Card.self)")
        }
        let context = CardContext(random: SeededGenerator(seed: 1))
        for script in scripts {
            var (arrays, spans) = (context, context)
            var buffer = FrameBuffer()
            let onSpans = Self.count(script, card) { card, frame in
                let slice = frame.bytes[...]
                return card.answer(
                    slice.span, bitCount: frame.bitCount, integrity: frame.integrity, context: &spans, into: &buffer)
                    != .silence
            }
            let onArrays = Self.count(script, card) { card, frame in
                card.answer(frame.bytes, bitCount: frame.bitCount, integrity: frame.integrity, context: &arrays) != nil
            }
            lines.append(Line(name: script.name, onSpans: onSpans, onArrays: onArrays))
        }
    }

    /// Runs a script until the card has copied its memory, then counts the allocations of the worst exchange.
    private static func count<Card: CardEngine>(
        _ script: AllocationScript, _ card: Card, answers: (inout Card, ReceivedFrame) -> Bool
    ) -> Double {
        var card = card
        var counts = script.frames.map { _ in 0 }
        for round in 0..<warmUpRounds + countedRounds {
            card.fieldRose()
            var isAnswered = false
            for (index, frame) in script.frames.enumerated() {
                let before = allocation_count()
                isAnswered = answers(&card, frame)
                if round >= warmUpRounds { counts[index] += allocation_count() - before }
            }
            card.fieldFell()
            guard isAnswered == script.isAnswered else {
                fail("\(Card.self) \(isAnswered ? "answers" : "does not answer") \(script.name)")
            }
        }
        return Double(counts.max() ?? 0) / Double(countedRounds)
    }
}

import Floor
import Meters
import TapCards
import TapWire

/// As many cards as a large test has, each of which may be the next to hear a frame.
enum ManyCards {
    /// Exchanges of a round.
    private static let exchanges = 100_000
    private static let goal = Goal.atMost(0.3)

    static func measure(into report: Report) throws {
        guard let mix = try Workload.all().first(where: { $0.name == "WM" }), case .feliCa(let definition) = mix.card
        else { fail("there is no WM") }
        try mix.checkAnswers()
        var random = SeededGenerator(seed: 3)
        let order = (0..<exchanges).map { _ in UInt32(random.next(below: MemoryBenchmark.cardCount)) }
        let floor = FeliCaFloors(definition, count: MemoryBenchmark.cardCount)
        for (title, frames) in [("reads alone", reads(mix.frames)), (mix.title, mix.frames)] {
            var cards = Array(repeating: FeliCaCard(try FeliCaTemplate(definition)), count: MemoryBenchmark.cardCount)
            let runs: [TimedRun] = [
                { rounds in time(rounds) { floor.run(frames, order) } },
                { rounds in time(rounds) { floor.run(frames, order) } },
                { rounds in time(rounds) { run(&cards, frames, order) } },
            ]
            let name = "\(Table.count(cards.count)) cards, \(title)"
            var stopwatch = Stopwatch(sampleTime: 1)
            guard floor.run(frames, order) == run(&cards, frames, order) else {
                fail("\(name): the floor answers otherwise than the cards")
            }
            guard let result = stopwatch.compare(runs) else {
                report.addVoid(name, Stopwatch.noise)
                continue
            }
            let nanoseconds = Table.number(result.nanoseconds / Double(exchanges))
            report.add(
                Row(
                    name: "\(name) ÷ C with its own storage", goal: goal, value: result.ratios[2],
                    remark: "C \(nanoseconds) ns")
            ) {
                [("C", runs[1]), ("ours", runs[2])].map { who, run in
                    Usage.line("\(who), \(Table.count(exchanges)) exchanges") { _ = run($0) }
                }
            }
        }
    }

    /// The frames of a mix without those that write.
    private static func reads(_ mix: Frames) -> Frames {
        Frames((0..<mix.count).map { mix[$0] }.filter { $0[1] != WriteWithoutEncryption.code.first })
    }

    private static func time(_ rounds: Int, _ run: () -> Int) -> Double {
        let start = thread_nanoseconds()
        for _ in 0..<rounds { _ = run() }
        return thread_nanoseconds() - start
    }

    /// Sends frames in turn, each to the card that is next in an order; returns how many bits were answered.
    private static func run(_ cards: inout [FeliCaCard], _ frames: Frames, _ order: [UInt32]) -> Int {
        let slice = frames.bytes[...]
        let bytes = slice.span
        var context = CardContext(random: SeededGenerator(seed: 1))
        var buffer = FrameBuffer()
        var (bits, index, start) = (0, 0, 0)
        for card in order {
            let end = frames.ends[index]
            let frame = bytes.extracting(start..<end)
            (index, start) = index + 1 < frames.count ? (index + 1, end) : (0, 0)
            let reply = cards[Int(card)].answer(
                frame, bitCount: frame.count * 8, integrity: .good, context: &context, into: &buffer)
            if case .silence = reply {} else { bits &+= buffer.bitCount }
        }
        return bits
    }
}

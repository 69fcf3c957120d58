import TapCards
import TapField
import TapWire

/// A card before the reader of a world that keeps a trace, to which the frames of a workload are sent again and again.
struct WorldRunner {
    private var world = World(seed: 1, trace: Trace())
    private let frames: [AirFrame]

    init(_ workload: Workload) throws {
        let card: any CardEngine
        switch workload.card {
        case .feliCa(let definition): card = try FeliCaCard(definition)
        case .ntag(let definition): card = Workload.selected(definition)
        }
        frames = (0..<workload.frames.count).map { AirFrame(card.technology, workload.frames[$0]) }
        world.add(card, named: "card")
        world.tap("card")
    }

    /// Sends the frames as many rounds as told.
    mutating func send(_ rounds: Int) {
        for _ in 0..<rounds {
            for frame in frames { _ = world.exchange(frame, waiting: nil) }
        }
    }
}

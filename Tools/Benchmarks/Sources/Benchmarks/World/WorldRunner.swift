import Meters
import TapCards
import TapField
import TapWire

/// A card before the reader of a world, to which the frames of a workload are sent again and again.
struct WorldRunner {
    private var world = World(seed: 1)
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
    ///
    /// - Parameter trace: Where events go, from the first round on.
    /// - Returns: Nanoseconds it took; the trace of the time before is forgotten beforehand.
    mutating func time(_ rounds: Int, trace: Trace) -> Double {
        world.trace = trace
        let start = thread_nanoseconds()
        send(rounds)
        return thread_nanoseconds() - start
    }

    /// Sends the frames as many rounds as told, a number of times over, each time into a trace of its own.
    ///
    /// - Returns: Nanoseconds it took, to forget the traces included.
    mutating func time(_ rounds: Int, times: Int) -> Double {
        let start = thread_nanoseconds()
        for _ in 0..<times {
            world.trace = Trace()
            send(rounds)
        }
        world.trace = .off
        return thread_nanoseconds() - start
    }

    private mutating func send(_ rounds: Int) {
        for _ in 0..<rounds {
            for frame in frames { _ = world.exchange(frame, waiting: nil) }
        }
    }
}

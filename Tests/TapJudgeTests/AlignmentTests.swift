import TapField
import TapScenario
import TapWire
import Testing

@testable import TapJudge

/// The exchanges of the baseline run by which those of another run are judged.
@Suite struct `The exchanges of two runs` {
    enum Act: Sendable {
        case poll
        case pollOther
        case read(Range<Int>)
    }

    private static func trace(_ acts: [Act]) throws -> Trace {
        var script = OutcomeScript(try `The outcome of a run`.test())
        for act in acts {
            switch act {
            case .poll: script.poll()
            case .pollOther: script.poll(SystemCode(0x12FC))
            case .read(let blocks): script.read(blocks)
            }
        }
        return script.record.world.trace
    }

    private static let reading: [Act] = [.poll, .read(0..<12), .read(12..<20)]

    @Test(
        arguments: [
            (reading, reading, [1, 2, 3]),
            // A command that is sent again, and a client that begins again.
            (reading, [.poll, .read(0..<12), .read(0..<12), .read(12..<20)], [1, 2, 2, 3]),
            (reading, [.poll, .read(0..<12)] + reading, [1, 2, 1, 2, 3]),
            // What the baseline run skips is compared with the exchange in its place, and with none behind the end.
            (reading, [.poll, .read(0..<1), .read(12..<20)], [1, 2, 3]),
            (reading, reading + [.read(3..<4)], [1, 2, 3, nil]),
            // A command of another kind is compared with the first one of its own kind.
            (reading, [.poll, .pollOther, .read(0..<12)], [1, 1, 2]),
            (reading, [.poll, .read(0..<12), .pollOther, .read(12..<20)], [1, 2, 1, 3]),
            (reading, [.read(12..<20)], [3]),
            // Of equal commands the one in its place counts, else the first.
            (
                [.poll, .read(0..<12), .poll, .read(0..<12)], [.poll, .read(0..<12), .poll, .poll, .read(0..<12)],
                [1, 2, 3, 1, 2]
            ),
        ] as [([Act], [Act], [Int?])])
    func `are compared by their numbers, or where commands differ by these`(
        clean: [Act], other: [Act], numbers: [Int?]
    ) throws {
        let sound = try Self.trace(clean).expectedExchanges(for: Self.trace(other))
        #expect(sound.map { $0?.number } == numbers)
    }
}

import TapCards
@testable import TapField
import TapWire
import Testing

/// Recorded cards that leave and return as they did in the recording.
@Suite struct `A recorded visit` {
    private static let uid = UID([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80])

    private func exchange(_ command: UInt8, _ answer: UInt8?, endsVisit: Bool = false) -> CardRecording.Exchange {
        var exchange = CardRecording.Exchange([command], answer.map { CardRecording.Answer([$0]) })
        exchange.endsVisit = endsVisit
        return exchange
    }

    private func world(
        _ level: CardRecording.Level, _ exchanges: [CardRecording.Exchange],
        _ change: (inout CardRecording) -> Void = { _ in }
    ) throws -> World {
        var recording = CardRecording(exchanges)
        recording.level = level
        change(&recording)
        let tag = NTAGCard(try NTAGDefinition(.ntag215, uid: try #require(Self.uid)))
        var world = World(seed: 1)
        world.add(RecordedCard(recording, foundAs: tag), named: "tag")
        world.tap("tag")
        return world
    }

    private func answer(to byte: UInt8, in world: inout World) -> [UInt8]? {
        guard case .frame(let frame, _) = world.exchange(RFFrame(.typeA106, [byte]), waiting: .milliseconds(5)) else {
            return nil
        }
        return frame.bytes
    }

    private func isPresent(_ world: World) -> Bool { world.card(named: "tag")?.isPresent ?? false }

    @Test func `of frames ends with its last frame`() throws {
        var world = try world(.frame, [exchange(0x60, 1), exchange(0x3A, 2, endsVisit: true), exchange(0x60, 3)])
        #expect(answer(to: 0x60, in: &world) == [1] && answer(to: 0x3A, in: &world) == [2] && !isPresent(world))
        world.advance(by: World.timeBetweenVisits)
        #expect(answer(to: 0x60, in: &world) == [3])
    }

    @Test func `of APDUs ends a second after its last answer, and the next visit begins a second later`() throws {
        var world = try world(.apdu, [exchange(1, 11, endsVisit: true), exchange(2, 12, endsVisit: true)])
        #expect(world.recordedReply(to: [1])?.outcome == .answer([11]) && isPresent(world))
        world.advance(by: World.timeBetweenVisits)
        #expect(!isPresent(world) && world.recordedReply(to: [2]) == nil)
        world.advance(by: World.timeBetweenVisits)
        #expect(isPresent(world) && world.recordedReply(to: [2])?.outcome == .answer([12]))
        world.advance(by: World.timeBetweenVisits * 3)
        #expect(!isPresent(world))
    }

    @Test func `of APDUs ends immediately if a recorded call failed because the card was gone`() throws {
        var world = try world(.apdu, [exchange(1, 11), exchange(1, nil, endsVisit: true)])
        #expect(world.recordedReply(to: [1])?.outcome == .answer([11]) && isPresent(world))
        #expect(world.recordedReply(to: [1])?.outcome == .noCard && !isPresent(world))
    }

    @Test func `of APDUs ends on its own if the program does not notice that the card is gone`() throws {
        var world = try world(
            .apdu, [exchange(1, 11), exchange(1, nil, endsVisit: true), exchange(1, 12), exchange(1, 13)])
        #expect(world.recordedReply(to: [1])?.outcome == .answer([11]))
        world.advance(by: World.timeBetweenVisits)
        #expect(!isPresent(world))
        world.advance(by: World.timeBetweenVisits)
        #expect(world.recordedReply(to: [1])?.outcome == .answer([12]) && isPresent(world))
        #expect(world.recordedReply(to: [1])?.outcome == .answer([13]))
    }

    @Test func `of APDUs takes the recorded time if configured`() throws {
        var slow = exchange(1, 11)
        slow.delay = .milliseconds(42)
        var fast = try world(.apdu, [slow])
        #expect(fast.recordedReply(to: [1]) != nil && fast.now == .zero)
        var timed = try world(.apdu, [slow]) { $0.timing = .recorded }
        #expect(timed.recordedReply(to: [1]) != nil && timed.now == .milliseconds(42))
    }
}

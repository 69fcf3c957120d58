import TapCards
import TapWire
import TestSupport
import Testing

/// A card that answers a few bytes from a recording and identifies itself as card S.
private struct Replay {
    private var card: RecordedCard
    private var context = CardContext(random: SeededGenerator(seed: 1))

    init(_ exchanges: [CardRecording.Exchange], _ change: (inout CardRecording) -> Void = { _ in }) throws {
        var recording = CardRecording(exchanges)
        change(&recording)
        card = RecordedCard(recording, foundAs: try CardS.card())
        card.fieldRose()
    }

    var mismatch: RecordedCard.Mismatch? { card.mismatch }
    var firstLeft: Int? { card.firstLeft }
    var isLeaving: Bool { card.hasEndedVisit }
    var comesBack: Bool { card.comesBack }

    mutating func comeBack() { card.beginVisit() }

    /// Sends a command of one byte after its LEN and returns the answered byte, or `nil` for silence.
    mutating func ask(_ byte: UInt8) -> UInt8? { card.answer([0x03, 0x7E, byte], context: &context)?.bytes.last }

    mutating func poll() -> Bool {
        card.answer(Polling.Request(systemCode: .transit).bytes, context: &context) != nil
    }
}

private func exchange(
    _ command: UInt8, _ answer: UInt8?, _ repeats: ClosedRange<Int> = 1...1
) -> CardRecording.Exchange {
    var exchange = CardRecording.Exchange(
        [0x03, 0x7E, command], answer.map { CardRecording.Answer([0x03, 0x7F, $0]) })
    exchange.repeats = repeats
    return exchange
}

@Suite struct `A recorded card` {
    @Test func `answers the recorded commands in order, and is found whenever a reader looks for it`() throws {
        var replay = try Replay([exchange(1, 11), exchange(2, 12), exchange(1, 13), exchange(3, nil)])
        #expect(replay.poll() && replay.firstLeft == 0)
        #expect(replay.ask(1) == 11 && replay.ask(2) == 12 && replay.poll())
        #expect(replay.ask(1) == 13 && replay.firstLeft == 3)
        #expect(replay.ask(3) == nil && replay.firstLeft == nil && replay.mismatch == nil)
    }

    @Test func `is silent after the first command that was not recorded`() throws {
        var replay = try Replay([exchange(1, 11), exchange(2, 12)])
        #expect(replay.ask(1) == 11 && replay.ask(3) == nil && replay.ask(2) == nil)
        #expect(replay.mismatch?.index == 1 && replay.mismatch?.sent == [0x03, 0x7E, 3])
        var longer = try Replay([exchange(1, 11)])
        #expect(longer.ask(1) == 11 && longer.ask(1) == nil)
        #expect(longer.mismatch?.index == nil && longer.mismatch != nil)
    }

    @Test func `accepts a command as often as its recording allows`() throws {
        var replay = try Replay([exchange(1, 11, 1...3), exchange(2, 12, 0...1), exchange(3, 13)])
        #expect(replay.ask(1) == 11 && replay.ask(1) == 11 && replay.ask(3) == 13 && replay.firstLeft == nil)
        var rare = try Replay([exchange(1, 11, 2...2), exchange(2, 12)])
        #expect(rare.ask(1) == 11 && rare.ask(2) == nil && rare.mismatch?.index == 0)
        var often = try Replay([exchange(1, 11, 1...2), exchange(2, 12)])
        #expect(often.ask(1) == 11 && often.ask(1) == 11 && often.ask(1) == nil && often.mismatch?.index == 1)
    }

    @Test func `answers in any order if configured, repeating the last answer of a command`() throws {
        var replay = try Replay([exchange(1, 11), exchange(2, 12), exchange(1, 13)]) { $0.order = .any }
        #expect(replay.ask(2) == 12 && replay.ask(1) == 11 && replay.firstLeft == 2)
        #expect(replay.ask(1) == 13 && replay.ask(1) == 13 && replay.ask(2) == 12)
        #expect(replay.firstLeft == nil && replay.ask(4) == nil && replay.mismatch != nil)
    }

    @Test func `lets its definition answer unrecorded commands if configured`() throws {
        let request = RequestSystemCode.Request(idm: IDm(0x0101_0A10_2030_4050)).bytes
        var card = RecordedCard(CardRecording([exchange(1, 11)]), foundAs: try CardS.card())
        var context = CardContext(random: SeededGenerator(seed: 1))
        card.fieldRose()
        #expect(card.answer(request, context: &context) == nil)
        var recording = CardRecording([exchange(1, 11)])
        recording.mismatch = .engine
        card = RecordedCard(recording, foundAs: try CardS.card())
        card.fieldRose()
        #expect(card.answer(request, context: &context)?.bytes.dropFirst().first == 0x0D && card.mismatch == nil)
        #expect(card.answer([0x03, 0x7E, 1], context: &context)?.bytes == [0x03, 0x7F, 11])
    }

    @Test func `leaves the field with the last exchange of its recording`() throws {
        var last = exchange(2, 12)
        last.endsVisit = true
        var replay = try Replay([exchange(1, 11), last])
        #expect(replay.ask(1) == 11 && !replay.isLeaving && replay.ask(2) == 12)
        #expect(replay.isLeaving && !replay.comesBack)
    }

    @Test func `returns for the exchanges of the next visit`() throws {
        var first = exchange(1, 11)
        first.endsVisit = true
        var replay = try Replay([first, exchange(1, 12)])
        #expect(replay.ask(1) == 11 && replay.isLeaving && replay.comesBack)
        replay.comeBack()
        #expect(replay.ask(1) == 12 && replay.mismatch == nil)
    }

    @Test func `uses the recorded time if configured and known`() throws {
        var slow = exchange(1, 11)
        slow.delay = .milliseconds(42)
        var recording = CardRecording([slow, exchange(2, 12)])
        recording.timing = .recorded
        var card = RecordedCard(recording, foundAs: try CardS.card())
        var context = CardContext(random: SeededGenerator(seed: 1))
        card.fieldRose()
        #expect(card.answer([0x03, 0x7E, 1], context: &context)?.reply == .frame(after: .milliseconds(42)))
        #expect(card.answer([0x03, 0x7E, 2], context: &context)?.reply != .frame(after: .milliseconds(42)))
    }

    @Test func `of a Type 2 Tag is selected as the tag, acknowledges with four bits, and is idle after a NAK`() throws {
        let read = CardRecording.Exchange([0x30, 0x04], CardRecording.Answer(Array(1...16)))
        let nak = CardRecording.Exchange([0x30, 0xF0], CardRecording.Answer([0x00], bitCount: 4))
        let write = CardRecording.Exchange([0xA2, 0x04, 1, 2, 3, 4], CardRecording.Answer([0x0A], bitCount: 4))
        let tag = NTAGCard(
            try NTAGDefinition(.ntag215, uid: try #require(UID([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80]))))
        var world = RecordedCard(CardRecording([read, nak, write]), foundAs: tag)
        var context = CardContext(random: SeededGenerator(seed: 1))
        world.fieldRose()
        #expect(world.answer([0x26], bitCount: 7, context: &context)?.bytes == [0x44, 0x00])
        #expect(world.answer([0x30, 0x04], context: &context)?.bytes == Array(1...16))
        #expect(world.answer([0x30, 0xF0], context: &context)?.bitCount == 4)
        #expect(world.answer([0x26], bitCount: 7, context: &context)?.bytes == [0x44, 0x00])
        let acknowledged = world.answer([0xA2, 0x04, 1, 2, 3, 4], context: &context)
        #expect(acknowledged?.bytes == [0x0A] && acknowledged?.bitCount == 4 && world.firstLeft == nil)
    }
}

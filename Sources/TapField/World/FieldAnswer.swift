import TapWire

/// What a reader receives after it sent a frame.
public enum FieldAnswer: Hashable, Sendable {
    case silence
    /// One answer, beginning `after` the end of the command. Its integrity says whether it arrived whole.
    case frame(AirFrame, after: Duration)
    /// Answers of several FeliCa cards to one Polling, in the order of their time slots.
    case slots([SlotAnswer])
    /// Several type A cards answered at once with different bits.
    ///
    /// The bits before `firstCollidedBit` are what all of them sent; the rest of the frame means nothing.
    case collision(AirFrame, firstCollidedBit: Int, after: Duration)
}

/// What a reader receives in one time slot of a Polling.
public struct SlotAnswer: Hashable, Sendable {
    /// Number of the slot, from 0.
    public var slot: Int
    /// The answer; its CRC is bad where several cards chose this slot.
    public var frame: AirFrame
    /// When it begins, counted from the end of the command.
    public var after: Duration

    public init(slot: Int, frame: AirFrame, after: Duration) {
        self.slot = slot
        self.frame = frame
        self.after = after
    }
}

/// What one card sends, before it meets the answers of others on air.
struct CardAnswerInField: Sendable {
    /// The card, an index into those of the world; `nil` for what no card sent.
    let card: Int?
    let slot: Int?
    var frame: AirFrame
    /// When it begins, counted from the end of the command.
    let after: Duration
    /// When it ends, counted from the end of the command.
    let end: Duration
}

extension FieldAnswer {
    /// What a reader receives when cards answer one command.
    ///
    /// Equal bits at the same time add up to themselves, so cards that send the same are heard as one. Different type
    /// A answers collide bit by bit, which anticollision relies on; different FeliCa answers in one slot leave a frame
    /// whose CRC is bad. The card that stands first in the scenario is the strongest one: its bits are those received
    /// where cards disagree, so a reader that follows them finds it.
    /// Sources: ISO/IEC 14443-3, "anticollision"; JIS X 6319-4, "time slot".
    init(superposing answers: [CardAnswerInField]) {
        switch answers.count {
        case 0: self = .silence
        case 1: self = .frame(answers[0].frame, after: answers[0].after)
        default: self.init(superposing: answers, first: answers[0])
        }
    }

    private init(superposing answers: [CardAnswerInField], first: CardAnswerInField) {
        if first.slot != nil, Set(answers.map(\.slot)).count > 1 {
            self = .slots(Self.bySlot(answers))
        } else if !first.frame.technology.isFeliCa, let bit = Self.firstDifference(answers.map(\.frame)) {
            self = .collision(first.frame, firstCollidedBit: bit, after: first.after)
        } else {
            self = .frame(Self.damagedUnlessEqual(answers), after: first.after)
        }
    }

    private static func bySlot(_ answers: [CardAnswerInField]) -> [SlotAnswer] {
        let slots = Set(answers.compactMap(\.slot)).sorted()
        return slots.map { slot in
            let inSlot = answers.filter { $0.slot == slot }
            return SlotAnswer(slot: slot, frame: damagedUnlessEqual(inSlot), after: inSlot[0].after)
        }
    }

    private static func damagedUnlessEqual(_ answers: [CardAnswerInField]) -> AirFrame {
        let frames = answers.map(\.frame)
        guard firstDifference(frames) != nil else { return frames[0] }
        var damaged = frames[0]
        damaged.integrity = .badCRC
        return damaged
    }

    /// Index of the first bit in which frames differ or one of them has ended.
    private static func firstDifference(_ frames: [AirFrame]) -> Int? {
        guard let first = frames.first else { return nil }
        var difference: Int?
        for frame in frames.dropFirst() where frame.bytes != first.bytes || frame.bitCount != first.bitCount {
            let common = min(first.bitCount, frame.bitCount)
            let bit = (0..<common).first { first.bit($0) != frame.bit($0) } ?? common
            difference = min(difference ?? bit, bit)
        }
        return difference
    }
}

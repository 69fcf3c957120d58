import TapWire

public enum FieldAnswer: Hashable, Sendable {
    case silence
    /// One answer, beginning `after` the end of the command.
    case frame(RFFrame, after: Duration)
    /// Answers of several FeliCa cards to one Polling, in the order of their time slots.
    case slots([SlotAnswer])
    /// Several type A cards answered at once with different bits.
    ///
    /// All of them sent the bits before `firstCollidedBit`; the rest of the frame is undefined.
    case collision(RFFrame, firstCollidedBit: Int, after: Duration)
}

extension FieldAnswer {
    /// The frames that arrived; a collision counts as one damaged frame.
    package var frames: [RFFrame] {
        switch self {
        case .silence: []
        case .frame(let answer, _): [answer]
        case .slots(let slots): slots.map(\.frame)
        case .collision(let answer, _, _): [RFFrame(answer.technology, answer.bytes, integrity: .badCRC)]
        }
    }
}

/// The answer in one time slot of a Polling.
public struct SlotAnswer: Hashable, Sendable {
    /// The number of the slot, counted from 0.
    public var slot: UInt8
    /// The answer; its CRC is bad if several cards chose this slot.
    public var frame: RFFrame
    /// The time at which it begins, relative to the end of the command.
    public var after: Duration
}

/// The answer of one card, before it is superposed with others over the air.
struct CardAnswerInField: Sendable {
    /// The card, an index into those of the world; `nil` if no card sent it.
    let card: Int?
    let slot: UInt8?
    var frame: RFFrame
    /// The time at which it begins, relative to the end of the command.
    let after: Duration
    /// The time at which it ends, relative to the end of the command.
    let end: Duration
}

extension FieldAnswer {
    /// Superposes the answers of cards to one command.
    ///
    /// Cards that send the same bits at the same time appear as one. Different type A answers collide bit by bit, which
    /// anticollision relies on; different FeliCa answers in one slot result in a frame with a bad CRC. The first card of the
    /// scenario is the strongest: where cards differ, its bits are received, so a reader that follows them finds it.
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

    private static func damagedUnlessEqual(_ answers: [CardAnswerInField]) -> RFFrame {
        let frames = answers.map(\.frame)
        guard firstDifference(frames) != nil else { return frames[0] }
        var damaged = frames[0]
        damaged.integrity = .badCRC
        return damaged
    }

    /// Returns the index of the first bit at which frames differ or one of them ends.
    private static func firstDifference(_ frames: [RFFrame]) -> Int? {
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

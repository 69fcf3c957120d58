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

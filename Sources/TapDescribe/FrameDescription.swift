import TapWire

/// A frame in words: what it is, the meaning of each bit, and what is wrong with it.
///
/// The ``fields`` cover every bit of the frame exactly once, in transmission order, even in broken and unknown frames.
/// Describing never fails: unknown parts become fields of their own and a ``remark``.
public struct FrameDescription: Hashable, Sendable {
    /// The kind of frame, such as `Read Without Encryption command`.
    public let title: String
    /// The command, or the command that the frame answers; `nil` if it is unknown.
    public let command: CommandName?
    public let fields: [Field]
    /// The problems of the frame, one or more clauses; `nil` if there are none.
    public let remark: String?
    /// The frame in one line, as tables of exchanges show it, such as `Read 090F blocks 0..14`.
    public let line: String

    /// Some adjacent bits of a frame and their meaning.
    public struct Field: Hashable, Sendable {
        public let name: String
        /// The bits of the frame, in transmission order.
        public let bits: Range<Int>
        /// The bytes in hexadecimal, followed by `:` and the number of bits if they are not whole bytes.
        public let hex: String
        /// The meaning of the value; empty if there is nothing to say.
        public let meaning: String
        /// The contents of the field, such as the parts of a history record.
        public let details: [Detail]

        public var bytes: Range<Int> { bits.lowerBound / 8..<(bits.upperBound + 7) / 8 }
    }

    /// A named part of a field.
    public struct Detail: Hashable, Sendable {
        public let name: String
        public let meaning: String

        package init(name: String, meaning: String) {
            self.name = name
            self.meaning = meaning
        }
    }

    public init(command frame: RFFrame) {
        self = frame.technology.isFeliCa ? .feliCa(command: frame) : .typeA(command: frame)
    }

    /// Describes a frame sent by a card, using the command it answers, which determines the blocks that were read.
    public init(answer frame: RFFrame, to command: RFFrame) {
        self = frame.technology.isFeliCa ? .feliCa(answer: frame, to: command) : .typeA(answer: frame, to: command)
    }

    /// Describes the plain packet that is equivalent to an encrypted one; for an answer, also using the command.
    public init(opened frame: RFFrame, answering command: RFFrame?) {
        let slice = frame.bytes[...]
        let isAnswer = CommandCode(of: slice.span)?.isResponse ?? false
        self = isAnswer ? .feliCa(answer: frame, to: command, isOpened: true) : .feliCa(command: frame)
    }

    /// Describes a frame that may come from either side.
    ///
    /// - Returns: All matching descriptions, the likeliest first; at least one. A FeliCa code reveals the direction, except
    ///   for Echo; a type A frame may be several things.
    public static func ofUnknownDirection(_ frame: RFFrame) -> [FrameDescription] {
        FrameGuess.all(for: frame).map(\.description)
    }

    init(_ title: String, _ command: CommandName?, _ walk: FrameWalk, line: String) {
        self.title = title
        self.command = command
        fields = walk.fields
        remark = walk.remarks.isEmpty ? nil : walk.remarks.joined(separator: "; ")
        let words = line.isEmpty ? title : line
        self.line = remark.map { "\(words)  (\($0))" } ?? words
    }
}

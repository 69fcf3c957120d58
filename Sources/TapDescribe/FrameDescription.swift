import TapWire

/// A frame in words: what it is, what each of its bytes says, and what is wrong with it.
///
/// The ``fields`` cover every bit of the frame exactly once, of broken and unknown frames too, in the order of the air.
/// Describing never fails: what cannot be understood is a field of its own and a ``remark``.
public struct FrameDescription: Hashable, Sendable {
    /// What the frame is, such as `Read Without Encryption command`.
    public let title: String
    /// The command, or the one that is answered; `nil` where that is not known.
    public let command: CommandName?
    public let fields: [Field]
    /// What is wrong with the frame, one or more half sentences; `nil` where it is as it should be.
    public let remark: String?
    /// The frame in one line of words, as tables of exchanges show it, such as `Read 090F blocks 0..14`.
    public let line: String

    /// Some neighbouring bits of a frame and what they say.
    public struct Field: Hashable, Sendable {
        public let name: String
        /// The bits of the frame, in the order of the air.
        public let bits: Range<Int>
        /// The bytes in hexadecimal, and `:` with a number of bits where they are no whole bytes.
        public let hex: String
        /// What the value means; empty where nothing is to be said.
        public let meaning: String
        /// What lies inside the field, such as the parts of a history record.
        public let details: [Detail]

        /// The bytes of the frame the field touches.
        public var bytes: Range<Int> { bits.lowerBound / 8..<(bits.upperBound + 7) / 8 }
    }

    /// A part of a field that has a name of its own.
    public struct Detail: Hashable, Sendable {
        public let name: String
        public let meaning: String

        package init(name: String, meaning: String) {
            self.name = name
            self.meaning = meaning
        }
    }

    public init(command frame: AirFrame) {
        self = frame.technology.isFeliCa ? .feliCa(command: frame) : .typeA(command: frame)
    }

    /// Describes a frame a card sent, by the command it answers: it tells which blocks were read.
    public init(answer frame: AirFrame, to command: AirFrame) {
        self = frame.technology.isFeliCa ? .feliCa(answer: frame, to: command) : .typeA(answer: frame, to: command)
    }

    /// Describes what an encrypted packet says, as the packet without encryption that says the same; of an answer also by
    /// what the command says.
    public init(opened frame: AirFrame, answering command: AirFrame?) {
        let slice = frame.bytes[...]
        let isAnswer = CommandCode(of: slice.span)?.isResponse ?? false
        self = isAnswer ? .feliCa(answer: frame, to: command, isOpened: true) : .feliCa(command: frame)
    }

    /// Describes a frame that may come from either side.
    ///
    /// - Returns: All descriptions that fit, the likeliest first; at least one. A FeliCa code tells the direction but for
    ///   Echo; a type A frame may be several things.
    public static func ofUnknownDirection(_ frame: AirFrame) -> [FrameDescription] {
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

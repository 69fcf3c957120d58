import TapWire

/// The chip's side of the serial line of a PN532, without any input or output and without the chip itself.
///
/// Every command is acknowledged, carried out and answered. A search that finds nothing and is to go on, and a command
/// that waits for what never comes, stay open: until a card comes, their time is over, or the host sends another command
/// or an ACK.
///
/// Source: NXP, PN532 user manual UM0701-02, "frames structure" and "dialog structure".
public struct SerialCore: Sendable {
    private var frames = PN532FrameReader()
    private var reaction: SerialAction?
    /// The command that is being carried out or stays open.
    private var command: PN532Packet.Command?
    /// Whether the command stays open.
    public private(set) var isOpen = false
    /// What is answered when the time of an open command is over.
    private var fruitless: PN532Packet.Answer?
    /// The answer that a host which has not understood it can ask for again.
    private var lastAnswer: PN532Frame?

    public init() {}

    /// Takes bytes from the host.
    public mutating func receive(_ bytes: ArraySlice<UInt8>) {
        frames.append(bytes)
    }

    /// What is to be done next, or nothing until more bytes come; a command is finished before that.
    public mutating func next() -> SerialAction? {
        if let action = reaction {
            reaction = nil
            return action
        }
        while let frame = frames.next() {
            switch frame {
            case .acknowledgement: abandon()
            case .rejection: if let lastAnswer { return .send(lastAnswer) }
            case .information(let packet):
                // What does not go to a chip is none of its business, such as an echo of its own answers.
                guard packet.first == PN532Packet.toChip else { continue }
                begin(try? PN532Packet.Command(parsing: packet))
                return .send(.acknowledgement)
            }
        }
        return nil
    }

    /// Takes what the chip answers to the command carried out last, or nothing while it waits.
    public mutating func finish(_ answer: PN532Packet.Answer?) {
        guard let command else { return }
        let limit = Self.limit(of: command)
        if let answer, limit == nil || !Self.isFruitless(answer) {
            reply(answer)
        } else if !isOpen {
            isOpen = true
            fruitless = answer
            reaction = .wait(upTo: limit)
        }
    }

    /// Carries an open command out again: cards have come or gone.
    public mutating func lookAgain() {
        if isOpen, let command { reaction = .carry(command) }
    }

    /// Answers an open command whose time is over.
    public mutating func giveUp() {
        if isOpen, let fruitless { reply(fruitless) }
    }

    private mutating func begin(_ command: PN532Packet.Command?) {
        abandon()
        self.command = command
        reaction = command.map { .carry($0) } ?? .send(.information(PN532Packet.Answer.syntaxError.bytes))
    }

    private mutating func abandon() {
        command = nil
        isOpen = false
        fruitless = nil
    }

    private mutating func reply(_ answer: PN532Packet.Answer) {
        abandon()
        let frame = PN532Frame.information(answer.bytes)
        lastAnswer = frame
        reaction = .send(frame)
    }

    /// How long a search goes on that has found nothing; nothing for other commands, and for one that goes on for ever.
    private static func limit(of command: PN532Packet.Command) -> Duration? {
        guard command.code == .inAutoPoll else { return nil }
        return (try? InAutoPoll.Request(data: command.data))?.duration
    }

    private static func isFruitless(_ answer: PN532Packet.Answer) -> Bool {
        answer == .data(to: .inAutoPoll, InAutoPoll.Response(found: []).data)
    }
}

/// What the serial line of a PN532 wants done.
public enum SerialAction: Hashable, Sendable {
    /// Send a frame to the host.
    case send(PN532Frame)
    /// Let the chip carry out a command, and finish with its answer.
    case carry(PN532Packet.Command)
    /// Wait for the host, and meanwhile for cards, at most so long; nothing is for ever.
    case wait(upTo: Duration?)
}

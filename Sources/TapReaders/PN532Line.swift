import TapField
import TapWire

/// The chip's side of the connection between a PN532 and its host, without input or output and without the chip itself.
///
/// Every command is acknowledged, carried out and answered. An endless or timed search that has found nothing, and a command
/// that waits for an external reader, stay open until a card arrives, their time ends, or the host sends another command or an
/// ACK.
///
/// Source: NXP, PN532 user manual UM0701-02, "frames structure" and "dialog structure".
package struct PN532Line: Sendable {
    package enum Action: Hashable, Sendable {
        case send(PN532Frame)
        /// Let the chip carry out a command, then call `finish` with its answer.
        case carry(PN532Packet.Command)
        /// Wait for the host or for cards, at most this long; `nil` for no limit.
        case wait(upTo: Duration?)
    }

    private var frames = PN532FrameReader()
    private var reaction: Action?
    /// The command that is being carried out or is still open.
    private var command: PN532Packet.Command?
    /// A Boolean value that indicates whether the command is still open.
    package private(set) var isOpen = false
    /// The answer to send when the time of an open command ends.
    private var fruitless: PN532Packet.Answer?
    /// The last answer, which a host can request again with a NACK.
    private var lastAnswer: PN532Frame?

    package init() {}

    package mutating func receive(_ bytes: ArraySlice<UInt8>) {
        frames.append(bytes)
    }

    /// Returns the next action once a command is finished; `nil` until more bytes arrive.
    package mutating func next() -> Action? {
        if let action = reaction {
            reaction = nil
            return action
        }
        while let frame = frames.next() {
            switch frame {
            case .acknowledgement: abandon()
            case .rejection: if let lastAnswer { return .send(lastAnswer) }
            case .information(let packet):
                // The chip ignores packets that are not addressed to it, such as an echo of its own answers.
                guard packet.first == PN532Packet.toChip else { continue }
                begin(try? PN532Packet.Command(parsing: packet))
                return .send(.acknowledgement)
            }
        }
        return nil
    }

    /// Receives the chip's answer to the last command; `nil` while the chip waits.
    package mutating func finish(_ answer: PN532Packet.Answer?) {
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

    /// Carries out an open command again because cards have arrived or left.
    package mutating func rescan() {
        if isOpen, let command { reaction = .carry(command) }
    }

    /// Answers an open command whose time is over.
    package mutating func giveUp() {
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

    /// Returns the duration of a search without result; `nil` for an endless search and for other commands.
    private static func limit(of command: PN532Packet.Command) -> Duration? {
        guard command.code == .inAutoPoll else { return nil }
        return (try? InAutoPoll.Request(data: command.data))?.duration
    }

    private static func isFruitless(_ answer: PN532Packet.Answer) -> Bool {
        answer == .data(to: .inAutoPoll, InAutoPoll.Response(found: []).data)
    }
}

/// A PN532 with its serial line: bytes from the host in, bytes from the chip out.
package struct WiredPN532: StreamReader {
    private var line = PN532Line()
    private var chip: PN532
    private var command: PN532Packet.Command?
    private var faults = FrameFaults()

    /// - Parameter chip: The chip in its state after power-up.
    package init(_ chip: PN532) {
        self.chip = chip
    }

    package var isOpen: Bool { line.isOpen }

    package mutating func receive(_ bytes: ArraySlice<UInt8>) { line.receive(bytes) }

    package mutating func next() -> StreamAction? {
        switch line.next() {
        case .send(.information(let packet)): return .send(faults.changed(PN532Frame.information(packet).bytes))
        case .send(let frame): return .send(frame.bytes)
        case .carry(let command):
            self.command = command
            return .work
        case .wait(let limit): return .wait(upTo: limit)
        case nil: return nil
        }
    }

    package mutating func work(in world: inout World) {
        guard let command else { return }
        self.command = nil
        line.finish(chip.carry(command, in: &world))
        faults.take(from: &world)
    }

    package mutating func rescan() { line.rescan() }
    package mutating func giveUp() { line.giveUp() }
}

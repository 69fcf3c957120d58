import FuzzSupport
import TapWire

/// A program's connection to a transport, without input or output.
protocol TransportSession {
    /// A Boolean value that indicates whether the output does not depend on how bytes are cut.
    static var isSameInPieces: Bool { get }
    /// A Boolean value that indicates whether every piece is a separate message, as with datagrams.
    static var takesMessages: Bool { get }

    /// Returns a well-formed message of the transport's protocol.
    static func message(_ choices: inout Choices) -> [UInt8]

    /// Takes bytes from the program, and appends the transport's output.
    ///
    /// - Returns: `true` if the connection stays open.
    mutating func receive(_ bytes: ArraySlice<UInt8>, into sent: inout [UInt8]) -> Bool
}

extension TransportSession {
    static var isSameInPieces: Bool { true }
    static var takesMessages: Bool { false }
}

/// The messages of a program, and the way they are cut.
struct Talk {
    /// The maximum number of messages, so that an input stays quick.
    private static let longest = 64

    private var choices: Choices

    /// Takes the rest of the choices.
    init(_ choices: inout Choices) {
        self.choices = Choices(choices.rest())
    }

    /// Sends the messages one by one, and once more in other pieces, and checks that the output is the same.
    func hold<Session: TransportSession>(_ session: Session) {
        var choices = choices
        let cuts = (0..<choices.number(below: 4)).map { _ in Int(choices.byte()) + 1 } + [1 << 16]
        var messages: [[UInt8]] = []
        while !choices.isAtEnd, messages.count < Self.longest {
            messages.append(choices.byte() < 0xE0 ? Session.message(&choices) : choices.counted(below: 256))
        }
        let whole = Self.say(messages, to: session)
        guard !Session.takesMessages else { return }
        let pieces = Self.say(Self.cut(messages.flatMap { $0 }, cuts), to: session)
        if Session.isSameInPieces {
            expect(whole == pieces, "\(Session.self) in pieces of \(cuts): \(messages), \(whole), \(pieces)")
        }
    }

    /// Returns everything that is sent until the transport hangs up.
    private static func say<Session: TransportSession>(_ pieces: [[UInt8]], to session: Session) -> [UInt8] {
        var (session, sent) = (session, [UInt8]())
        for piece in pieces {
            guard session.receive(piece[...], into: &sent) else { break }
        }
        return sent
    }

    /// Cuts bytes into pieces of these lengths, in turn.
    private static func cut(_ bytes: [UInt8], _ lengths: [Int]) -> [[UInt8]] {
        var (rest, pieces) = (bytes[...], [[UInt8]]())
        while !rest.isEmpty {
            pieces.append(Array(rest.prefix(lengths[pieces.count % lengths.count])))
            rest = rest.dropFirst(pieces[pieces.count - 1].count)
        }
        return pieces
    }
}

extension Choices {
    /// Returns an almost valid frame for a card.
    mutating func cardFrame() -> [UInt8] {
        let frames: [[UInt8]] = [
            [0x06, 0x00, 0xFF, 0xFF, 0x01, 0x00], [0x06, 0x00, 0x00, 0x03, 0x00, 0x0F], [0x30, 0x04], [0x60], [0x26],
            [0x52], [0x93, 0x20], [0x93, 0x70, 0x88, 0x04, 0xA2, 0x3B, 0x15], [0x3A, 0x00, 0x86], [0xA0, 0x0A],
            [0x1B, 0x12, 0x34, 0x56, 0x78], [0xA2, 0x0A, 1, 2, 3, 4],
            [0x10, 0x06, 1, 1, 0x0A, 0x10, 0x20, 0x30, 0x40, 0x50, 1, 0x0F, 0x09, 1, 0x80, 0x00],
            [0x0A, 0x04, 1, 1, 0x0A, 0x10, 0x20, 0x30, 0x40, 0x50],
        ]
        let kind = number(below: 32)
        guard kind < frames.count else { return counted(below: 48) }
        var frame = frames[kind]
        // Most frames stay unchanged.
        let change = byte()
        if change >= 0xC0 { frame[Int(change) % frame.count] ^= byte() }
        return frame
    }
}

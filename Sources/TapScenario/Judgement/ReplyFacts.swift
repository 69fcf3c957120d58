import TapField
import TapWire

/// What came back, read with the types that clients read it with.
enum ReplyFacts: CustomStringConvertible {
    case silence
    case collision
    case damaged
    case acknowledgement(Acknowledgement)
    /// Status flags, and the number of blocks behind them where the answer has blocks.
    case status(StatusFlags, blocks: Int?, [UInt8])
    case data([UInt8])

    init(_ exchange: Exchange, _ command: CommandName?) {
        guard let first = exchange.answers.first else {
            self = .silence
            return
        }
        let answer = exchange.answers.first { $0.frame.integrity == .good } ?? first
        let frame = answer.frame
        if answer.firstCollidedBit != nil {
            self = .collision
        } else if frame.integrity != .good {
            self = .damaged
        } else if frame.bitCount == Acknowledgement.bitCount, let value = try? Acknowledgement(parsing: frame.bytes) {
            self = .acknowledgement(value)
        } else if frame.technology.isFeliCa, command?.feliCa?.hasStatusFlags == true {
            self = Self.status(of: frame.bytes)
        } else {
            self = .data(frame.bytes)
        }
    }

    private static func status(of bytes: [UInt8]) -> ReplyFacts {
        guard bytes.count >= FeliCaPacket.statusLength else { return .data(bytes) }
        let read = try? ReadWithoutEncryption.Response(parsing: bytes)
        return .status(StatusFlags(bytes[10], bytes[11]), blocks: read?.blocks.count, bytes)
    }

    /// Whether the reply is what a pattern states.
    func matches(_ reply: ExchangePattern.Reply) -> Bool {
        switch (reply, self) {
        case (.silence, .silence): true
        case (.ok, .data): true
        case (.ok, .status(let flags, _, _)): flags.isSuccess
        case (.ok, .acknowledgement(let value)), (.ack, .acknowledgement(let value)): value.isAck
        case (.nak(let expected), .acknowledgement(let value)): value.rawValue == expected
        case (.status(let expected, let range), .status(let flags, let blocks, _)):
            flags == expected && range?.contains(blocks ?? 0) ?? true
        case (.frame(let expected), .data(let bytes)), (.frame(let expected), .status(_, _, let bytes)):
            bytes == expected
        default: false
        }
    }

    var description: String {
        switch self {
        case .silence: "silence"
        case .collision: "a collision"
        case .damaged: "a damaged frame"
        case .acknowledgement(let value): "\(value)"
        case .status(let flags, nil, _): "status \(flags)"
        case .status(let flags, let count?, _) where flags.isSuccess:
            "status \(flags) with \(Self.blocks(IntegerRange(count, through: count)))"
        case .status(let flags, _, _): "status \(flags)"
        case .data(let bytes): "hex \(CommandFacts.text(bytes))"
        }
    }

    static func blocks(_ count: IntegerRange) -> String {
        count.lower == 1 && count.upper == 1 ? "1 block" : "\(count) blocks"
    }
}

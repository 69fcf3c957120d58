import TapWire

/// What an exchange looks like: the command, some of its arguments, who answers and what.
public struct ExchangePattern: Hashable, Sendable, CustomStringConvertible {
    /// The command.
    public let command: CommandName
    /// What its arguments are, in the order of the file.
    public let arguments: [Argument]
    /// Who answers, if that is stated.
    public let card: String?
    /// What comes back, if that is stated.
    public let reply: Reply?

    /// An argument of a command.
    public enum Argument: Hashable, Sendable, CustomStringConvertible {
        /// The system code of a Polling.
        case system(SystemCode)
        /// A service or another node that the command names, among others.
        case service(NodeCode)
        /// All services or nodes the command names, in order.
        case services([NodeCode])
        /// The block numbers, from the first to the last one; of the one service if the pattern names one.
        case blocks(IntegerRange)
        /// The block numbers in order.
        case blockList([Int])
        /// The pages the command names; READ names one and reads four, either is meant.
        case pages(IntegerRange)
        /// The PWD of a PWD_AUTH.
        case password([UInt8])
        /// What is written.
        case data([UInt8])
        /// The IDm the command is for.
        case idm(IDm)
        /// The whole command, without CRC.
        case frame([UInt8])

        /// The argument in words: `blocks 0..11`.
        public var description: String {
            switch self {
            case .system(let code): "system \(code)"
            case .service(let code): "service \(code)"
            case .services(let codes): "services " + codes.map(\.description).joined(separator: ", ")
            case .blocks(let range): "blocks \(range)"
            case .blockList(let numbers): "blocks " + CommandFacts.text(numbers)
            case .pages(let range): "pages \(range)"
            case .password(let bytes): "pwd \(Hex.text(bytes, separator: " "))"
            case .data(let bytes): "data \(CommandFacts.text(bytes))"
            case .idm(let idm): "idm \(idm)"
            case .frame(let bytes): "hex \(CommandFacts.text(bytes))"
            }
        }
    }

    /// What comes back.
    public enum Reply: Hashable, Sendable, CustomStringConvertible {
        /// An answer that arrives whole and reports no error.
        case ok
        /// Nothing.
        case silence
        /// The four-bit acknowledgement.
        case ack
        /// A four-bit refusal.
        case nak(UInt8)
        /// Status flags, and the number of blocks behind them if that is stated.
        case status(StatusFlags, blocks: IntegerRange?)
        /// The whole answer, without CRC.
        case frame([UInt8])

        /// The reply in words.
        public var description: String {
            switch self {
            case .ok: "ok"
            case .silence: "silence"
            case .ack: "\(Acknowledgement.ack)"
            case .nak(let value): "\(Acknowledgement(value))"
            case .status(let flags, nil): "status \(flags)"
            case .status(let flags, let blocks?): "status \(flags) with \(ReplyFacts.blocks(blocks))"
            case .frame(let bytes): "hex \(CommandFacts.text(bytes))"
            }
        }
    }

    /// The pattern in one line: `felica.read service 090F blocks 0..11, reply status 00 00 with 12 blocks`.
    public var description: String {
        let words = [command.rawValue] + arguments.map(\.description)
        let ends = (card.map { [", from \($0)"] } ?? []) + (reply.map { [", reply \($0)"] } ?? [])
        return words.joined(separator: " ") + ends.joined()
    }
}

import TapField
import TapWire

/// What an exchange looks like: the command, some of its arguments, who answers and what.
public struct ExchangePattern: Hashable, Sendable, CustomStringConvertible {
    public let command: CommandName
    /// What its arguments are, in the order of the file.
    public let arguments: [CommandArgument]
    /// Who answers, if that is stated.
    public let card: String?
    /// What comes back, if that is stated.
    public let reply: Reply?

    /// What comes back.
    public enum Reply: Hashable, Sendable, CustomStringConvertible {
        /// An answer that arrives whole and reports no error.
        case ok
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

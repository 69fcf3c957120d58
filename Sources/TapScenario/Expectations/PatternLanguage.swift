import TapField
import TapWire

/// The keys of a pattern of exchanges.
enum PatternLanguage {
    /// A command alone, or a map.
    static let shape = Shape.variants([.command, .map(table)])

    private enum ReplyWord: String, CaseIterable {
        case ok, silence, ack
    }

    private enum ReplyKey: String {
        case status, nak, hex
    }

    static let table = KeyTable(
        "an exchange",
        [
            Key("command", .command, "The command.", isRequired: true, synonyms: ["cmd", "name"])
        ] + ArgumentLanguage.keys + [
            Key("card", .cardName, "The card that answers.", synonyms: ["from"]),
            Key(
                "reply", .variants([.word(ReplyWord.self), .map(reply)]), "What comes back.",
                synonyms: ["answer", "response", "rsp"]),
        ], atMostOne: ArgumentLanguage.atMostOne)

    private static let reply = KeyTable(
        "a reply",
        [
            Key("status", .hex(2), "The status flags.", synonyms: ["status_flags"]),
            Key("blocks", .range(0...255), "The number of blocks behind the status flags.", synonyms: ["count"]),
            Key("nak", .integer(0...15), "The value of a NAK."),
            Key("hex", .hex(1...1_024), "The whole answer without CRC.", synonyms: ["frame", "bytes", "data"]),
        ], exactlyOne: ["status", "nak", "hex"])

    static func decode(
        _ value: ValueReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> ExchangePattern {
        guard value.kind == .map else {
            return ExchangePattern(command: value.command, arguments: [], card: nil, reply: nil)
        }
        let map = value.map
        let command = map.required("command").command
        let arguments = ArgumentLanguage.decode(map, of: command, into: &diagnostics)
        return ExchangePattern(
            command: command, arguments: arguments, card: map["card"].map { names.card($0, into: &diagnostics) },
            reply: map["reply"].map { decodeReply($0, into: &diagnostics) })
    }

    private static func decodeReply(
        _ value: ValueReader, into diagnostics: inout Diagnostics
    ) -> ExchangePattern.Reply {
        guard value.kind == .map else {
            switch value.word(as: ReplyWord.self) {
            case .ok: return .ok
            case .silence: return .silence
            case .ack: return .ack
            }
        }
        let blocks = value.map["blocks"]
        let (key, content) = value.map.chosen(as: ReplyKey.self)
        if key != .status, let blocks {
            diagnostics.report(
                Diagnostic(
                    .oneKeyOf, "`blocks` cannot stand beside `\(key.rawValue)`", at: blocks.node,
                    hint: "it counts the blocks behind `status`"))
        }
        switch key {
        case .status: return .status(StatusFlags(content.bytes[0], content.bytes[1]), blocks: blocks?.range)
        case .nak: return .nak(UInt8(content.integer))
        case .hex: return .frame(content.bytes)
        }
    }
}

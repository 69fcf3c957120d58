import TapWire

/// The commands a card knows, and the states it can be in.
public struct CardScope: Hashable, Sendable {
    /// In the order of the codes, without selection; commands that need a key are included only if the card has one.
    public let commands: [CommandName]
    /// In the order of the manual, without distinguishing systems or ways of waking.
    public let states: [String]

    public init(_ card: any CardEngine) {
        switch card {
        case let card as FeliCaCard: self.init(card)
        case let card as FeliCaLiteCard: self.init(card)
        case is NTAGCard:
            self.init(
                CommandName.all.filter { $0.layer == .ntag && $0.opcode != nil && $0.opcode != .checkTearing },
                NTAGState.Phase.ofTags.map { NTAGState.name(of: $0) })
        default: self.init([], [])
        }
    }

    private init(_ commands: [CommandName], _ states: [String]) {
        self.commands = commands
        self.states = states
    }

    private init(_ card: FeliCaCard) {
        let definition = card.template.definition
        let hasKeys = definition.systems.contains { system in
            system.allKeys.contains { $0.desKey != nil || $0.aesKey != nil }
        }
        let known = CommandName.all.filter { name in
            name.feliCaCode.map(definition.profile.supportedCommands.contains) ?? false
                && (hasKeys || name.feliCa?.needsKey == false)
        }
        self.init(known, (hasKeys ? FeliCaMode.allCases : [.mode0]).map { "Mode\($0.rawValue)" })
    }

    private init(_ card: FeliCaLiteCard) {
        let profile = card.template.profile
        self.init(
            CommandName.all.filter { $0.feliCaCode.map(profile.liteCommands.contains) ?? false },
            ["no session", "session"] + (card.template.definition.model.hasMACA ? ["authenticated"] : []))
    }

    /// Maps a state name from a trace to the matching entry of ``states``.
    public static func state(_ name: String) -> String {
        let plain = name.hasSuffix("*") ? String(name.dropLast()) : name
        return plain.hasPrefix("Mode") ? String(plain.prefix { $0 != " " }) : plain
    }
}

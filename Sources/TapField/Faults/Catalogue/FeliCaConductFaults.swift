import TapCards
import TapWire

extension FaultCatalogue {
    /// What FeliCa cards do otherwise than others, or than a moment before.
    static let feliCaConduct: [FaultKind] = [
        FaultKind(
            "felica.cyclic_shift",
            "A new record has come into a cyclic service: all its blocks stand one further back.",
            models: "Between two reads the card was used: a gate wrote a record, and the history has moved on.",
            [
                FaultParameter(
                    "service", .bytes(2...2), nil,
                    "The service code as people say it; without it each cyclic service that the command reads."),
                FaultParameter(
                    "record", .bytes(16...16), nil,
                    "The new record; without it the newest again, its last byte one more."),
            ], scope: .feliCaRead,
            effect: .image { card, strike in
                guard var changed = card as? FeliCaCard else { return }
                changed.pushRecord(strike)
                card = changed
            }),
        FaultKind(
            "felica.limits", "The card takes fewer blocks in a command than its IC does: FF A2 beyond them.",
            models: "Chips take 4, 8, 12 or 15 blocks, and a card of the same name may have another chip.",
            [FaultParameter("blocks", .integer(0...15), .integer(4), "The most blocks the card takes.")],
            scope: .commands("felica.read", "felica.write"), times: .always,
            effect: .command { command, strike in
                command.frame?.overstateBlocks(ifMoreThan: strike.arguments.integer("blocks") ?? 0)
            }),
        FaultKind(
            "felica.silent_command", "The card never answers the command.",
            models: "A chip does not know the command; FeliCa cards have no way to say so but silence.",
            scope: .felica, times: .always,
            effect: .command { command, _ in command.frame = nil }),
        FaultKind(
            "felica.lost_mode",
            "The card forgets what came before: system 0, Mode0, and silence until it is polled again.",
            models: "A phone switches its card emulation off for a moment, for a call or when the screen locks.",
            [
                FaultParameter(
                    "until_polled", .flag, .flag(true), "Whether the card is silent to all but Polling from then on.")
            ], scope: .feliCaIDm,
            effect: .card { card, strike in
                guard var changed = card as? FeliCaCard, changed.isAddressed(by: strike.command) else { return }
                changed.forgetSession(untilPolled: strike.arguments.flag("until_polled"))
                card = changed
            }),
    ]
}

extension FeliCaCard {
    /// Whether a command is for this card, by its IDm, or for every card.
    fileprivate func isAddressed(by command: AirFrame) -> Bool {
        CommandFacts(command).idm.map { systemCode(of: $0) != nil } ?? true
    }

    /// Puts a record into the cyclic services that a read names, or into the one that the fault does; where there is
    /// no read to tell, into all.
    fileprivate mutating func pushRecord(_ strike: FaultStrike) {
        let facts = CommandFacts(strike.command)
        let system = facts.idm.flatMap { systemCode(of: $0) }
        let named = strike.arguments.service("service").map { [$0] } ?? facts.services
        for (code, service) in services where service.attribute.kind == .cyclic {
            guard system == nil || system == code, named.isEmpty || named.contains(service),
                let blocks = blocks(of: service, in: code), var record = blocks.first
            else { continue }
            record[BlockData.byteCount - 1] &+= 1
            if let given = strike.arguments.bytes("record") { record = BlockData(given) }
            replaceBlocks(of: service, in: code, with: [record] + blocks)
        }
    }
}

extension AirFrame {
    /// Lets a read or write with more blocks than a limit announce more than any card takes, so that the card itself
    /// refuses it in the way of its IC.
    fileprivate mutating func overstateBlocks(ifMoreThan limit: Int) {
        let slice = bytes[...]
        guard let layout = BlockAccessLayout(slice.span), layout.blockCount > limit else { return }
        bytes[layout.blockListOffset - 1] = 0xFF
    }
}

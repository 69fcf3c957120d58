import TapCards
import TapWire

extension FaultScope {
    /// Answers that end with a MAC of the session.
    fileprivate static let feliCaMAC = FaultScope(
        commands: (feliCaSecure.commands ?? []).union(
            commands("felica.authentication2", "felica.authentication2_v2").commands ?? []))
}

extension FaultCatalogue {
    /// Faults between a card and a reader that have authenticated or are about to.
    static let feliCaSessions: [FaultKind] = [
        FaultKind(
            "felica.wrong_mac", "The answer inside a session has a wrong MAC.",
            models:
                "An attacker between card and reader changes an answer without having the keys, or a chip computes a wrong MAC.",
            scope: .feliCaMAC,
            effect: .answer { answer, _ in
                answer.rewriteFeliCa { packet in
                    if packet.bytes.count > FeliCaPacket.minimumLength { packet.bytes[packet.bytes.count - 1] ^= 1 }
                }
            }),
        FaultKind(
            "felica.replayed_answer", "The answer inside a session repeats the previous one.",
            models: "An attacker between card and reader replays an old answer, or a relay repeats one.",
            scope: .feliCaSecure,
            effect: .answer { answer, _ in
                guard let previous = answer.previous, answer.frame != nil,
                    previous.technology == answer.command.technology
                else { return }
                answer.frame = previous
            }),
        FaultKind(
            "felica.transaction_number",
            "The answer inside a session has a wrong transaction number, but a valid MAC.",
            models: "A card has received a command that the reader did not send, or counts differently.",
            [numberOffset], scope: .feliCaSecure,
            effect: .content { answer, injection in
                if answer.frame != nil { answer.numberOffset = UInt16(truncatingIfNeeded: injection[numberOffset]) }
            }),
        FaultKind(
            "felica.key_version",
            "The nodes named in Authentication1 or Request Service have new keys and versions, for either cipher.",
            models: "The operator has changed the keys of the cards, but a reader still has the old ones.",
            scope: .commands(
                "felica.authentication1", "felica.authentication1_v2", "felica.request_service",
                "felica.request_service_v2"),
            effect: .image { card, injection in
                guard var changed = card as? FeliCaCard else { return }
                changed.replaceKeys(namedBy: injection.command)
                card = changed
            }),
        FaultKind(
            "felica.session_dropped", "The card loses its session, as if nobody had authenticated, and is silent.",
            models: "Power drops between two commands, too briefly for the reader to notice.",
            scope: .feliCaMAC,
            effect: .card { card, _ in
                guard var changed = card as? FeliCaCard else { return }
                changed.dropSession()
                card = changed
            }),
    ]

    private static let numberOffset = FaultKey(
        "by", .integer(1...0xFFFF), default: 1, "The number to add to the correct one.")
}

extension FeliCaCard {
    /// Replaces the keys of the nodes in a command; without a command, of all nodes.
    fileprivate mutating func replaceKeys(namedBy command: RFFrame) {
        let slice = command.bytes[...]
        var named: [NodeCode]?
        if let request = try? Authentication1.Request(parsing: slice.span) { named = request.services }
        if let request = try? Authentication1V2.Request(parsing: slice.span) { named = request.nodes }
        if let request = try? RequestService.Request(parsing: slice.span) { named = request.nodes }
        if let request = try? RequestServiceV2.Request(parsing: slice.span) { named = request.nodes }
        let idm = CommandFacts(command).idm
        for system in template.definition.systems {
            guard idm.map({ systemCode(of: $0) == system.code }) ?? true else { continue }
            replaceKeys(of: named ?? system.services.map(\.code), in: system.code)
        }
    }
}

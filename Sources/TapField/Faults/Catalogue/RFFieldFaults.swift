import TapCards
import TapWire

extension FaultCatalogue {
    /// Cards that come and go, and power.
    static let rfField: [FaultKind] = [
        FaultKind(
            "rf.lose_tag", "A card leaves the field.",
            models: "A person takes the card away too early, or only waves it past the reader.",
            [
                point(.afterCommand, "When it leaves"),
                FaultParameter("back_in", .duration, nil, "After which time it is back; without it, it stays away."),
                FaultParameter("card", .card, nil, "Which card; without it, every card that lies there."),
            ],
            effect: .field(at: \.moment) { world, strike in world.loseCards(strike) }),
        FaultKind(
            "rf.brown_out", "Power drops for a moment: cards lose what power-off ends, and stay where they are.",
            models: "A reader lowers its field to save power, or a phone beside the card takes the energy of it.",
            [
                point(.beforeCommand, "When power drops"),
                FaultParameter("card", .card, nil, "Which card; without it, every card that lies there."),
            ],
            effect: .field(at: \.moment) { world, strike in world.dropPower(strike) }),
        FaultKind(
            "rf.swap", "Another card takes the place of the one in the field.",
            models: "A person holds a wallet with several cards before the reader, or the next person comes at once.",
            [
                point(.afterAnswer, "When the card leaves"),
                FaultParameter(
                    "gap", .duration, .time(.duration(.milliseconds(30))), "How long no card is there."),
                FaultParameter("card", .card, nil, "Which card leaves; without it, the first that lies there."),
                FaultParameter(
                    "other", .card, nil,
                    "Which card comes; without it, one of the same kind with another IDm or UID."),
            ], scope: FaultScope(layers: [.felica, .ntag]),
            effect: .field(at: \.moment) { world, strike in world.swapCard(strike) }),
        FaultKind(
            "rf.collision", "A second card lies before the reader and answers as well.",
            models: "Two cards lie in one wallet, or a phone with a card of its own holds the card.",
            [
                FaultParameter(
                    "other", .card, nil, "Which card comes; without it, one of the same kind with another IDm or UID."),
                FaultParameter("leaves_in", .duration, nil, "After which time it leaves again; without it, it stays."),
            ], scope: .commands("felica.polling", "a3.reqa", "a3.wupa"),
            effect: .field(at: { _ in .beforeCommand }, { world, strike in world.addCard(strike) })),
        FaultKind(
            "rf.weak_field", "From this exchange on, answers are lost and damaged by a pattern, this one first.",
            models: "The card lies at the edge of the field, or metal behind it weakens the field.",
            [
                FaultParameter("lost_every", .integer(1...1_000), .integer(4), "Each how many answers one is lost."),
                FaultParameter(
                    "damaged_every", .integer(1...1_000), .integer(6),
                    "Each how many answers one is damaged, unless it is lost."),
                FaultParameter(
                    "exchanges", .integer(1...1_000_000), nil,
                    "For how many exchanges; without it, until the end of the run."),
            ],
            effect: .field(
                at: { _ in .beforeCommand }, { world, strike in world.aftermath.weakField = WeakField(strike) })),
    ]

    private static func point(_ moment: FieldMoment, _ what: String) -> FaultParameter {
        FaultParameter(
            "point", .word(FieldMoment.allCases.map(\.rawValue)), .word(moment.rawValue),
            "\(what): before the command, when it has been heard, while the answer is on air, or when it has arrived.")
    }
}

extension FaultArguments {
    /// When a fault of the field strikes, by its parameter `point`.
    var moment: FieldMoment { word("point").flatMap(FieldMoment.init) ?? .afterCommand }
}

/// How faults of the field move cards and take their power.
extension World {
    mutating func loseCards(_ strike: FaultStrike) {
        for name in presentCards(strike.arguments.word("card")) {
            remove(name, source: strike.source)
            guard let time = strike.arguments.duration("back_in") else { continue }
            timeline.schedule(.tap(name), at: timelineNow + time, source: strike.source, isTimed: true)
        }
    }

    mutating func dropPower(_ strike: FaultStrike) {
        for name in presentCards(strike.arguments.word("card")) {
            guard let index = cards.firstIndex(where: { $0.name == name }) else { continue }
            cards[index].losePower()
            cards[index].engine.fieldRose()
        }
    }

    mutating func swapCard(_ strike: FaultStrike) {
        guard let name = presentCards(strike.arguments.word("card")).first else { return }
        let gap = strike.arguments.duration("gap") ?? .zero
        swap(name, for: strike.arguments.word("other") ?? twin(of: name), after: gap, source: strike.source)
    }

    mutating func addCard(_ strike: FaultStrike) {
        guard let name = presentCards(nil).first else { return }
        let other = strike.arguments.word("other") ?? twin(of: name)
        tap(other, source: strike.source)
        guard let time = strike.arguments.duration("leaves_in") else { return }
        timeline.schedule(.remove(other), at: timelineNow + time, source: strike.source, isTimed: true)
    }

    /// The card of a name if it lies there, or all that do.
    private func presentCards(_ name: String?) -> [String] {
        cards.filter { $0.isPresent && $0.name == name ?? $0.name }.map(\.name)
    }

    /// The name of a card of the same kind with another IDm or UID; of such a card, the one it was made after.
    private mutating func twin(of name: String) -> String {
        let prefix = "another "
        if name.hasPrefix(prefix), card(named: String(name.dropFirst(prefix.count))) != nil {
            return String(name.dropFirst(prefix.count))
        }
        if let engine = card(named: name)?.engine { add(engine.withAnotherIdentifier(), named: prefix + name) }
        return prefix + name
    }
}

import TapCards
import TapWire

extension FaultCatalogue {
    /// What happens on air, whatever the card: losses, delays and damage, and cards that come and go.
    static let rf: [FaultKind] = rfField + rfLosses + rfTiming + rfDamage

    private static let rfLosses: [FaultKind] = [
        FaultKind(
            "rf.silence", "The answer does not arrive.",
            models: "The card answered too weakly for the reader, which happens at the edge of its field.",
            effect: .answer { answer, _ in answer.frame = nil }),
        FaultKind(
            "rf.unheard", "The command does not reach the card.",
            models: "The card lost the modulation of the reader for a moment and heard no frame.",
            effect: .command { command, _ in command.frame = nil }),
        FaultKind(
            "rf.garbled", "The command reaches the card damaged, which its CRC or parity shows.",
            models: "Noise beside the reader changed bits of the command on its way.",
            effect: .command { command, _ in
                if let frame = command.frame { command.frame?.damage(answering: frame) }
            }),
    ]

    private static let rfTiming: [FaultKind] = [
        FaultKind(
            "rf.delay", "The answer begins later, inside the time the card may take where nothing else is set.",
            models:
                "A card with little power takes longer for its command; its PMm or data sheet says how long it may.",
            [
                FaultParameter(
                    "by", .timeAmount, nil,
                    "How much later it begins, a share being one of the time the card may take; without it "
                        + "`of_max_response` decides."),
                FaultParameter(
                    "of_max_response", .share(0...1_000), .time(.percent(90)),
                    "When it begins, as a share of the time the card may take by its PMm or data sheet."),
                ifTooLate,
            ], scope: FaultScope(layers: [.felica, .ntag]), effect: .answer(delay)),
        FaultKind(
            "rf.late", "The answer begins after the time the card may take.",
            models: "A reader that was busy passes an answer on when its host has already given it up.",
            [
                FaultParameter(
                    "of_max_response", .share(101...1_000), .time(.percent(150)),
                    "When it begins, as a share of the time the card may take by its PMm or data sheet."),
                ifTooLate,
            ], scope: FaultScope(layers: [.felica, .ntag]), effect: .answer(delay)),
        FaultKind(
            "rf.stale", "The reader receives the answer before this one once more.",
            models: "A driver hands out a buffer that it has not filled anew.",
            effect: .answer { answer, _ in
                if let previous = answer.previous, previous.technology == answer.command.technology {
                    answer.frame = previous
                }
            }),
        FaultKind(
            "rf.duplicate", "The answer arrives twice, the second time in place of the next one.",
            models: "A reader repeats a frame to its host whose receipt it has missed.",
            effect: .answer { answer, _ in answer.late = answer.frame }),
        FaultKind(
            "rf.echo", "The reader receives its own command.",
            models: "A receiver that opens too early hears the end of its own transmitter.",
            effect: .answer { answer, _ in answer.frame = answer.command }),
    ]

    private static let ifTooLate = FaultParameter(
        "if_too_late", .word(["lost", "with_next"]), .word("with_next"),
        "What becomes of an answer that begins after the reader has given up: it is lost, or arrives in place of the next."
    )

    private static let delay: @Sendable (inout AnswerOnAir, FaultStrike) -> Void = { answer, strike in
        switch strike.arguments.time("by") {
        case .duration(let duration)?: answer.after += duration
        case .percent(let share)?: answer.after += answer.deadline * share / 100
        case nil:
            let share = strike.arguments.percent("of_max_response") ?? 0
            answer.after = max(answer.after, answer.deadline * share / 100)
        }
        answer.comesWithNext = strike.arguments.word("if_too_late") == "with_next"
    }

    private static let rfDamage: [FaultKind] = [
        FaultKind(
            "rf.flip_bits", "Bits of the answer are inverted, and its CRC is wrong unless it is mended.",
            models: "A neighbouring transmitter or a switching supply disturbs the weak signal of the card.",
            [
                FaultParameter(
                    "at", .integer(0...maximumBit), nil,
                    "The first bit that is inverted, from 0 in the order of the air; without it the middle one."),
                FaultParameter("count", .integer(1...maximumBit), .integer(1), "How many bits are inverted."),
                FaultParameter(
                    "apart", .integer(1...maximumBit), .integer(1), "How many bits lie from one to the next."),
            ], effect: .answer(flip)),
        FaultKind(
            "rf.cut", "The answer breaks off, and its CRC is wrong unless it is mended.",
            models: "The coupling to the card breaks while it answers.",
            [
                FaultParameter(
                    "keep_bytes", .integer(0...maximumBit / 8), nil,
                    "How many bytes of the answer arrive, LEN included; without it half of its bits."),
                FaultParameter("keep_bits", .integer(0...7), .integer(0), "How many bits arrive behind these bytes."),
            ], effect: .answer(cut)),
        FaultKind(
            "rf.bad_crc", "The CRC of the answer is wrong.",
            models: "A bit of the checksum itself was received wrong.",
            scope: FaultScope(commands: withCRC),
            effect: .answer { answer, _ in answer.frame?.damage(answering: answer.command) }),
        FaultKind(
            "rf.bad_parity", "A parity bit of the answer is wrong.",
            models: "A bit of a type A frame was received wrong, which shows in the parity of its byte first.",
            scope: FaultScope(layers: [.selection, .ntag]),
            effect: .answer { answer, _ in answer.frame?.integrity = .badParity }),
    ]

    /// The last bit of the longest frame that a reader receives, with room to spare.
    private static let maximumBit = 8_191

    private static let withCRC = Set(
        CommandName.all.filter { !["a3.reqa", "a3.wupa", "a3.anticollision", "a3.hlta"].contains($0.rawValue) })

    private static let flip: @Sendable (inout AnswerOnAir, FaultStrike) -> Void = { answer, strike in
        guard let frame = answer.frame else { return }
        let first = strike.arguments.integer("at") ?? frame.bitCount / 2
        let apart = strike.arguments.integer("apart") ?? 1
        for index in 0..<min(strike.arguments.integer("count") ?? 1, frame.bitCount) {
            let bit = first + index * apart
            guard index == 0 || bit < frame.bitCount else { break }
            answer.frame?.flip(bit)
        }
        // A four-bit acknowledgement has nothing by which a receiver would notice.
        let isUnchecked = !frame.technology.isFeliCa && frame.bitCount == Acknowledgement.bitCount
        if !isUnchecked { answer.frame?.damage(answering: answer.command) }
    }

    private static let cut: @Sendable (inout AnswerOnAir, FaultStrike) -> Void = { answer, strike in
        guard var frame = answer.frame else { return }
        let bytes = strike.arguments.integer("keep_bytes")
        let bits = bytes.map { 8 * $0 } ?? frame.bitCount / 2
        frame.cut(toBits: bits + (strike.arguments.integer("keep_bits") ?? 0), answering: answer.command)
        answer.frame = frame.bitCount == 0 ? nil : frame
    }
}

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

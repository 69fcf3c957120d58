import TapCards
import TapWire

extension FaultCatalogue {
    /// RF faults, independent of the card: losses, delays and damage, and cards that come and go.
    static let rf: [FaultKind] = rfField + rfLosses + rfTiming + rfDamage + rfContent

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
            [delay, shareInTime, ifTooLate], scope: FaultScope(layers: [.felica, .ntag]),
            effect: .answer { answer, injection in
                switch injection[delay] {
                case .duration(let duration)?: answer.after += duration
                case .percent(let share)?: answer.after += answer.deadline * share / 100
                case nil: answer.begin(at: injection[shareInTime])
                }
                answer.comesWithNext = injection[ifTooLate] == .withNext
            }),
        FaultKind(
            "rf.late", "The answer begins after the time the card may take.",
            models: "A reader that was busy passes an answer on when its host has already given it up.",
            [shareTooLate, ifTooLate], scope: FaultScope(layers: [.felica, .ntag]),
            effect: .answer { answer, injection in
                answer.begin(at: injection[shareTooLate])
                answer.comesWithNext = injection[ifTooLate] == .withNext
            }),
        FaultKind(
            "rf.stale", "The reader receives the answer before this one once more.",
            models: "A driver hands out a buffer that it has not refilled.",
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

    private enum LateAnswer: String, CaseIterable {
        case lost
        case withNext = "with_next"
    }

    private static let delay = FaultKey<TimeAmount?>(
        "by", .timeAmount,
        "How much later it begins, a share being one of the time the card may take; without it "
            + "`of_max_response` decides.")
    private static let shareInTime = FaultKey(
        "of_max_response", .share(0...1_000), default: Percentage(90),
        "When it begins, as a share of the time the card may take by its PMm or data sheet.")
    private static let shareTooLate = FaultKey(
        "of_max_response", .share(101...1_000), default: Percentage(150),
        "When it begins, as a share of the time the card may take by its PMm or data sheet.")
    private static let ifTooLate = FaultKey(
        "if_too_late", default: LateAnswer.withNext,
        "What becomes of an answer that begins after the reader has given up: it is lost, or arrives in place of the next."
    )

    private static let rfDamage: [FaultKind] = [
        FaultKind(
            "rf.flip_bits", "Bits of the answer are inverted, and its CRC is wrong unless it is mended.",
            models: "A neighbouring transmitter or a switching supply disturbs the weak signal of the card.",
            [firstBit, flippedBits, bitDistance], variants: [[:], ["at": .integer(3)]],
            effect: .answer { answer, injection in
                guard let frame = answer.frame else { return }
                let first = injection[firstBit] ?? frame.bitCount / 2
                for index in 0..<min(injection[flippedBits], frame.bitCount) {
                    let bit = first + index * injection[bitDistance]
                    guard index == 0 || bit < frame.bitCount else { break }
                    answer.frame?.flip(bit)
                }
                // A receiver cannot check a four-bit acknowledgement.
                let isUnchecked = !frame.technology.isFeliCa && frame.bitCount == Acknowledgement.bitCount
                if !isUnchecked { answer.frame?.damage(answering: answer.command) }
            }),
        FaultKind(
            "rf.cut", "The answer breaks off, and its CRC is wrong unless it is mended.",
            models: "The coupling to the card breaks while it answers.",
            [keptBytes, keptBits],
            effect: .answer { answer, injection in
                guard var frame = answer.frame else { return }
                let bits = injection[keptBytes].map { 8 * $0 } ?? frame.bitCount / 2
                frame.cut(toBits: bits + injection[keptBits], answering: answer.command)
                answer.frame = frame.bitCount == 0 ? nil : frame
            }),
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

    private static let rfContent: [FaultKind] = [
        FaultKind(
            "rf.bytes", "Bytes of the answer are others, under a CRC that fits them.",
            models: "An emulator fills in a wrong length, count or type, or a buffer behind the reader is overwritten.",
            [editedByte, ByteEdit.replacement, ByteEdit.difference], scope: FaultScope(layers: [.felica, .ntag]),
            effect: .content { answer, injection in
                answer.rewriteData { ByteEdit(injection.arguments, at: injection[editedByte]).apply(to: &$0) }
            })
    ]

    private static let editedByte = FaultKey(
        ByteEdit.placeName, .integer(ByteEdit.places), default: -1,
        "The first byte that is another: 0 is LEN of a FeliCa answer, -1 the last of any."
    ).telling(ByteEdit.headers)

    /// The last bit of the longest frame a reader receives, with some margin.
    private static let maximumBit = 8_191

    private static let withCRC = Set(
        CommandName.all.filter { !["a3.reqa", "a3.wupa", "a3.anticollision", "a3.hlta"].contains($0.rawValue) })

    private static let firstBit = FaultKey<Int?>(
        "at", .integer(0...maximumBit),
        "The first bit that is inverted, from 0 in the order of the air; without it the middle one.")
    private static let flippedBits = FaultKey(
        "count", .integer(1...maximumBit), default: 1, "How many bits are inverted.")
    private static let bitDistance = FaultKey(
        "apart", .integer(1...maximumBit), default: 1, "How many bits lie from one to the next.")
    private static let keptBytes = FaultKey<Int?>(
        "keep_bytes", .integer(0...maximumBit / 8),
        "How many bytes of the answer arrive, LEN included; without it half of its bits.")
    private static let keptBits = FaultKey(
        "keep_bits", .integer(0...7), default: 0, "How many bits arrive behind these bytes.")
}

extension AnswerOnAir {
    /// Delays the start of the answer to at least a share of the card's maximum response time.
    fileprivate mutating func begin(at share: Percentage) {
        after = max(after, deadline * share.value / 100)
    }
}

extension FaultCatalogue {
    static let rfField: [FaultKind] = [
        FaultKind(
            "rf.lose_tag", "A card leaves the field.",
            models: "A person takes the card away too early, or only waves it past the reader.",
            [momentOfLeaving, backAfter, everyCard],
            effect: .field(at: { $0[momentOfLeaving] }) { world, injection in
                world.loseCards(injection[everyCard], backAfter: injection[backAfter], injection.source)
            }),
        FaultKind(
            "rf.brown_out", "Power drops for a moment: cards lose what power-off ends, and stay where they are.",
            models: "A reader lowers its field to save power, or a phone beside the card takes the energy of it.",
            [momentOfDrop, everyCard],
            effect: .field(at: { $0[momentOfDrop] }) { world, injection in world.dropPower(injection[everyCard]) }),
        FaultKind(
            "rf.swap", "Another card takes the place of the one in the field.",
            models: "A person holds a wallet with several cards before the reader, or the next person comes at once.",
            [momentOfSwap, gap, firstCard, other], scope: FaultScope(layers: [.felica, .ntag]),
            effect: .field(at: { $0[momentOfSwap] }) { world, injection in
                world.swapCard(
                    injection[firstCard], for: injection[other], after: injection[gap], injection.source)
            }),
        FaultKind(
            "rf.collision", "A second card lies before the reader and answers as well.",
            models: "Two cards lie in one wallet, or a phone that emulates a card holds the card.",
            [other, leavesAfter], scope: .commands("felica.polling", "a3.reqa", "a3.wupa"),
            effect: .field(
                at: { _ in .beforeCommand },
                { world, injection in
                    world.addCard(injection[other], leavingAfter: injection[leavesAfter], injection.source)
                })),
        FaultKind(
            "rf.weak_field", "From this exchange on, answers are lost and damaged by a pattern, this one first.",
            models: "The card lies at the edge of the field, or metal behind it weakens the field.",
            [lostEvery, damagedEvery, weakExchanges],
            effect: .field(
                at: { _ in .beforeCommand },
                { world, injection in
                    world.plans.aftermath.weakField = WeakField(
                        injection, lostEvery: injection[lostEvery], damagedEvery: injection[damagedEvery],
                        exchanges: injection[weakExchanges])
                })),
    ]

    private static let momentOfLeaving = moment(.afterCommand, "When it leaves")
    private static let momentOfDrop = moment(.beforeCommand, "When power drops")
    private static let momentOfSwap = moment(.afterAnswer, "When the card leaves")
    fileprivate static let backAfter = FaultKey<Duration?>(
        "back_in", .duration, "After which time it is back; without it, it stays away.")
    private static let everyCard = FaultKey<String?>(
        "card", .card, "Which card; without it, every card that lies there.")
    private static let firstCard = FaultKey<String?>(
        "card", .card, "Which card leaves; without it, the first that lies there.")
    private static let gap = FaultKey<Duration>(
        "gap", .duration, default: .milliseconds(30), "How long no card is there.")
    fileprivate static let other = FaultKey<String?>(
        "other", .card, "Which card comes; without it, one of the same kind with another IDm or UID and other content.")
    private static let leavesAfter = FaultKey<Duration?>(
        "leaves_in", .duration, "After which time it leaves again; without it, it stays.")
    private static let lostEvery = FaultKey(
        "lost_every", .integer(1...1_000), default: 4, "Each how many answers one is lost.")
    private static let damagedEvery = FaultKey(
        "damaged_every", .integer(1...1_000), default: 6, "Each how many answers one is damaged, unless it is lost.")
    fileprivate static let weakExchanges = FaultKey<Int?>(
        "exchanges", .integer(1...1_000_000), "For how many exchanges; without it, until the end of the run.")

    private static func moment(_ moment: FieldMoment, _ what: String) -> FaultKey<FieldMoment> {
        FaultKey(
            "point", default: moment,
            "\(what): before the command, when it has been heard, while the answer is on air, or when it has arrived.")
    }
}

extension Fault {
    /// A Boolean value that indicates whether the fault introduces an unnamed card: another card of the same kind.
    package var bringsAnotherCard: Bool {
        lacks(FaultCatalogue.other.parameter.name)
    }

    /// A Boolean value that indicates whether a card leaves and does not return, or is barely readable until the run ends.
    package var takesCardAway: Bool {
        lacks(FaultCatalogue.backAfter.parameter.name) || lacks(FaultCatalogue.weakExchanges.parameter.name)
    }

    /// Returns whether the fault has a parameter that was not given.
    private func lacks(_ name: String) -> Bool {
        kind.parameters.contains { $0.name == name } && !arguments.written.contains { $0.name == name }
    }
}

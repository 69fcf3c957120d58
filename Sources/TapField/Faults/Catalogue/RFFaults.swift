import TapWire

extension FaultCatalogue {
    /// RF faults, independent of the card: losses, delays and damage, and cards that come and go.
    static let rf: [FaultKind] = rfField + rfLosses + rfTiming + rfDamage + rfContent

    private static let rfLosses: [FaultKind] = [
        FaultKind(
            "rf.silence", "The answer does not arrive.",
            models: "The card's answer was too weak for the reader, as happens at the edge of the field.",
            effect: .answer { answer, _ in answer.frame = nil }),
        FaultKind(
            "rf.unheard", "The command does not reach the card.",
            models: "The card lost the reader's modulation for a moment and received no frame.",
            effect: .command { command, _ in command.frame = nil }),
        FaultKind(
            "rf.garbled", "The command reaches the card damaged, as its CRC or parity shows.",
            models: "Interference near the reader changed bits of the command on its way.",
            effect: .command { command, _ in
                if let frame = command.frame { command.frame?.damage(answering: frame) }
            }),
    ]

    private static let rfTiming: [FaultKind] = [
        FaultKind(
            "rf.delay", "The answer begins later, by default still within the card's maximum response time.",
            models:
                "A card with little power takes longer to process a command; its PMm or data sheet gives the maximum.",
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
            "rf.late", "The answer begins after the card's maximum response time.",
            models: "A busy reader passes on an answer after its host has already timed out.",
            [shareTooLate, ifTooLate], scope: FaultScope(layers: [.felica, .ntag]),
            effect: .answer { answer, injection in
                answer.begin(at: injection[shareTooLate])
                answer.comesWithNext = injection[ifTooLate] == .withNext
            }),
        FaultKind(
            "rf.stale", "The reader receives the previous answer again.",
            models: "A driver returns a buffer that it has not refilled.",
            effect: .answer { answer, _ in
                if let previous = answer.previous, previous.technology == answer.command.technology {
                    answer.frame = previous
                }
            }),
        FaultKind(
            "rf.duplicate", "The answer arrives twice, the second time in place of the next one.",
            models: "A reader resends a frame because it missed the host's acknowledgement.",
            effect: .answer { answer, _ in answer.late = answer.frame }),
        FaultKind(
            "rf.echo", "The reader receives its own command.",
            models: "A receiver that opens too early picks up the end of its own transmission.",
            effect: .answer { answer, _ in answer.frame = answer.command }),
    ]

    private enum LateAnswer: String, CaseIterable {
        case lost
        case withNext = "with_next"
    }

    private static let delay = FaultKey<TimeAmount?>(
        "by", .timeAmount,
        "The delay; a share is relative to the card's maximum response time. If omitted, "
            + "`of_max_response` applies.")
    private static let shareInTime = FaultKey(
        "of_max_response", .share(0...1_000), default: Percentage(90),
        "The start of the answer, as a share of the maximum response time in the card's PMm or data sheet.")
    private static let shareTooLate = FaultKey(
        "of_max_response", .share(101...1_000), default: Percentage(150),
        "The start of the answer, as a share of the maximum response time in the card's PMm or data sheet.")
    private static let ifTooLate = FaultKey(
        "if_too_late", default: LateAnswer.withNext,
        "Whether an answer that begins after the reader has timed out is lost, or arrives in place of the next one."
    )

    private static let rfDamage: [FaultKind] = [
        FaultKind(
            "rf.flip_bits", "Bits of the answer are inverted, and its CRC is wrong unless it is fixed.",
            models: "A nearby transmitter or a switching power supply disturbs the card's weak signal.",
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
            "rf.cut", "The answer breaks off, and its CRC is wrong unless it is fixed.",
            models: "The coupling to the card breaks during its answer.",
            [keptBytes, keptBits],
            effect: .answer { answer, injection in
                guard var frame = answer.frame else { return }
                let bits = injection[keptBytes].map { 8 * $0 } ?? frame.bitCount / 2
                frame.cut(toBits: bits + injection[keptBits], answering: answer.command)
                answer.frame = frame.bitCount == 0 ? nil : frame
            }),
        FaultKind(
            "rf.bad_crc", "The CRC of the answer is wrong.",
            models: "A bit of the checksum itself was received incorrectly.",
            scope: FaultScope(commands: withCRC),
            effect: .answer { answer, _ in answer.frame?.damage(answering: answer.command) }),
        FaultKind(
            "rf.bad_parity", "A parity bit of the answer is wrong.",
            models: "A bit of a type A frame was received incorrectly, and the parity of its byte shows it first.",
            scope: FaultScope(layers: [.selection, .ntag]),
            effect: .answer { answer, _ in answer.frame?.integrity = .badParity }),
    ]

    private static let rfContent: [FaultKind] = [
        FaultKind(
            "rf.bytes", "Bytes of the answer are changed, with a CRC that matches them.",
            models:
                "An emulator fills in a wrong length, count or type, or a buffer between reader and program is overwritten.",
            [editedByte, ByteEdit.replacement, ByteEdit.difference], scope: FaultScope(layers: [.felica, .ntag]),
            effect: .content { answer, injection in
                answer.rewriteData { ByteEdit(injection.arguments, at: injection[editedByte]).apply(to: &$0) }
            })
    ]

    private static let editedByte = FaultKey(
        ByteEdit.placeName, .integer(ByteEdit.places), default: -1,
        "The first changed byte: 0 is LEN of a FeliCa answer, -1 the last byte of any answer."
    ).preferring(ByteEdit.headers)

    /// The last bit of the longest frame a reader receives, with some margin.
    private static let maximumBit = 8_191

    private static let withCRC = Set(
        CommandName.all.filter { !["a3.reqa", "a3.wupa", "a3.anticollision", "a3.hlta"].contains($0.rawValue) })

    private static let firstBit = FaultKey<Int?>(
        "at", .integer(0...maximumBit),
        "The first bit to invert, counted from 0 in transmission order. If omitted, the middle bit.")
    private static let flippedBits = FaultKey(
        "count", .integer(1...maximumBit), default: 1, "The number of bits to invert.")
    private static let bitDistance = FaultKey(
        "apart", .integer(1...maximumBit), default: 1, "The distance from one inverted bit to the next.")
    private static let keptBytes = FaultKey<Int?>(
        "keep_bytes", .integer(0...maximumBit / 8),
        "The number of bytes that arrive, including LEN. If omitted, half of the bits arrive.")
    private static let keptBits = FaultKey(
        "keep_bits", .integer(0...7), default: 0, "The number of additional bits that arrive after these bytes.")
}

extension RFAnswer {
    /// Delays the start of the answer to at least a share of the card's maximum response time.
    fileprivate mutating func begin(at share: Percentage) {
        after = max(after, deadline * share.value / 100)
    }
}

extension FaultCatalogue {
    static let rfField: [FaultKind] = [
        FaultKind(
            "rf.lose_tag", "A card leaves the field.",
            models: "The user takes the card away too early, or just waves it past the reader.",
            [momentOfLeaving, backAfter, everyCard], origin: .person,
            effect: .field(at: { $0[momentOfLeaving] }) { world, injection in
                world.loseCards(injection[everyCard], backAfter: injection[backAfter], injection.source)
            }),
        FaultKind(
            "rf.brown_out", "Power drops briefly: cards lose their volatile state, but stay in the field.",
            models: "A reader lowers its field to save power, or a phone next to the card absorbs its energy.",
            [momentOfDrop, everyCard],
            effect: .field(at: { $0[momentOfDrop] }) { world, injection in world.dropPower(injection[everyCard]) }),
        FaultKind(
            "rf.swap", "Another card replaces the one in the field.",
            models: "The user holds a wallet with several cards to the reader, or the next person taps right away.",
            [momentOfSwap, gap, firstCard, other], scope: FaultScope(layers: [.felica, .ntag]), origin: .person,
            effect: .field(at: { $0[momentOfSwap] }) { world, injection in
                world.swapCard(
                    injection[firstCard], for: injection[other], after: injection[gap], injection.source)
            }),
        FaultKind(
            "rf.collision", "A second card is in the field and answers too.",
            models: "Two cards are in one wallet, or a card is kept with a phone that emulates a card.",
            [other, leavesAfter], scope: .commands("felica.polling", "a3.reqa", "a3.wupa"), origin: .person,
            effect: .field(
                at: { _ in .beforeCommand },
                { world, injection in
                    world.addCard(injection[other], leavingAfter: injection[leavesAfter], injection.source)
                })),
        FaultKind(
            "rf.weak_field",
            "From this exchange on, answers are lost and damaged in a fixed pattern, starting with this one.",
            models: "The card is at the edge of the field, or metal behind it weakens the field.",
            [lostEvery, damagedEvery, weakExchanges],
            effect: .field(
                at: { _ in .beforeCommand },
                { world, injection in
                    world.plans.aftermath.weakField = WeakField(
                        injection, lostEvery: injection[lostEvery], damagedEvery: injection[damagedEvery],
                        exchanges: injection[weakExchanges])
                })),
    ]

    private static let momentOfLeaving = moment(.afterCommand, "The moment when the card leaves")
    private static let momentOfDrop = moment(.beforeCommand, "The moment when power drops")
    private static let momentOfSwap = moment(.afterAnswer, "The moment when the card leaves")
    fileprivate static let backAfter = FaultKey<Duration?>(
        "back_in", .duration, "The time after which the card returns. If omitted, it stays away.")
    private static let everyCard = FaultKey<String?>(
        "card", .card, "The affected card. If omitted, every card in the field.")
    private static let firstCard = FaultKey<String?>(
        "card", .card, "The card that leaves. If omitted, the first card in the field.")
    private static let gap = FaultKey<Duration>(
        "gap", .duration, default: .milliseconds(30), "The gap between the old card leaving and the new card arriving.")
    fileprivate static let other = FaultKey<String?>(
        "other", .card,
        "The card that arrives. If omitted, one of the same kind with a different IDm or UID and different content.")
    private static let leavesAfter = FaultKey<Duration?>(
        "leaves_in", .duration, "The time after which it leaves again. If omitted, it stays.")
    private static let lostEvery = FaultKey(
        "lost_every", .integer(1...1_000), default: 4, "Lose one answer in every N.")
    private static let damagedEvery = FaultKey(
        "damaged_every", .integer(1...1_000), default: 6, "Damage one answer in every N, unless it is lost.")
    fileprivate static let weakExchanges = FaultKey<Int?>(
        "exchanges", .integer(1...1_000_000), "The number of exchanges affected. If omitted, until the run ends.")

    private static func moment(_ moment: FieldMoment, _ what: String) -> FaultKey<FieldMoment> {
        FaultKey(
            "point", default: moment,
            "\(what): before the command, after the card has received it, during the answer, or after the answer.")
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

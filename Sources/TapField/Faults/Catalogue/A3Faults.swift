import TapCards
import TapWire

extension FaultCatalogue {
    static let a3: [FaultKind] = a3Answers + a3Identities

    private static let a3Answers: [FaultKind] = [
        FaultKind(
            "a3.atqa", "The card answers a call with another ATQA.",
            models: "A clone or an emulator has the ATQA of the card it was derived from.",
            [atqa], scope: .commands("a3.reqa", "a3.wupa"),
            effect: .answer { answer, injection in
                guard let frame = answer.frame else { return }
                answer.frame = AirFrame(frame.technology, injection[atqa], integrity: frame.integrity)
            }),
        FaultKind(
            "a3.bcc", "The check byte behind the UID is wrong.",
            models: "A clone computes its check byte over the wrong bytes, or its first pages were written wrong.",
            scope: .commands("a3.anticollision"),
            effect: .answer { answer, _ in
                guard let frame = answer.frame, !frame.technology.isFeliCa else { return }
                answer.frame?.flip(frame.bitCount - 1)
            }),
        FaultKind(
            "a3.sak", "The card answers SELECT with another SAK.",
            models: "A clone says of itself what another card is, or that its UID goes on where it does not.",
            [sak], scope: .commands("a3.select"),
            effect: .answer { answer, injection in
                guard let frame = answer.frame, let old = frame.bytes.first, !frame.technology.isFeliCa else { return }
                let sak = injection[sak] ?? old ^ SAK.uidNotComplete.rawValue
                answer.frame = AirFrame(frame.technology, [sak], integrity: frame.integrity)
            }),
        FaultKind(
            "a3.no_sak", "The card does not answer SELECT.",
            models: "A card with too little power resets while it is selected.",
            scope: .commands("a3.select"), effect: .command { command, _ in command.frame = nil }),
    ]

    private static let atqa = FaultKey(
        "atqa", .bytes(2...2), default: [0x04, 0x00], "The two bytes in the order of the air.")
    private static let sak = FaultKey<UInt8?>(
        "sak", .bytes(1...1), "The byte; without it, the bit that says that the UID goes on is inverted.")

    private static let a3Identities: [FaultKind] = [
        FaultKind(
            "a3.uid_length", "From this call on the card shows a UID of another length.",
            models: "A card of another maker has a UID of four or ten bytes where seven are usual.",
            [uidLength], scope: .commands("a3.reqa", "a3.wupa"), showsOtherCard: true,
            effect: .card { card, injection in
                guard var tag = card as? NTAGCard else { return }
                let own = tag.uid.bytes
                guard let uid = UID(Array((own + own).prefix(injection[uidLength]))) else { return }
                tag.disguise = NTAGDisguise(.other(uid))
                card = tag
            }),
        FaultKind(
            "a3.random_uid", "From this call on the card shows a new UID of four bytes each time.",
            models: "Phones and cards that protect their holder draw a new UID whenever they are called.",
            scope: .commands("a3.reqa", "a3.wupa"), showsOtherCard: true,
            effect: .card { card, _ in
                guard var tag = card as? NTAGCard else { return }
                tag.disguise = NTAGDisguise(.random)
                card = tag
            }),
        FaultKind(
            "a3.sleepy", "From this call on the card answers only some calls.",
            models: "A card that gets little power is not awake yet when it is called first.",
            [answeredCalls], scope: .commands("a3.reqa", "a3.wupa"),
            effect: .card { card, injection in
                guard var tag = card as? NTAGCard else { return }
                tag.disguise = NTAGDisguise(tag.disguise?.identity ?? .own, calls: injection[answeredCalls])
                card = tag
            }),
    ]

    private static let uidLength = FaultKey(
        "length", words: [("4", 4), ("10", 10)], default: ("4", 4),
        "How many bytes: the first of its own, or its own and the first again.")
    private static let answeredCalls = FaultKey(
        "answers", words: [NTAGDisguise.Calls.everySecond, .wupaOnly].map { ($0.rawValue, $0) },
        default: (NTAGDisguise.Calls.everySecond.rawValue, .everySecond), "Which calls it answers.")
}

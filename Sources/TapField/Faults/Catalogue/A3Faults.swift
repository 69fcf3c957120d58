import TapCards
import TapWire

extension FaultCatalogue {
    static let a3: [FaultKind] = a3Answers + a3Identities

    private static let a3Answers: [FaultKind] = [
        FaultKind(
            "a3.atqa", "The card answers REQA or WUPA with a different ATQA.",
            models: "A clone or an emulator keeps the ATQA of the card it is based on.",
            [atqa], scope: .commands("a3.reqa", "a3.wupa"),
            effect: .answer { answer, injection in
                guard let frame = answer.frame else { return }
                answer.frame = RFFrame(frame.technology, injection[atqa], integrity: frame.integrity)
            }),
        FaultKind(
            "a3.bcc", "The check byte after the UID is wrong.",
            models:
                "A clone computes its check byte over the wrong bytes, or its first pages were written incorrectly.",
            scope: .commands("a3.anticollision"),
            effect: .answer { answer, _ in
                guard let frame = answer.frame, !frame.technology.isFeliCa else { return }
                answer.frame?.flip(frame.bitCount - 1)
            }),
        FaultKind(
            "a3.sak", "The card answers SELECT with a different SAK.",
            models: "A clone reports the type of another card, or announces more UID bytes than it has.",
            [sak], scope: .commands("a3.select"),
            effect: .answer { answer, injection in
                guard let frame = answer.frame, let old = frame.bytes.first, !frame.technology.isFeliCa else { return }
                let sak = injection[sak] ?? old ^ SAK.uidNotComplete.rawValue
                answer.frame = RFFrame(frame.technology, [sak], integrity: frame.integrity)
            }),
        FaultKind(
            "a3.no_sak", "The card does not answer SELECT.",
            models: "A card with too little power resets during selection.",
            scope: .commands("a3.select"), effect: .command { command, _ in command.frame = nil }),
    ]

    private static let atqa = FaultKey(
        "atqa", .bytes(2...2), default: [0x04, 0x00], "The two bytes in transmission order.")
    private static let sak = FaultKey<UInt8?>(
        "sak", .bytes(1...1), "The SAK byte. If omitted, the bit that announces more UID bytes is inverted.")

    private static let a3Identities: [FaultKind] = [
        FaultKind(
            "a3.uid_length", "From this REQA or WUPA on, the card shows a UID of a different length.",
            models: "A card from another manufacturer has a UID of four or ten bytes instead of the usual seven.",
            [uidLength], scope: .commands("a3.reqa", "a3.wupa"), showsOtherCard: true,
            effect: .card { card, injection in
                guard var tag = card as? NTAGCard else { return }
                let own = tag.uid.bytes
                guard let uid = UID(Array((own + own).prefix(injection[uidLength]))) else { return }
                tag.disguise = NTAGDisguise(.other(uid))
                card = tag
            }),
        FaultKind(
            "a3.random_uid", "From this REQA or WUPA on, the card shows a new UID of four bytes each time.",
            models: "Phones and cards that protect their holder's privacy use a new random UID for every REQA or WUPA.",
            scope: .commands("a3.reqa", "a3.wupa"), showsOtherCard: true,
            effect: .card { card, _ in
                guard var tag = card as? NTAGCard else { return }
                tag.disguise = NTAGDisguise(.random)
                card = tag
            }),
        FaultKind(
            "a3.sleepy", "From this REQA or WUPA on, the card answers only some of them.",
            models: "A card with little power is not awake yet at the first REQA or WUPA.",
            [answeredCalls], scope: .commands("a3.reqa", "a3.wupa"),
            effect: .card { card, injection in
                guard var tag = card as? NTAGCard else { return }
                tag.disguise = NTAGDisguise(tag.disguise?.identity ?? .own, calls: injection[answeredCalls])
                card = tag
            }),
    ]

    private static let uidLength = FaultKey(
        "length", words: [("4", 4), ("10", 10)], default: ("4", 4),
        "The number of bytes: the start of its own UID, or its own UID followed by its start again.")
    private static let answeredCalls = FaultKey(
        "answers", words: [NTAGDisguise.Calls.everySecond, .wupaOnly].map { ($0.rawValue, $0) },
        default: (NTAGDisguise.Calls.everySecond.rawValue, .everySecond),
        "The commands it answers: every second one, or only WUPA.")
}

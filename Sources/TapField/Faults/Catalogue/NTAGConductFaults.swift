import TapCards
import TapWire

extension FaultCatalogue {
    /// What a tag forgets, and what it does not take any more.
    static let ntagConduct: [FaultKind] = [
        FaultKind(
            "ntag.lost_auth", "The tag forgets that the password was given.",
            models: "The field was weak for a moment, and the tag went through a reset that the reader did not notice.",
            [
                FaultParameter(
                    "selected", .flag, .flag(false),
                    "Whether the tag stays selected; else it is in IDLE, as after a reset.")
            ],
            scope: .commands("ntag.read", "ntag.fast_read", "ntag.write", "ntag.compatibility_write", "ntag.read_cnt"),
            effect: .card { card, strike in
                guard var tag = card as? NTAGCard else { return }
                if strike.arguments.flag("selected") { tag.loseAuthentication() } else { tag.loseSelection() }
                card = tag
            }),
        FaultKind(
            "ntag.locked_out", "The tag takes no password any more: NAK 4, whatever it is given.",
            models: "Somebody tried wrong passwords until AUTHLIM was reached.", [.stay],
            scope: .commands("ntag.pwd_auth"), times: .always,
            effect: .all([.selectionLost, .answer { answer, _ in answer.put(.authenticationLimit) }])),
    ]
}

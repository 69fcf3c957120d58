import TapWire

extension FaultCatalogue {
    /// What happens on air: losses, delays and damage, whatever the card.
    static let rf: [FaultKind] = [
        FaultKind(
            "rf.silence", "The answer does not arrive.",
            models: "The card answered too weakly for the reader, which happens at the edge of its field.",
            effect: .answer { answer, _ in answer.frame = nil }),
        FaultKind(
            "rf.unheard", "The command does not reach the card.",
            models: "The card lost the modulation of the reader for a moment and heard no frame.",
            effect: .command { command, _ in command.frame = nil }),
    ]
}

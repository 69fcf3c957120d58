import TapCards
import TapWire

extension FaultCatalogue {
    /// What NTAG21x answer wrongly, or not at all.
    static let ntag: [FaultKind] = ntagAcknowledgements + ntagReads + ntagIdentity + ntagConduct
}

extension FaultScope {
    /// Reading pages.
    static let ntagRead = FaultScope.commands("ntag.read", "ntag.fast_read")
    /// Commands that are answered with data.
    static let ntagData = FaultScope.commands(
        "ntag.read", "ntag.fast_read", "ntag.get_version", "ntag.read_cnt", "ntag.read_sig", "ntag.pwd_auth")
    /// Commands that are answered with an acknowledgement.
    static let ntagWrite = FaultScope.commands("ntag.write", "ntag.compatibility_write")
}

extension FaultEffect {
    /// The tag loses its selection before it hears the command, as it does with each NAK; `stay` may keep it.
    static let selectionLost = FaultEffect.card { card, strike in
        guard !strike.arguments.flag("stay"), var tag = card as? NTAGCard else { return }
        tag.loseSelection()
        card = tag
    }
}

extension FaultParameter {
    /// Whether a NAK leaves the tag selected.
    static let stay = FaultParameter(
        "stay", .flag, .flag(false),
        "Whether the tag carries the command out and stays selected, as some clones do, instead of falling back to IDLE."
    )
}

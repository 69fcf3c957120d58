import TapWire

/// How a family of readers selects cards and carries frames.
///
/// A dialect is found while a card is connected and used for that reader until the link is closed. What it remembers of
/// the reader's settings is void once the card was gone.
protocol ReaderDialect {
    /// What this dialect can carry.
    var limits: LinkLimits { get }

    /// Selects a card.
    ///
    /// - Returns: The card, or nothing if none answers.
    /// - Throws: ``LinkError`` where the reader cannot look for it or the way to the reader fails.
    mutating func activate(
        _ target: Target, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> ActivatedTag?

    /// Sends a frame to the selected card.
    ///
    /// - Returns: The answer, or nothing for silence.
    /// - Throws: ``LinkError`` where the reader cannot carry it or the way to the reader fails.
    mutating func transceive(
        _ frame: AirFrame, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> AirFrame?

    /// Leaves the reader as it was found.
    mutating func end(over channel: any CardChannel)
}

extension ReaderDialect {
    mutating func end(over channel: any CardChannel) {}
}

extension Target {
    /// The technology the card is looked for with.
    var technology: Technology {
        switch self {
        case .felica(_, let technology): technology
        case .typeA: .typeA106
        }
    }
}

extension AirFrame {
    /// Refuses a frame that is to go out damaged in a way no reader sends.
    ///
    /// - Throws: ``LinkError`` for a frame with wrong parity, and for a FeliCa frame with a wrong CRC.
    func checkSendable(by reader: String) throws(LinkError) {
        guard integrity == .badParity || technology.isFeliCa && integrity != .good else { return }
        throw .cannotCarry(
            "a frame that is damaged on purpose", over: reader, "use a virtual card, or `tapsim run` with a fault")
    }
}

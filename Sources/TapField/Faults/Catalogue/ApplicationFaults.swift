import TapWire

extension FaultCatalogue {
    /// What cards hold that is malformed one level up: the packets are sound, and what they carry is not.
    static let app: [FaultKind] = appMessages + appContainers + appTexts + appHistories + appPurses
}

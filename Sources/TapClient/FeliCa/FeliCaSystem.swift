import TapWire

/// A system of a FeliCa card, as it answered Polling.
public struct FeliCaSystem: Hashable, Sendable {
    /// The system code the card told, or the one asked for where it told none.
    public let code: SystemCode
    /// By which later commands address the system.
    public let idm: IDm
    /// IC code and response times of the card.
    public let pmm: PMm
    /// The bit rate the system was found at.
    public let technology: Technology

    public init(code: SystemCode, idm: IDm, pmm: PMm, technology: Technology = .felica212) {
        self.code = code
        self.idm = idm
        self.pmm = pmm
        self.technology = technology
    }

    /// Whether both are systems of one card.
    func isOnSameCard(as other: FeliCaSystem?) -> Bool {
        guard let other else { return false }
        return idm.ofSystem(0) == other.idm.ofSystem(0) && pmm == other.pmm
    }
}

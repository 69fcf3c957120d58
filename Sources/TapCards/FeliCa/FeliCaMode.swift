/// How far a session with the current system has come.
///
/// Source: FeliCa Card User's Manual, excerpted edition, "mode transitions".
public enum FeliCaMode: UInt8, Hashable, Sendable, CaseIterable {
    /// No session: after power-on, after a switch of systems, after Reset Mode.
    case mode0
    /// The card has answered Authentication1.
    case mode1
    /// Reader and card know each other.
    case mode2
    /// Issuance has begun.
    case mode3
}

/// Modes in which a command is answered.
struct FeliCaModeSet: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    static let mode0 = FeliCaModeSet(rawValue: 0b0001)
    static let any = FeliCaModeSet(rawValue: 0b1111)

    @inline(__always)
    func contains(_ mode: FeliCaMode) -> Bool { rawValue &>> mode.rawValue & 1 == 1 }
}

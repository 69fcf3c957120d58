import TapWire

enum TransitTemplate {
    /// Records the history holds.
    static let historyCount = TransitServices.history.blockCount
    /// Records the log of gates holds.
    static let gateCount = TransitServices.gates.blockCount
}

import TapWire

/// The label of a line in a report: `reproduce  tapsim run kiosk.yaml --case 1 --seed 1`.
public enum LineLabel: String, CaseIterable, Sendable {
    /// The command that runs a suite with one lie, without an audit.
    case alone
    /// Another effect of a cause.
    case also
    /// The control cards that show a finding.
    case cards
    /// The key of a cause.
    case cause
    /// A remark on a cause.
    case note
    /// The path of a saved page.
    case page
    /// The command that repeats a run.
    case reproduce
    /// The command that continues an interrupted campaign.
    case resume
    /// The command that runs the scenario of a finding, if the scenario alone does not reproduce the finding.
    case run
    /// The command that saves a finding as a regression scenario.
    case save
    /// The path of a saved trace.
    case trace

    /// The width of the column of labels.
    static let width = 2 + (allCases.map(\.rawValue.count).max() ?? 0)

    /// Returns a line with this label.
    public func line(_ text: String) -> String { rawValue.rightPadded(to: Self.width) + text }
}

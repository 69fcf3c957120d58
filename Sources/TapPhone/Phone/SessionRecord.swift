import TapField
import TapScenario

/// What became of a session.
public struct SessionRecord: Sendable {
    /// Texts on the sheet, in order; one that stays the same is there once, and no text is none.
    public internal(set) var alerts: [String] = []
    /// The text with which the app ended the session as failed, if it did.
    public internal(set) var errorMessage: String?
    /// Why it ended; nothing while it is open.
    public internal(set) var error: PhoneError?
    /// Whether the app ended it.
    public internal(set) var isEndedByApp = false
    /// Names of the cards that were found, in order; one that is found again is there again.
    public internal(set) var cards: [String] = []
    /// Tags found, in order; one that is found again is there again.
    public internal(set) var tags: [PhoneTag] = []
    /// Commands the app sent, by their names, in order, and calls for NDEF, such as `phone.read_ndef`; the frames of
    /// such a call and what else the phone did by itself are not among them.
    public internal(set) var commands: [String] = []
    /// What the phone had to assume or would do otherwise on a device, sentences.
    public internal(set) var notes: [String] = []
    /// All exchanges from the beginning of the session on, those of the phone itself among them.
    public internal(set) var exchanges: [Exchange] = []
    /// How long it was open, in the time it is counted in.
    public internal(set) var duration: Duration = .zero
    /// Whether the app has been told that it ended.
    public internal(set) var isTold = false

    /// Adds a text of the sheet.
    mutating func show(_ alert: String) {
        if !alert.isEmpty, alerts.last != alert { alerts.append(alert) }
    }
}

extension SessionRecord {
    /// The session as expectations are held against it.
    public var report: PhoneReport.Session {
        PhoneReport.Session(
            alerts: alerts, errorMessage: errorMessage, error: error?.code.rawValue, isEndedByApp: isEndedByApp,
            tags: cards)
    }
}

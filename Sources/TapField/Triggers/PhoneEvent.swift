/// Something that happens between an app and the NFC of its phone, in the words of scenarios.
///
/// Source: Core NFC, NFCReaderSession, NFCTagReaderSession and NFCNDEFTag.
public enum PhoneEvent: String, Hashable, Sendable, CaseIterable {
    /// The app asks whether the phone reads cards, by `readingAvailable` or by beginning a session.
    case available
    /// The app begins a session.
    case began
    /// The session has become active: its sheet is shown and the phone looks for cards.
    case activated
    /// The phone has found cards, of which the app is told next.
    case detected
    /// The app connects to a card, which has answered.
    case connected
    /// The app lets the phone look for cards again.
    case restarted
    /// The app shows another text on the sheet.
    case alert
    /// The session has ended, for whatever reason.
    case ended
    /// The app makes any call of a card.
    case call
    /// The app asks for the state of the NDEF message.
    case queryNDEF = "query_ndef"
    /// The app reads the NDEF message.
    case readNDEF = "read_ndef"
    /// The app writes the NDEF message.
    case writeNDEF = "write_ndef"
    /// The app makes the card read-only.
    case lockNDEF = "lock_ndef"
    /// The app sends a command of FeliCa or of MIFARE.
    case command

    /// Events in which the app makes a call of a card.
    static let calls: Set<PhoneEvent> = [.call, .queryNDEF, .readNDEF, .writeNDEF, .lockNDEF, .command]
    /// Events while the sheet of a session is shown.
    static let open: Set<PhoneEvent> = calls.union([.activated, .detected, .connected, .restarted, .alert])

    /// Whether a trigger for this event waits for another one as well.
    func matches(_ event: PhoneEvent) -> Bool {
        switch self {
        case .available: event == .available || event == .began
        case .call: Self.calls.contains(event)
        default: self == event
        }
    }
}

extension PhoneEvent {
    /// When it happens, half a sentence for documents.
    public var summary: String {
        switch self {
        case .available: "the app asks whether the phone reads cards (`readingAvailable`), or begins a session"
        case .began: "the app begins a session (`begin`)"
        case .activated: "the session has become active: its sheet is shown and the phone looks for cards"
        case .detected: "the phone has found cards, of which the app is told next"
        case .connected: "the app connects to a card (`connect`), which has answered"
        case .restarted: "the app lets the phone look for cards again (`restartPolling`)"
        case .alert: "the app shows another text on the sheet (`alertMessage`)"
        case .ended: "the session has ended, for whatever reason"
        case .call: "the app makes any call of a card, those below among them"
        case .queryNDEF: "the app asks for the state of the NDEF message (`queryNDEFStatus`)"
        case .readNDEF: "the app reads the NDEF message (`readNDEF`)"
        case .writeNDEF: "the app writes the NDEF message (`writeNDEF`)"
        case .lockNDEF: "the app makes the card read-only (`writeLock`)"
        case .command: "the app sends a command of FeliCa or of MIFARE"
        }
    }
}

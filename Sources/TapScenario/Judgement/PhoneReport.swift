/// What an app and its phone did in a run, session by session.
public struct PhoneReport: Hashable, Sendable {
    /// A session of Core NFC.
    public struct Session: Hashable, Sendable {
        /// The texts that its sheet showed, in their order; the same one again counts once.
        public var alerts: [String]
        /// The text that the app gave to `invalidate(errorMessage:)`, if it ended the session so.
        public var errorMessage: String?
        /// The number of the error with which it ended, 200 also where the app itself ended it; nothing while it is open.
        public var error: Int?
        /// Whether the app ended it, with or without an error message.
        public var isEndedByApp: Bool
        /// The names of the cards of which the app was told, each as often as it was told of it.
        public var tags: [String]

        public init(
            alerts: [String] = [], errorMessage: String? = nil, error: Int? = nil, isEndedByApp: Bool = false,
            tags: [String] = []
        ) {
            self.alerts = alerts
            self.errorMessage = errorMessage
            self.error = error
            self.isEndedByApp = isEndedByApp
            self.tags = tags
        }
    }

    /// The sessions that the app began, in their order, those that did not come about among them.
    public var sessions: [Session]

    public init(_ sessions: [Session] = []) {
        self.sessions = sessions
    }
}

/// A session of an app, as the phone tells it what happens.
///
/// The phone calls on its own thread, one call after the other; the session hands on to the queue of its app. From
/// its beginning to its end the phone keeps the session alive.
public protocol PhoneSession: AnyObject, Sendable {
    /// Whether the app is still at work on what it was told last: what stands on its queue has not returned.
    var isAppAtWork: Bool { get }

    /// The sheet is up and the phone looks for tags.
    func phoneDidActivate()

    /// Tags were found; the phone does not look for more until it is told to.
    func phoneDidDetect(_ tags: [PhoneTag])

    /// The session is over.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - told: To be called when the app has been told, and what it put on its queue meanwhile has returned.
    func phoneDidInvalidate(_ error: PhoneError, told: @escaping @Sendable () -> Void)
}

/// What a session asks of the phone when it begins.
public struct PhoneSessionRequest: Sendable {
    /// What it looks for.
    public var technologies: PhoneTechnologies
    /// The text on the sheet at first.
    public var alert: String
    /// What the session itself declares in place of Info.plist, where it does.
    public var declarations: PhoneDeclarations?
    /// Whether a phone has this kind of session at all.
    public var isSupported: Bool

    public init(
        _ technologies: PhoneTechnologies, alert: String = "", declarations: PhoneDeclarations? = nil,
        isSupported: Bool = true
    ) {
        self.technologies = technologies
        self.alert = alert
        self.declarations = declarations
        self.isSupported = isSupported
    }
}

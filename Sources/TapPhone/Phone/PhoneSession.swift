import TapDoors
import TapField
import TapJudge

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

public struct SessionRecord: Sendable {
    /// Texts on the sheet, in order; one that stays the same is there once, and no text is none.
    public internal(set) var alerts: [String] = []
    /// The text with which the app ended the session as failed, if it did.
    public internal(set) var errorMessage: String?
    /// Why it ended; `nil` while it is open.
    public internal(set) var error: PhoneError?
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

    mutating func show(_ alert: String) {
        if !alert.isEmpty, alerts.last != alert { alerts.append(alert) }
    }
}

extension SessionRecord {
    public var report: PhoneReport.Session {
        PhoneReport.Session(
            alerts: alerts, errorMessage: errorMessage, error: error?.code.rawValue, isEndedByApp: isEndedByApp,
            tags: cards)
    }
}

/// A wait for something to happen to a phone, on the calling thread; another one may cancel it.
///
/// Where time is virtual, what is sure to come is waited for as long as anything happens at all: a test may share the
/// machine with hundreds of others. A timeout bounds every wait by the clock of the machine, since an app may be busy for
/// ever.
public struct PhoneWait: Sendable {
    /// For how long nothing may happen, where nothing else is said.
    ///
    /// Longer than the silence after which virtual time jumps to the end of a session.
    public static let defaultSilence = Duration.seconds(15)

    /// How long the wait may take, by the clock of the machine; `nil` where it was not said.
    public let timeout: Duration?
    private let phone: VirtualPhone
    private let begin = ContinuousClock.now
    private var limit: Duration
    private var silence: Duration
    private let isCancelled = Lock(false)

    /// - Parameters:
    ///   - timeout: How long it may take, by the clock of the machine; without it longer than a session does.
    ///   - silence: For how long nothing may happen to the phone meanwhile; without it the timeout alone counts, if one is
    ///     given. Where time is real, no more than that time may pass.
    public init(_ phone: VirtualPhone, timeout: Duration? = nil, silence: Duration? = nil) {
        self.phone = phone
        self.timeout = timeout
        let settings = phone.settings
        let enough = settings.clock == .virtual ? max(Self.defaultSilence, settings.idle * 3) : Self.defaultSilence
        let longest = timeout ?? settings.sessionLimit + settings.idle + enough
        self.silence = silence ?? timeout ?? (settings.clock == .virtual ? enough : longest)
        limit = settings.clock == .virtual ? longest : min(longest, self.silence)
    }

    /// How long it has taken so far.
    public var elapsed: Duration { .now - begin }

    /// The same wait, from now on with narrower bounds.
    public func narrowed(to time: Duration, silence: Duration) -> PhoneWait {
        var wait = self
        wait.limit = min(limit, elapsed + time)
        wait.silence = silence
        return wait
    }

    public func cancel() {
        // Under the lock of who waits, so that it is not missed between his look and his sleep.
        phone.state.withLock { _ in isCancelled.withLock { $0 = true } }
        phone.state.wakeAll()
    }

    var goesOn: Bool { elapsed < limit && !isCancelled.withLock { $0 } }

    /// Waits until it is the turn of something that stands in a queue.
    ///
    /// - Parameter stand: Puts what it is given in the queue.
    /// - Returns: Whether the turn came in time; a queue that is blocked has none.
    public func turn(_ stand: (@escaping @Sendable () -> Void) -> Void) -> Bool {
        let hasCome = Lock(false)
        stand { [phone] in
            phone.state.withLock { _ in hasCome.withLock { $0 = true } }
            phone.state.wakeAll()
        }
        return value { _ in hasCome.withLock { $0 } ? true : nil } ?? false
    }

    /// Waits until something is there.
    ///
    /// - Parameter body: What is waited for; asked again each time something has happened.
    /// - Returns: What is there, or `nil` if it did not come in time.
    func value<Value>(_ body: (inout VirtualPhone.State) -> Value?) -> Value? {
        let steps = max(1, silence / phone.settings.step)
        let isVirtual = phone.settings.clock == .virtual && silence < limit
        phone.state.withLock { state in
            state.waiters += 1
            state.silence.end()
        }
        phone.state.wakeAll()
        defer { phone.state.withLock { $0.waiters -= 1 } }
        return phone.state.waitUntilDone { state in
            if let value = body(&state) { return .done(value) }
            if isCancelled.withLock({ $0 }) { return .done(nil) }
            let isSilent = isVirtual && !state.isClosed && Double(state.silence.steps) >= steps
            // A phone that is closed hears nothing, so that its silence does not grow.
            let deadline = begin + (state.isClosed ? silence : limit)
            return isSilent || ContinuousClock.now >= deadline ? .done(nil) : .wait(until: deadline)
        }
    }
}

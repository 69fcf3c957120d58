import TapSystem
import TapField
import TapJudge

/// An app's session, called by the phone.
///
/// The phone makes one call at a time, on its thread; the session forwards them to the app's queue. The phone keeps an open
/// session alive.
public protocol PhoneSession: AnyObject, Sendable {
    /// A Boolean value that indicates whether work on the app's queue has not returned yet.
    var isAppAtWork: Bool { get }

    /// Reports that the sheet is shown and the phone looks for tags.
    func phoneDidActivate()

    /// Reports that tags were found; the phone stops looking until it is restarted.
    func phoneDidDetect(_ tags: [PhoneTag])

    /// Reports that the session has ended.
    ///
    /// - Parameter reported: Called when the app has been informed and its queue has returned.
    func phoneDidInvalidate(_ error: PhoneError, reported: @escaping @Sendable () -> Void)
}

public struct PhoneSessionRequest: Sendable {
    public var technologies: PhoneTechnologies
    /// The first text on the sheet.
    public var alert: String
    /// The declared FeliCa system codes that the session selects, as the app writes them; empty for all.
    public var feliCaSystemCodes: [String]
    /// A Boolean value that indicates whether the session looks only for NDEF tags.
    public var isForNDEF: Bool
    public var isSupported: Bool

    public init(
        _ technologies: PhoneTechnologies, alert: String = "", feliCaSystemCodes: [String] = [],
        isForNDEF: Bool = false, isSupported: Bool = true
    ) {
        self.technologies = technologies
        self.alert = alert
        self.feliCaSystemCodes = feliCaSystemCodes
        self.isForNDEF = isForNDEF
        self.isSupported = isSupported
    }
}

public struct SessionRecord: Sendable {
    /// The texts on the sheet, in order, without repeats and empty texts.
    public internal(set) var alerts: [String] = []
    /// The message with which the app ended the session as failed, if it did.
    public internal(set) var errorMessage: String?
    /// The error that ended the session; `nil` while it is open.
    public internal(set) var error: PhoneError?
    public internal(set) var isEndedByApp = false
    /// The names of the cards found, in order; a card found again is listed again.
    public internal(set) var cards: [String] = []
    /// The tags found, in order; a tag found again is listed again.
    public internal(set) var tags: [PhoneTag] = []
    /// The app's commands by name and its NDEF calls, such as `phone.read_ndef`, in order.
    ///
    /// The frames of an NDEF call and the phone's own frames are not included.
    public internal(set) var commands: [String] = []
    /// The phone's assumptions and its differences from a device, in sentences.
    public internal(set) var notes: [String] = []
    /// All exchanges since the session began, including the phone's own.
    public internal(set) var exchanges: [Exchange] = []
    /// The duration, on the clock of the phone's settings.
    public internal(set) var duration: Duration = .zero
    public internal(set) var isReported = false

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

/// A wait for a phone on the calling thread, which another thread may cancel.
///
/// In virtual time, a wait lasts as long as the phone is active, since a test may share the machine with hundreds of others.
/// A timeout in real time bounds every wait, since an app may be busy forever.
public struct PhoneWait: Sendable {
    /// The default silence that ends a wait.
    ///
    /// It is longer than the silence after which virtual time jumps to the end of a session.
    public static let defaultSilence = Duration.seconds(15)

    /// The timeout in real time; `nil` for none.
    public let timeout: Duration?
    private let phone: VirtualPhone
    private let begin = ContinuousClock.now
    private var limit: Duration
    private var silence: Duration
    private let isCancelled = Lock(false)

    /// - Parameters:
    ///   - timeout: The timeout in real time. Default: longer than a session.
    ///   - silence: The time without any activity of the phone that ends the wait. If omitted, only a given timeout counts.
    ///     In real time it bounds the whole wait.
    public init(_ phone: VirtualPhone, timeout: Duration? = nil, silence: Duration? = nil) {
        self.phone = phone
        self.timeout = timeout
        let settings = phone.settings
        let enough = settings.clock == .virtual ? max(Self.defaultSilence, settings.idle * 3) : Self.defaultSilence
        let longest = timeout ?? settings.sessionLimit + settings.idle + enough
        self.silence = silence ?? timeout ?? (settings.clock == .virtual ? enough : longest)
        limit = settings.clock == .virtual ? longest : min(longest, self.silence)
    }

    public var elapsed: Duration { .now - begin }

    /// Returns the wait with narrower bounds, counted from now.
    public func narrowed(to time: Duration, silence: Duration) -> PhoneWait {
        var wait = self
        wait.limit = min(limit, elapsed + time)
        wait.silence = silence
        return wait
    }

    public func cancel() {
        // Holds the lock of the waiting thread, so that the thread cannot miss the cancellation between its check and its
        // sleep.
        phone.state.withLock { _ in isCancelled.withLock { $0 = true } }
        phone.state.wakeAll()
    }

    var isActive: Bool { elapsed < limit && !isCancelled.withLock { $0 } }

    /// Waits for a turn in the queue that `stand` enters; returns false if it does not come in time, for example in a blocked
    /// queue.
    public func turn(_ stand: (@escaping @Sendable () -> Void) -> Void) -> Bool {
        let hasCome = Lock(false)
        stand { [phone] in
            phone.state.withLock { _ in hasCome.withLock { $0 = true } }
            phone.state.wakeAll()
        }
        return value { _ in hasCome.withLock { $0 } ? true : nil } ?? false
    }

    /// Waits until `body`, which is called after each change, returns a value; `nil` if that takes too long.
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
            // A closed phone is not active, so its silence does not grow.
            let deadline = begin + (state.isClosed ? silence : limit)
            return isSilent || ContinuousClock.now >= deadline ? .done(nil) : .wait(until: deadline)
        }
    }
}

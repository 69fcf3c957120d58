import TapSystem
import TapField
import TapJudge

/// A session of an app, called by the phone.
///
/// Calls come one by one on the thread of the phone; the session hands them on to the queue of its app. The phone keeps
/// an open session alive.
public protocol PhoneSession: AnyObject, Sendable {
    /// Whether work on the app's queue has not returned yet.
    var isAppAtWork: Bool { get }

    /// The sheet is up and the phone looks for tags.
    func phoneDidActivate()

    /// Tags were found; the phone stops looking until told otherwise.
    func phoneDidDetect(_ tags: [PhoneTag])

    /// The session is over.
    ///
    /// - Parameter told: Called when the app has been told and its queue has returned.
    func phoneDidInvalidate(_ error: PhoneError, told: @escaping @Sendable () -> Void)
}

public struct PhoneSessionRequest: Sendable {
    public var technologies: PhoneTechnologies
    /// The first text on the sheet.
    public var alert: String
    /// The declared FeliCa system codes that the session chooses, as the app writes them; empty for all.
    public var feliCaSystemCodes: [String]
    /// A Boolean value that indicates whether it looks for NDEF tags alone.
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
    /// Texts on the sheet, in order, without repeats and empty texts.
    public internal(set) var alerts: [String] = []
    /// The text with which the app ended the session as failed, if it did.
    public internal(set) var errorMessage: String?
    /// `nil` while it is open.
    public internal(set) var error: PhoneError?
    public internal(set) var isEndedByApp = false
    /// Names of the cards found, in order; a card found again is listed again.
    public internal(set) var cards: [String] = []
    /// Tags found, in order; a tag found again is listed again.
    public internal(set) var tags: [PhoneTag] = []
    /// The app's commands by name, in order, and calls for NDEF, such as `phone.read_ndef`, without the frames of such
    /// a call and of the phone itself.
    public internal(set) var commands: [String] = []
    /// Assumptions of the phone and differences to a device, sentences.
    public internal(set) var notes: [String] = []
    /// All exchanges since the session began, including the phone's own.
    public internal(set) var exchanges: [Exchange] = []
    /// In the time the session is counted in.
    public internal(set) var duration: Duration = .zero
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

/// A wait for a phone, on the calling thread; another thread may cancel it.
///
/// In virtual time, what is sure to come is waited for as long as anything happens: a test may share the machine with
/// hundreds of others. A timeout by the clock of the machine bounds every wait, since an app may be busy for ever.
public struct PhoneWait: Sendable {
    /// The default silence that ends a wait; longer than the one after which virtual time jumps to the end of a
    /// session.
    public static let defaultSilence = Duration.seconds(15)

    /// By the clock of the machine; `nil` for none.
    public let timeout: Duration?
    private let phone: VirtualPhone
    private let begin = ContinuousClock.now
    private var limit: Duration
    private var silence: Duration
    private let isCancelled = Lock(false)

    /// - Parameters:
    ///   - timeout: By the clock of the machine; without it longer than a session.
    ///   - silence: How long nothing may happen to the phone; without it only the timeout counts, if given. In real
    ///     time it bounds the whole wait.
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

    /// The same wait, starting now with narrower bounds.
    public func narrowed(to time: Duration, silence: Duration) -> PhoneWait {
        var wait = self
        wait.limit = min(limit, elapsed + time)
        wait.silence = silence
        return wait
    }

    public func cancel() {
        // Under the lock of the waiting thread, so that it is not missed between its check and its sleep.
        phone.state.withLock { _ in isCancelled.withLock { $0 = true } }
        phone.state.wakeAll()
    }

    var goesOn: Bool { elapsed < limit && !isCancelled.withLock { $0 } }

    /// Waits for a turn in a queue that `stand` enters; false if it did not come in time, as in a blocked queue.
    public func turn(_ stand: (@escaping @Sendable () -> Void) -> Void) -> Bool {
        let hasCome = Lock(false)
        stand { [phone] in
            phone.state.withLock { _ in hasCome.withLock { $0 = true } }
            phone.state.wakeAll()
        }
        return value { _ in hasCome.withLock { $0 } ? true : nil } ?? false
    }

    /// Waits until `body`, called after each change, returns a value; `nil` if that takes too long.
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
            // A closed phone hears nothing, so that its silence does not grow.
            let deadline = begin + (state.isClosed ? silence : limit)
            return isSilent || ContinuousClock.now >= deadline ? .done(nil) : .wait(until: deadline)
        }
    }
}

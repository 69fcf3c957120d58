#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapSystem
    import TapPhone

    /// The link between a session and its phone, in both directions.
    ///
    /// The phone calls the link on its own thread; the link calls the session on the session's queue. Tags hold the link,
    /// too, so that their calls reach the phone even after the session is deallocated.
    final class SessionLink: PhoneSession, @unchecked Sendable {
        private enum Stage { case made, begun, open, ended }

        private struct State {
            var stage = Stage.made
            var phone: VirtualPhone?
            var alert = ""
            /// The session, kept alive while the phone uses it.
            var session: NFCReaderSession?
            var tags: [FoundTag] = []
            /// The number of blocks on the app's queue that have not returned.
            var blocksOnQueue = 0
            /// The tasks that the app started in callbacks of the session.
            var tasks: AppTasks?

            var isWithPhone: Bool { stage == .begun || stage == .open }
        }

        let queue: DispatchQueue
        private let state: Lock<State>
        private let weakDelegate: WeakReference
        private let weakSession = WeakReference(nil)

        init(delegate: AnyObject?, queue: DispatchQueue?) {
            self.queue = queue ?? DispatchQueue(label: "TapSim.NFCReaderSession")
            weakDelegate = WeakReference(delegate)
            state = Lock(State(phone: .ofApp))
        }

        var delegate: AnyObject? { weakDelegate.object }
        var session: NFCReaderSession? { weakSession.object as? NFCReaderSession }
        var phone: VirtualPhone? { state.withLock { $0.phone } }
        var isOpen: Bool { state.withLock { $0.stage == .open } }

        var isAppAtWork: Bool { state.withLock { $0.blocksOnQueue > 0 } }

        // Calls go to the phone under the lock, so that they stay in order; the phone never calls back on the same thread.

        var alert: String {
            get { state.withLock { $0.alert } }
            set {
                state.withLock { state in
                    state.alert = newValue
                    if state.isWithPhone { state.phone?.setAlert(newValue, of: self) }
                }
            }
        }

        func begin(_ session: NFCReaderSession, _ request: PhoneSessionRequest) {
            weakSession.object = session
            let refusal = state.withLock { state -> PhoneError? in
                guard state.stage == .made else { return nil }
                state.stage = .begun
                state.session = session
                if state.phone?.isClosed ?? true { state.phone = .ofApp }
                guard let phone = state.phone else { return .noPhone }
                state.tasks = phone.makeAppTasks()
                var request = request
                request.alert = state.alert
                return phone.begin(self, request) ? nil : .closedPhone
            }
            if let refusal { phoneDidInvalidate(refusal) {} }
        }

        func invalidate(message: String?) {
            state.withLock { state in
                if state.isWithPhone { state.phone?.invalidate(self, message: message) }
                if state.stage == .made { state.stage = .ended }
            }
        }

        /// Adds a note for the app's tester.
        func note(_ text: String) {
            phone?.note(text, of: self)
        }

        func noteMissingDelegate() {
            note("Tags were found, but the delegate is gone: a session holds it weakly, so the app has to retain it.")
        }

        /// Returns the object of a tag of the last discovery.
        func found(_ tag: PhoneTag?) -> FoundTag? {
            state.withLock { state in state.tags.first { $0.tag == tag } }
        }

        func phoneDidActivate() {
            state.withLock { $0.stage = .open }
            report { $0.didBecomeActive() }
        }

        func phoneDidDetect(_ tags: [PhoneTag]) {
            let found = tags.map { FoundTag($0, self) }
            keep(found)
            report { $0.didDetect(found) }
        }

        func phoneDidInvalidate(_ error: PhoneError, reported: @escaping @Sendable () -> Void) {
            state.withLock { $0.stage = .ended }
            report { $0.didInvalidate(with: NFCReaderError(error)) }
            // Tags hold the link and are no longer needed.
            keep([])
            run { [self] in
                let session = state.withLock { state in
                    defer { state.session = nil }
                    return Unchecked(state.session)
                }
                _ = session
                // Runs after the blocks that the delegate has put on its queue in its last call.
                run { [self] in
                    let tasks = state.withLock { state in
                        defer { state.tasks = nil }
                        return state.tasks
                    }
                    tasks?.sessionHasEnded()
                    reported()
                }
            }
        }

        /// Replaces the tags of the last discovery; the old ones are released outside the lock.
        private func keep(_ tags: [FoundTag]) {
            let before = state.withLock { state in
                defer { state.tags = tags }
                return Unchecked(state.tags)
            }
            _ = before
        }

        /// Calls the session on its queue.
        private func report(_ body: @escaping (NFCReaderSession) -> Void) {
            let body = Unchecked(body)
            run { [self] in
                let session = Unchecked(state.withLock { $0.session })
                if let session = session.value { body.value(session) }
            }
        }

        /// Runs the app's code on the session's queue.
        func run(_ body: @escaping @Sendable () -> Void) {
            let tasks = state.withLock { state in
                state.blocksOnQueue += 1
                return state.tasks
            }
            queue.async { [self] in
                if let tasks { tasks.hold(body) } else { body() }
                state.withLock { $0.blocksOnQueue -= 1 }
            }
        }
    }

    /// A reference that does not keep its object alive.
    private final class WeakReference: @unchecked Sendable {
        private let lock = Lock(())
        private weak var reference: AnyObject?

        init(_ object: AnyObject?) {
            reference = object
        }

        var object: AnyObject? {
            get { lock.withLock { _ in reference } }
            set { lock.withLock { _ in reference = newValue } }
        }
    }

    /// An app's value that is passed to the session's queue.
    struct Unchecked<Value>: @unchecked Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    extension PhoneError {
        /// The error if the phone was closed before a session began.
        static let closedPhone = PhoneError(
            .sessionTerminatedUnexpectedly,
            reason: "the test that held the phone has ended; begin sessions within the test")

        /// The error if there is no virtual phone for a session.
        static let noPhone = PhoneError(
            .unsupportedFeature,
            reason: "no virtual phone is in effect; give the test a card with `.card(...)` or `.scenario(...)`, or "
                + "start the app with TAPSIM_CARD or TAPSIM_SCENARIO in its environment")
    }

    extension VirtualPhone {
        /// The phone for the running code: a test's phone, or the phone of the launch environment.
        static var ofApp: VirtualPhone? { inEffect ?? PhoneLaunch.phone(declaring: .ofApp) }
    }

    extension PhoneDeclarations {
        private static let systemCodes = "com.apple.developer.nfc.readersession.felica.systemcodes"
        private static let selectIdentifiers = "com.apple.developer.nfc.readersession.iso7816.select-identifiers"
        private static let usage = "NFCReaderUsageDescription"

        /// The declarations in the Info.plist of this program, which on Linux is next to it.
        ///
        /// An Info.plist without NFC keys counts only in an app, since a command or a test runner has its own Info.plist.
        static var ofApp: PhoneDeclarations {
            let values = Bundle.main.infoDictionary ?? [:]
            let hasValue = [systemCodes, selectIdentifiers, usage].contains { values[$0] != nil }
            guard hasValue || Bundle.main.bundlePath.hasSuffix(".app") else { return .notGiven }
            return PhoneDeclarations(
                feliCaSystemCodes: values[systemCodes] as? [String] ?? [],
                usageDescription: values[usage] as? String)
        }
    }
#endif

#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapDoors
    import TapPhone

    /// The line between a session and its phone, in both directions.
    ///
    /// The phone calls it on its own thread; it calls the session on the queue of the session. Tags have it too, so
    /// that their calls find their way although the session itself may be gone.
    final class SessionLink: PhoneSession, @unchecked Sendable {
        private enum Stage { case made, begun, open, ended }

        private struct State {
            var stage = Stage.made
            var phone: VirtualPhone?
            var alert = ""
            /// Keeps the session alive while the phone has it.
            var session: NFCReaderSession?
            var tags: [FoundTag] = []
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
        /// The session, as long as anybody has it.
        var session: NFCReaderSession? { weakSession.object as? NFCReaderSession }
        var phone: VirtualPhone? { state.withLock { $0.phone } }
        var isOpen: Bool { state.withLock { $0.stage == .open } }

        var alert: String {
            get { state.withLock { $0.alert } }
            set {
                let phone = state.withLock { state -> VirtualPhone? in
                    state.alert = newValue
                    return state.stage == .open || state.stage == .begun ? state.phone : nil
                }
                phone?.setAlert(newValue, of: self)
            }
        }

        func begin(_ session: NFCReaderSession, _ request: PhoneSessionRequest) {
            let (begins, phone, alert) = state.withLock { state -> (Bool, VirtualPhone?, String) in
                guard state.stage == .made else { return (false, nil, "") }
                state.stage = .begun
                state.session = session
                state.phone = state.phone ?? .ofApp
                return (true, state.phone, state.alert)
            }
            guard begins else { return }
            weakSession.object = session
            var request = request
            request.alert = alert
            if let phone {
                phone.begin(self, request)
            } else {
                phoneDidInvalidate(.noPhone) {}
            }
        }

        func invalidate(message: String?) {
            let phone = state.withLock { state -> VirtualPhone? in
                if state.stage == .made { state.stage = .ended }
                return state.stage == .ended ? nil : state.phone
            }
            phone?.invalidate(self, message: message)
        }

        /// The tag last found that is the one of the phone.
        func found(_ tag: PhoneTag?) -> FoundTag? {
            state.withLock { state in state.tags.first { $0.tag == tag } }
        }

        func phoneDidActivate() {
            state.withLock { $0.stage = .open }
            tell { $0.didBecomeActive() }
        }

        func phoneDidDetect(_ tags: [PhoneTag]) {
            let found = tags.map { FoundTag($0, self) }
            state.withLock { $0.tags = found }
            tell { $0.didDetect(found) }
        }

        func phoneDidInvalidate(_ error: PhoneError, told: @escaping @Sendable () -> Void) {
            let session = state.withLock { state in
                state.stage = .ended
                defer { state.session = nil }
                return Unchecked(state.session)
            }
            queue.async {
                session.value?.didInvalidate(with: NFCReaderError(error))
                told()
            }
        }

        /// Calls the session on its queue.
        private func tell(_ body: @escaping (NFCReaderSession) -> Void) {
            let (session, body) = (Unchecked(state.withLock { $0.session }), Unchecked(body))
            queue.async {
                if let session = session.value { body.value(session) }
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

    /// Something of an app that goes over to the queue on which the app wants it.
    struct Unchecked<Value>: @unchecked Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    extension PhoneError {
        /// No virtual phone is there for a session.
        static let noPhone = PhoneError(
            .unsupportedFeature,
            reason: "no virtual phone is in effect; give the test a card with `.card(...)` or `.scenario(...)`, or "
                + "start the app with TAPSIM_CARD or TAPSIM_SCENARIO in its environment")
    }
#endif

#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapPhone

    /// A session for NDEF that reads messages, or gives the app the tags to read and write.
    ///
    /// Source: Core NFC, NFCNDEFReaderSession.
    open class NFCNDEFReaderSession: NFCReaderSession {
        private let invalidatesAfterFirstRead: Bool
        /// A Boolean value that indicates whether the session itself reads the messages; known once tags were found.
        private var isReadOnly = false

        /// Creates a session; it does nothing before `begin()`.
        ///
        /// - Parameters:
        ///   - delegate: The delegate, held weakly.
        ///   - queue: The queue of the delegate and the handlers. Default: a serial queue of its own.
        ///   - invalidateAfterFirstRead: A Boolean value that indicates whether a session that itself reads messages ends,
        ///     with error 204, after its first message.
        public init(delegate: NFCNDEFReaderSessionDelegate, queue: DispatchQueue?, invalidateAfterFirstRead: Bool) {
            invalidatesAfterFirstRead = invalidateAfterFirstRead
            super.init(delegate: delegate, queue: queue)
        }

        /// Looks for tags again.
        ///
        /// Has no effect on a session that itself reads messages, since it always looks again.
        open func restartPolling() {
            if !isReadOnly { link.phone?.restartPolling(link) }
        }

        /// Connects to a tag of the session's last discovery; a previously connected tag is halted.
        @preconcurrency open func connect(to tag: NFCNDEFTag, completionHandler: @escaping NFCCompletion) {
            link.connect(to: tag as? PhoneTagObject, completionHandler)
        }

        open func connect(to tag: NFCNDEFTag) async throws {
            try await link.connect(to: tag as? PhoneTagObject)
        }

        override var request: PhoneSessionRequest {
            PhoneSessionRequest([.iso14443, .iso18092], isForNDEF: true)
        }

        private var ndefDelegate: NFCNDEFReaderSessionDelegate? { delegate as? NFCNDEFReaderSessionDelegate }

        override func didBecomeActive() {
            ndefDelegate?.readerSessionDidBecomeActive(self)
        }

        override func didDetect(_ tags: [FoundTag]) {
            guard let ndefDelegate else { return link.noteMissingDelegate() }
            ndefDelegate.readerSession(self, didDetect: tags.map(\.ndef))
        }

        override func didInvalidate(with error: NFCReaderError) {
            ndefDelegate?.readerSession(self, didInvalidateWithError: error)
        }

        /// Reads the messages of tags, one tag after another, and passes them to the delegate.
        func readMessages(of tags: [NFCNDEFTag], for delegate: NFCNDEFReaderSessionDelegate) {
            isReadOnly = true
            let session = Unchecked((session: self, delegate: delegate))
            read(tags[...], found: []) { messages in
                let (session, delegate) = session.value
                guard session.link.isOpen else { return }
                if !messages.isEmpty { delegate.readerSession(session, didDetectNDEFs: messages) }
                session.goOn(afterReading: !messages.isEmpty)
            }
        }

        private func read(
            _ tags: ArraySlice<NFCNDEFTag>, found: [NFCNDEFMessage], then done: @escaping ([NFCNDEFMessage]) -> Void
        ) {
            guard let tag = tags.first else {
                done(found)
                return
            }
            let context = Unchecked((session: self, tag: tag, rest: tags.dropFirst(), found: found, done: done))
            connect(to: tag) { error in
                guard error == nil else {
                    context.value.session.read(context.value.rest, found: context.value.found, then: context.value.done)
                    return
                }
                context.value.tag.readNDEF { message, error in
                    if let error = error as? NFCReaderError { context.value.session.noteUnread(error) }
                    let all = context.value.found + (message.map { [$0] } ?? [])
                    context.value.session.read(context.value.rest, found: all, then: context.value.done)
                }
            }
        }

        /// Adds a note about why a tag gave no message, which the delegate does not learn.
        private func noteUnread(_ error: NFCReaderError) {
            link.note("A tag was found but gave no message: \(error.localizedDescription) (\(error.errorCode)).")
        }

        private func goOn(afterReading hasRead: Bool) {
            if hasRead, invalidatesAfterFirstRead {
                link.phone?.end(link, with: PhoneError(.firstNDEFTagRead))
            } else {
                link.phone?.restartPolling(link, waitsForLeaving: true)
            }
        }
    }

    /// The delegate of an NDEF session; called on the session's queue.
    ///
    /// With `readerSession(_:didDetect:)` the app gets tags to read and write. Otherwise the session itself reads the
    /// messages. Source: Core NFC, NFCNDEFReaderSessionDelegate.
    public protocol NFCNDEFReaderSessionDelegate: NSObjectProtocol {
        /// The session has ended. Called once, last of all; `error` is an ``NFCReaderError``.
        func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error)
        /// Messages were read.
        func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage])
        /// Tags were found.
        ///
        /// An app that implements this method reads them itself.
        func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [NFCNDEFTag])
        /// The session is open and looks for tags.
        func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession)
    }

    // Optional methods of Apple's protocol.
    extension NFCNDEFReaderSessionDelegate {
        /// Reads the messages for the app.
        public func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [NFCNDEFTag]) {
            session.readMessages(of: tags, for: self)
        }

        public func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) {}
    }
#endif

#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapPhone

    /// A session that finds tags and lets an app send them commands.
    ///
    /// Source: Core NFC, NFCTagReaderSession.
    open class NFCTagReaderSession: NFCReaderSession {
        /// Which kinds of tags a session looks for.
        public struct PollingOption: OptionSet, Sendable {
            /// The bits.
            public let rawValue: Int

            /// Creates a set.
            public init(rawValue: Int) {
                self.rawValue = rawValue
            }

            /// Type A and B: MIFARE, NTAG, ISO 7816.
            public static let iso14443 = PollingOption(rawValue: 1)
            /// ISO 15693; no such tag is simulated.
            public static let iso15693 = PollingOption(rawValue: 2)
            /// FeliCa, by the system codes the app declares.
            public static let iso18092 = PollingOption(rawValue: 4)
            /// PACE; no such tag is simulated.
            public static let pace = PollingOption(rawValue: 8)
        }

        private let pollingOption: PollingOption
        private var declarations: PhoneDeclarations?

        /// Makes a session; it does nothing before `begin()`.
        public init(
            __pollingOption pollingOption: PollingOption, delegate: NFCTagReaderSessionDelegate,
            queue: DispatchQueue?
        ) {
            self.pollingOption = pollingOption
            super.init(delegate: delegate, queue: queue)
        }

        /// Makes a session with what it declares itself in place of Info.plist.
        public convenience init(
            configuration: Configuration, delegate: NFCTagReaderSessionDelegate, queue: DispatchQueue? = nil
        ) {
            self.init(__pollingOption: configuration.pollingOption, delegate: delegate, queue: queue)
            declarations = configuration.declarations
        }

        /// Makes a session; it does nothing before `begin()`.
        ///
        /// - Parameters:
        ///   - pollingOption: What it looks for.
        ///   - delegate: Who is told what happens; held weakly.
        ///   - queue: The queue of delegate and handlers; a serial one of its own without it.
        /// - Returns: Nothing where it is to look for nothing.
        public convenience init?(
            pollingOption: PollingOption, delegate: NFCTagReaderSessionDelegate, queue: DispatchQueue? = nil
        ) {
            guard !pollingOption.isEmpty else { return nil }
            self.init(__pollingOption: pollingOption, delegate: delegate, queue: queue)
        }

        /// Looks for tags anew.
        ///
        /// Tags found before are not valid any more; of the same ones there are new objects.
        open func restartPolling() {
            link.phone?.restartPolling(link)
        }

        override var request: PhoneSessionRequest {
            PhoneSessionRequest(PhoneTechnologies(rawValue: pollingOption.rawValue), declarations: declarations)
        }

        private var tagDelegate: NFCTagReaderSessionDelegate? { delegate as? NFCTagReaderSessionDelegate }

        override func didBecomeActive() {
            tagDelegate?.tagReaderSessionDidBecomeActive(self)
        }

        override func didDetect(_ tags: [FoundTag]) {
            guard let tagDelegate else { return link.noteMissingDelegate() }
            tagDelegate.tagReaderSession(self, didDetect: tags.map(\.object))
        }

        override func didInvalidate(with error: NFCReaderError) {
            tagDelegate?.tagReaderSession(self, didInvalidateWithError: error)
        }
    }

    /// Who is told what happens in a session for tags; called on the queue of the session.
    ///
    /// Source: Core NFC, NFCTagReaderSessionDelegate.
    public protocol NFCTagReaderSessionDelegate: NSObjectProtocol {
        /// The session is open and looks for tags. Called once.
        func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession)
        /// The session has ended. Called once, last of all; `error` is an ``NFCReaderError``.
        func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error)
        /// Tags were found; all of them that lie there.
        func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag])
    }

    extension NFCTagReaderSession {
        /// What a session looks for, and what it declares itself in place of Info.plist.
        ///
        /// Source: Core NFC, NFCTagReaderSession.Configuration.
        public struct Configuration {
            /// Which kinds of tags it looks for.
            public var pollingOption: PollingOption
            /// Application identifiers of ISO 7816, in hexadecimal, in the order they are tried.
            public var iso7816SelectIdentifiers: [String]
            /// System codes of FeliCa, four hexadecimal digits each, in the order they are polled.
            public var feliCaSystemCodes: [String]

            /// Creates a configuration.
            public init(
                pollingOption: PollingOption, iso7816SelectIdentifiers: [String] = [], feliCaSystemCodes: [String] = []
            ) {
                self.pollingOption = pollingOption
                self.iso7816SelectIdentifiers = iso7816SelectIdentifiers
                self.feliCaSystemCodes = feliCaSystemCodes
            }

            var declarations: PhoneDeclarations {
                PhoneDeclarations(
                    feliCaSystemCodes: feliCaSystemCodes, iso7816SelectIdentifiers: iso7816SelectIdentifiers,
                    usageDescription: "the session has a configuration of its own")
            }
        }

        /// Looks for tags anew by another configuration, which the next `restartPolling()` does not remember.
        public func restartPolling(configuration: Configuration) {
            let technologies = PhoneTechnologies(rawValue: configuration.pollingOption.rawValue)
            link.phone?.restartPolling(
                link, PhoneSessionRequest(technologies, declarations: configuration.declarations))
        }
    }

    extension NFCTagReaderSession {
        /// The tag that commands go to.
        public var connectedTag: NFCTag? { link.found(link.phone?.reader?.connectedTag)?.object }

        /// Connects to a tag, so that it takes commands; a tag connected before is halted.
        ///
        /// - Parameters:
        ///   - tag: A tag this session has found last.
        ///   - completionHandler: Called on the queue of the session with an error, or with nothing.
        @preconcurrency
        public func connect(to tag: NFCTag, completionHandler: @escaping NFCCompletion) {
            link.connect(to: tag.phoneObject, completionHandler)
        }

        /// Connects to a tag, so that it takes commands; a tag connected before is halted.
        public nonisolated(nonsending) func connect(to tag: NFCTag) async throws {
            try await link.connect(to: tag.phoneObject)
        }
    }

    extension SessionLink {
        /// Connects to the tag of an object; an object that an app made itself is an error.
        func connect(to object: PhoneTagObject?, _ completion: @escaping NFCCompletion) {
            guard let phone, let object, object.link === self else {
                let error = NFCReaderError(
                    PhoneError(.invalidParameter, reason: "the tag was not found by this session"))
                run { completion(error) }
                return
            }
            phone.connect(to: object.tag, of: self) { result in
                let error = result.error.map { NFCReaderError($0) }
                self.run { completion(error) }
            }
        }

        nonisolated(nonsending) func connect(to object: PhoneTagObject?) async throws {
            let _: Void = try await withCheckedThrowingContinuation { continuation in
                connect(to: object) { error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume() }
                }
            }
        }
    }

    extension NFCTag {
        /// The tag as an object of ours; `nil` for one that an app made itself.
        fileprivate var phoneObject: PhoneTagObject? {
            switch self {
            case .feliCa(let tag): tag as? PhoneTagObject
            case .miFare(let tag): tag as? PhoneTagObject
            case .iso7816, .iso15693: nil
            }
        }
    }

    extension Result {
        /// Why it failed, if it did.
        var error: Failure? {
            if case .failure(let error) = self { error } else { nil }
        }
    }

    /// A tag that was found, and the object that apps have of it.
    struct FoundTag {
        /// The tag as the phone knows it.
        let tag: PhoneTag
        /// The tag as apps of `NFCTagReaderSession` have it.
        let object: NFCTag
        /// The same object as apps of `NFCNDEFReaderSession` have it.
        let ndef: NFCNDEFTag

        init(_ tag: PhoneTag, _ link: SessionLink) {
            self.tag = tag
            switch tag.kind {
            case .feliCa:
                let object = FeliCaTagObject(tag, link)
                (self.object, ndef) = (.feliCa(object), object)
            case .miFare:
                let object = MiFareTagObject(tag, link)
                (self.object, ndef) = (.miFare(object), object)
            }
        }
    }
#endif

#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapPhone

    /// A session that finds tags and lets an app send commands to them.
    ///
    /// Source: Core NFC, NFCTagReaderSession.
    open class NFCTagReaderSession: NFCReaderSession {
        /// The kinds of tags a session looks for.
        public struct PollingOption: OptionSet, Sendable {
            public let rawValue: Int

            public init(rawValue: Int) {
                self.rawValue = rawValue
            }

            /// Type A and B: MIFARE, NTAG, ISO 7816.
            public static let iso14443 = PollingOption(rawValue: 1)
            /// ISO 15693; no such tag is simulated.
            public static let iso15693 = PollingOption(rawValue: 2)
            /// FeliCa, by the system codes that the app declares.
            public static let iso18092 = PollingOption(rawValue: 4)
            /// PACE; no such tag is simulated.
            public static let pace = PollingOption(rawValue: 8)
        }

        private let pollingOption: PollingOption
        private var feliCaSystemCodes: [String] = []

        /// Creates a session; it does nothing before `begin()`.
        public init(
            __pollingOption pollingOption: PollingOption, delegate: NFCTagReaderSessionDelegate,
            queue: DispatchQueue?
        ) {
            self.pollingOption = pollingOption
            super.init(delegate: delegate, queue: queue)
        }

        /// Creates a session that looks for some of the tags that Info.plist declares.
        public convenience init(
            configuration: Configuration, delegate: NFCTagReaderSessionDelegate, queue: DispatchQueue? = nil
        ) {
            self.init(__pollingOption: configuration.pollingOption, delegate: delegate, queue: queue)
            feliCaSystemCodes = configuration.feliCaSystemCodes
        }

        /// Creates a session; it does nothing before `begin()`.
        ///
        /// - Parameters:
        ///   - pollingOption: The kinds of tags to look for.
        ///   - delegate: The delegate, held weakly.
        ///   - queue: The queue of the delegate and the handlers. Default: a serial queue of its own.
        /// - Returns: The session; `nil` if there is no polling option.
        public convenience init?(
            pollingOption: PollingOption, delegate: NFCTagReaderSessionDelegate, queue: DispatchQueue? = nil
        ) {
            guard !pollingOption.isEmpty else { return nil }
            self.init(__pollingOption: pollingOption, delegate: delegate, queue: queue)
        }

        /// Looks for tags again; the objects of earlier tags become invalid.
        open func restartPolling() {
            link.phone?.restartPolling(link)
        }

        override var request: PhoneSessionRequest {
            PhoneSessionRequest(
                PhoneTechnologies(rawValue: pollingOption.rawValue), feliCaSystemCodes: feliCaSystemCodes)
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

    /// The delegate of a tag session; called on the session's queue.
    ///
    /// Source: Core NFC, NFCTagReaderSessionDelegate.
    public protocol NFCTagReaderSessionDelegate: NSObjectProtocol {
        /// The session is open and looks for tags. Called once.
        func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession)
        /// The session has ended. Called once, last of all; `error` is an ``NFCReaderError``.
        func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error)
        /// Tags were found.
        ///
        /// The list contains all present tags.
        func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag])
    }

    extension NFCTagReaderSession {
        /// The kinds of tags that a session looks for, and a selection of the codes that Info.plist declares.
        ///
        /// Entries that Info.plist does not declare are dropped, and so are duplicates; an empty list stands for all
        /// declared entries. Source: Core NFC, NFCTagReaderSession.Configuration.
        public struct Configuration {
            public var pollingOption: PollingOption
            /// The ISO 7816 application identifiers, in hexadecimal, in the order in which they are tried.
            public var iso7816SelectIdentifiers: [String]
            /// The FeliCa system codes, four hexadecimal digits each, in the order in which they are polled.
            public var feliCaSystemCodes: [String]

            public init(
                pollingOption: PollingOption, iso7816SelectIdentifiers: [String] = [], feliCaSystemCodes: [String] = []
            ) {
                self.pollingOption = pollingOption
                self.iso7816SelectIdentifiers = iso7816SelectIdentifiers
                self.feliCaSystemCodes = feliCaSystemCodes
            }
        }

        /// Looks for tags again with another configuration, which applies only until the next `restartPolling()`.
        public func restartPolling(configuration: Configuration) {
            let technologies = PhoneTechnologies(rawValue: configuration.pollingOption.rawValue)
            link.phone?.restartPolling(
                link, PhoneSessionRequest(technologies, feliCaSystemCodes: configuration.feliCaSystemCodes))
        }
    }

    extension NFCTagReaderSession {
        public var connectedTag: NFCTag? { link.found(link.phone?.reader?.connectedTag)?.object }

        /// Connects to a tag of the session's last discovery; a previously connected tag is halted.
        @preconcurrency public func connect(to tag: NFCTag, completionHandler: @escaping NFCCompletion) {
            link.connect(to: tag.phoneObject, completionHandler)
        }

        public func connect(to tag: NFCTag) async throws {
            try await link.connect(to: tag.phoneObject)
        }
    }

    extension SessionLink {
        /// Connects to the tag of an object; an object that the app itself created causes an error.
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

        func connect(to object: PhoneTagObject?) async throws {
            let _: Void = try await withCheckedThrowingContinuation { continuation in
                connect(to: object) { error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume() }
                }
            }
        }
    }

    extension NFCTag {
        /// The tag as one of our objects; `nil` for an object that the app itself created.
        fileprivate var phoneObject: PhoneTagObject? {
            switch self {
            case .feliCa(let tag): tag as? PhoneTagObject
            case .miFare(let tag): tag as? PhoneTagObject
            case .iso7816, .iso15693: nil
            }
        }
    }

    extension Result {
        /// The error, if the result is a failure.
        var error: Failure? {
            if case .failure(let error) = self { error } else { nil }
        }
    }

    /// A tag of the phone, and its object for the app.
    struct FoundTag {
        let tag: PhoneTag
        /// The object for delegates of `NFCTagReaderSession`.
        let object: NFCTag
        /// The same object for delegates of `NFCNDEFReaderSession`.
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

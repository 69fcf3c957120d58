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
            PhoneSessionRequest(
                PhoneTechnologies(rawValue: pollingOption.rawValue), declarations: declarations)
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
#endif

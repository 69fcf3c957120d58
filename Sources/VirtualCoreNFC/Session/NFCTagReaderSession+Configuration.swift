#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapPhone

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
#endif

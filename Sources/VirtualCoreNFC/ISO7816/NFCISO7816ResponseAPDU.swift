#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// What a card answered to an APDU.
    ///
    /// Source: Core NFC, NFCISO7816ResponseAPDU.
    public struct NFCISO7816ResponseAPDU {
        /// SW1.
        public var statusWord1: UInt8
        /// SW2.
        public var statusWord2: UInt8
        /// The data, or nothing where there is none.
        public var payload: Data?

        /// Creates a response.
        public init(statusWord1: UInt8, statusWord2: UInt8, payload: Data?) {
            self.statusWord1 = statusWord1
            self.statusWord2 = statusWord2
            self.payload = payload
        }

        /// Creates a response, by the misspelt name of iOS 14.
        @available(*, deprecated, renamed: "init(statusWord1:statusWord2:payload:)")
        public init(statusWord1: UInt8, statusWord2: UInt8, paylaod: Data?) {
            self.init(statusWord1: statusWord1, statusWord2: statusWord2, payload: paylaod)
        }

        /// Creates the response of a handler form, whose data is empty where there is none.
        init(statusWord1: UInt8, statusWord2: UInt8, data: Data) {
            self.init(statusWord1: statusWord1, statusWord2: statusWord2, payload: data.isEmpty ? nil : data)
        }
    }
#endif

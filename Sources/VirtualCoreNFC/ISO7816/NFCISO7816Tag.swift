#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// A card of ISO/IEC 7816-4 on which an application of the app's list was selected.
    ///
    /// Source: Core NFC, NFCISO7816Tag.
    public protocol NFCISO7816Tag: NFCNDEFTag, __NFCTag {
        /// The application the phone selected, in hexadecimal digits as in Info.plist.
        var initialSelectedAID: String { get }

        /// The UID, or the PUPI of a card of type B.
        var identifier: Data { get }

        /// The historical bytes of a card of type A.
        var historicalBytes: Data? { get }

        /// The application data of a card of type B.
        var applicationData: Data? { get }

        /// Whether the application data is coded in a way of its own.
        var proprietaryApplicationDataCoding: Bool { get }

        /// Whether the card offers PACE; `false` unless a double says otherwise.
        var supportsPACE: Bool { get }

        /// Sends an APDU; the handler gets data, both status bytes and the error.
        @preconcurrency
        func sendCommand(
            apdu: NFCISO7816APDU, completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void)
    }

    extension NFCISO7816Tag {
        // Since iOS 26.4; doubles written before then do not have it.
        /// `false`: no card with PACE is simulated.
        public var supportsPACE: Bool { false }

        /// Sends an APDU; gives data and both status bytes.
        public nonisolated(nonsending) func sendCommand(apdu: NFCISO7816APDU) async throws -> (Data, UInt8, UInt8) {
            try await answer { reply in
                sendCommand(apdu: apdu) { data, first, second, error in reply((data, first, second), error) }
            }
        }

        /// Sends an APDU.
        public nonisolated(nonsending) func sendCommand(apdu: NFCISO7816APDU) async throws -> NFCISO7816ResponseAPDU {
            let (data, first, second): (Data, UInt8, UInt8) = try await sendCommand(apdu: apdu)
            return NFCISO7816ResponseAPDU(statusWord1: first, statusWord2: second, data: data)
        }

        /// Sends an APDU.
        @preconcurrency
        public func sendCommand(
            apdu: NFCISO7816APDU,
            resultHandler: @escaping @Sendable (Result<NFCISO7816ResponseAPDU, any Error>) -> Void
        ) {
            sendCommand(apdu: apdu) { data, first, second, error in
                resultHandler(
                    outcome(NFCISO7816ResponseAPDU(statusWord1: first, statusWord2: second, data: data), error))
            }
        }
    }
#endif

#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// The branches of the MIFARE family.
    ///
    /// Source: Core NFC, NFCMiFareFamily.
    public enum NFCMiFareFamily: UInt, Sendable {
        /// Another ISO/IEC 14443-A card.
        case unknown = 1
        /// MIFARE Ultralight and NTAG.
        case ultralight = 2
        case plus = 3
        case desfire = 4
    }

    /// A tag of the MIFARE family; an NTAG215 belongs to the branch ``NFCMiFareFamily/ultralight``.
    ///
    /// Source: Core NFC, NFCMiFareTag.
    public protocol NFCMiFareTag: NFCNDEFTag, __NFCTag {
        /// The branch of the family.
        var mifareFamily: NFCMiFareFamily { get }

        /// The UID, 4, 7 or 10 bytes.
        var identifier: Data { get }

        /// The historical bytes of the answer to select; `nil` for tags that have no such answer.
        var historicalBytes: Data? { get }

        /// Sends a command without its CRC, which the phone adds; an acknowledgement is returned as the byte `0A`.
        @preconcurrency func sendMiFareCommand(commandPacket command: Data, completionHandler: @escaping NFCReply<Data>)

        /// Sends an APDU to a card of the branches plus and DESFire; for other tags it fails with error 1.
        @preconcurrency func sendMiFareISO7816Command(
            _ apdu: NFCISO7816APDU, completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void)
    }

    extension NFCMiFareTag {
        public func sendMiFareCommand(commandPacket command: Data) async throws -> Data {
            try await answer { reply in sendMiFareCommand(commandPacket: command, completionHandler: reply) }
        }

        @preconcurrency public func sendMiFareCommand(
            commandPacket command: Data, resultHandler: @escaping NFCResultHandler<Data>
        ) {
            sendMiFareCommand(commandPacket: command) { resultHandler(outcome($0, $1)) }
        }

        public func sendMiFareISO7816Command(
            _ apdu: NFCISO7816APDU
        ) async throws -> (Data, UInt8, UInt8) {
            try await answer { reply in
                sendMiFareISO7816Command(apdu) { data, first, second, error in reply((data, first, second), error) }
            }
        }

        public func sendMiFareISO7816Command(
            _ apdu: NFCISO7816APDU
        ) async throws -> NFCISO7816ResponseAPDU {
            let (data, first, second): (Data, UInt8, UInt8) = try await sendMiFareISO7816Command(apdu)
            return NFCISO7816ResponseAPDU(statusWord1: first, statusWord2: second, data: data)
        }

        @preconcurrency public func sendMiFareISO7816Command(
            _ apdu: NFCISO7816APDU,
            resultHandler: @escaping NFCResultHandler<NFCISO7816ResponseAPDU>
        ) {
            sendMiFareISO7816Command(apdu) { data, first, second, error in
                resultHandler(
                    outcome(NFCISO7816ResponseAPDU(statusWord1: first, statusWord2: second, data: data), error))
            }
        }
    }
#endif

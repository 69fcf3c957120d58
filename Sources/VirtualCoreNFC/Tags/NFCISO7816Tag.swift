#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapWire

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

    /// A command to a card of ISO/IEC 7816-4.
    ///
    /// Source: Core NFC, NFCISO7816APDU; ISO/IEC 7816-4, "command-response pairs".
    open class NFCISO7816APDU: NSObject, NSCopying {
        /// The command as it is sent.
        let command: CommandAPDU

        /// CLA.
        open var instructionClass: UInt8 { command.cla }
        /// INS.
        open var instructionCode: UInt8 { command.ins.rawValue }
        /// P1.
        open var p1Parameter: UInt8 { command.p1 }
        /// P2.
        open var p2Parameter: UInt8 { command.p2 }
        /// The data, or nothing where there is none.
        open var data: Data? { command.data.isEmpty ? nil : Data(command.data) }

        /// How many bytes are expected back, 1 to 65536; -1 where none are.
        open var expectedResponseLength: Int {
            guard let expected = command.expected else { return -1 }
            return expected > 0 ? expected : command.isExtended ? 65_536 : 256
        }

        /// Not for apps: a command needs its header.
        @available(*, unavailable)
        public override init() {
            command = CommandAPDU(ins: Instruction(0))
        }

        /// Creates a command of its parts.
        ///
        /// - Parameters:
        ///   - instructionClass: CLA.
        ///   - instructionCode: INS.
        ///   - p1Parameter: P1.
        ///   - p2Parameter: P2.
        ///   - data: The data; bytes beyond 65535 are left out.
        ///   - expectedResponseLength: Bytes expected back, 1 to 65536, of which more count as 65536; -1 for none.
        public init(
            instructionClass: UInt8, instructionCode: UInt8, p1Parameter: UInt8, p2Parameter: UInt8, data: Data,
            expectedResponseLength: Int
        ) {
            let isExtended = data.count > CommandAPDU.maximumShortData || expectedResponseLength > 256
            // Le 0 stands for all that a length of this form can count.
            let all = isExtended ? 65_536 : 256
            command = CommandAPDU(
                cla: instructionClass, ins: Instruction(instructionCode), p1: p1Parameter, p2: p2Parameter,
                data: Array(data),
                expected: expectedResponseLength < 1 ? nil : expectedResponseLength >= all ? 0 : expectedResponseLength,
                isExtended: isExtended)
        }

        /// Reads a command as it is sent; nothing if the bytes are none.
        public init?(data: Data) {
            guard let command = try? CommandAPDU(parsing: Array(data)) else { return nil }
            self.command = command
        }

        /// The command itself, which cannot change.
        open func copy(with zone: NSZone? = nil) -> Any { self }
    }

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

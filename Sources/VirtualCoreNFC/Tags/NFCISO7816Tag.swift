#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapWire

    /// An ISO/IEC 7816-4 card on which an application from the app's list was selected.
    ///
    /// Source: Core NFC, NFCISO7816Tag.
    public protocol NFCISO7816Tag: NFCNDEFTag, __NFCTag {
        var initialSelectedAID: String { get }
        var identifier: Data { get }
        var historicalBytes: Data? { get }
        var applicationData: Data? { get }
        var proprietaryApplicationDataCoding: Bool { get }
        var supportsPACE: Bool { get }
        @preconcurrency func sendCommand(
            apdu: NFCISO7816APDU, completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
        )
    }

    extension NFCISO7816Tag {
        // Available since iOS 26.4; older doubles do not have it.
        public var supportsPACE: Bool { false }
        public func sendCommand(apdu: NFCISO7816APDU) async throws -> (Data, UInt8, UInt8) {
            try await answer { reply in
                sendCommand(apdu: apdu) { data, first, second, error in reply((data, first, second), error) }
            }
        }
        public func sendCommand(apdu: NFCISO7816APDU) async throws -> NFCISO7816ResponseAPDU {
            let (data, first, second): (Data, UInt8, UInt8) = try await sendCommand(apdu: apdu)
            return NFCISO7816ResponseAPDU(statusWord1: first, statusWord2: second, data: data)
        }
        @preconcurrency public func sendCommand(
            apdu: NFCISO7816APDU, resultHandler: @escaping NFCResultHandler<NFCISO7816ResponseAPDU>
        ) {
            sendCommand(apdu: apdu) { data, first, second, error in
                resultHandler(
                    outcome(NFCISO7816ResponseAPDU(statusWord1: first, statusWord2: second, data: data), error))
            }
        }
    }

    /// A command to an ISO/IEC 7816-4 card.
    ///
    /// The expected length is 1 to 65536, clamped at the top, or -1 for none; data beyond 65535 bytes is dropped. Source:
    /// Core NFC, NFCISO7816APDU; ISO/IEC 7816-4, "command-response pairs".
    open class NFCISO7816APDU: NSObject, NSCopying {
        let command: CommandAPDU
        open var instructionClass: UInt8 { command.cla }
        open var instructionCode: UInt8 { command.ins.rawValue }
        open var p1Parameter: UInt8 { command.p1 }
        open var p2Parameter: UInt8 { command.p2 }
        open var data: Data? { command.data.isEmpty ? nil : Data(command.data) }
        open var expectedResponseLength: Int {
            guard let expected = command.expected else { return -1 }
            return expected > 0 ? expected : command.isExtended ? 65_536 : 256
        }
        @available(*, unavailable)
        public override init() { command = CommandAPDU(ins: Instruction(0)) }
        public init(
            instructionClass: UInt8, instructionCode: UInt8, p1Parameter: UInt8, p2Parameter: UInt8, data: Data,
            expectedResponseLength: Int
        ) {
            let isExtended = data.count > CommandAPDU.maximumShortData || expectedResponseLength > 256
            // Le 0 stands for the maximum length in this form.
            let all = isExtended ? 65_536 : 256
            command = CommandAPDU(
                cla: instructionClass, ins: Instruction(instructionCode), p1: p1Parameter, p2: p2Parameter,
                data: Array(data),
                expected: expectedResponseLength < 1 ? nil : expectedResponseLength >= all ? 0 : expectedResponseLength,
                isExtended: isExtended)
        }
        public init?(data: Data) {
            guard let command = try? CommandAPDU(parsing: Array(data)) else { return nil }
            self.command = command
        }
        open func copy(with zone: NSZone? = nil) -> Any { self }
    }

    /// The answer to an APDU.
    ///
    /// Source: Core NFC, NFCISO7816ResponseAPDU.
    public struct NFCISO7816ResponseAPDU {
        public var statusWord1: UInt8
        public var statusWord2: UInt8
        public var payload: Data?
        public init(statusWord1: UInt8, statusWord2: UInt8, payload: Data?) {
            self.statusWord1 = statusWord1
            self.statusWord2 = statusWord2
            self.payload = payload
        }
        @available(*, deprecated, renamed: "init(statusWord1:statusWord2:payload:)")
        public init(statusWord1: UInt8, statusWord2: UInt8, paylaod: Data?) {
            self.init(statusWord1: statusWord1, statusWord2: statusWord2, payload: paylaod)
        }
        init(statusWord1: UInt8, statusWord2: UInt8, data: Data) {
            self.init(statusWord1: statusWord1, statusWord2: statusWord2, payload: data.isEmpty ? nil : data)
        }
    }
#endif

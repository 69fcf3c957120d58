#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapWire

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
#endif

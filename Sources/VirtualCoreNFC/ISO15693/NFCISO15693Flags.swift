#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    /// The flags of a request to an ISO 15693 tag.
    ///
    /// Source: Core NFC, NFCISO15693RequestFlag; ISO/IEC 15693-3, "request flags".
    public struct NFCISO15693RequestFlag: OptionSet, Sendable {
        /// The tag answers on two subcarriers.
        public static let dualSubCarriers = Self(rawValue: 1)
        /// The tag answers at the high data rate.
        public static let highDataRate = Self(rawValue: 1 << 1)
        /// The protocol format is extended.
        public static let protocolExtension = Self(rawValue: 1 << 3)
        /// Only a tag in the state selected carries the request out.
        public static let select = Self(rawValue: 1 << 4)
        /// The request bears the UID of the tag it is for.
        public static let address = Self(rawValue: 1 << 5)
        /// The meaning is up to the command.
        public static let option = Self(rawValue: 1 << 6)
        /// The meaning is up to the command.
        public static let commandSpecificBit8 = Self(rawValue: 1 << 7)

        /// The flags as a byte.
        public let rawValue: UInt8

        /// Takes any byte.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }
    }

    /// The flags of an answer of an ISO 15693 tag.
    ///
    /// Source: Core NFC, NFCISO15693ResponseFlag; ISO/IEC 15693-3, "response flags".
    public struct NFCISO15693ResponseFlag: OptionSet, Sendable {
        /// The tag reports an error.
        public static let error = Self(rawValue: 1)
        /// The response buffer of the tag is valid.
        public static let responseBufferValid = Self(rawValue: 1 << 1)
        /// The answer is the last one.
        public static let finalResponse = Self(rawValue: 1 << 2)
        /// The protocol format is extended.
        public static let protocolExtension = Self(rawValue: 1 << 3)
        /// The fifth bit of a security status.
        public static let blockSecurityStatusBit5 = Self(rawValue: 1 << 4)
        /// The sixth bit of a security status.
        public static let blockSecurityStatusBit6 = Self(rawValue: 1 << 5)
        /// The tag asks for more time.
        public static let waitTimeExtension = Self(rawValue: 1 << 6)

        /// The flags as a byte.
        public let rawValue: UInt8

        /// Takes any byte.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }
    }

    /// The former name of ``NFCISO15693RequestFlag``, which code of iOS 13 has.
    public typealias RequestFlag = NFCISO15693RequestFlag

    extension NFCISO15693RequestFlag {
        /// The former name of ``dualSubCarriers``.
        @available(*, deprecated, renamed: "dualSubCarriers")
        public static var RequestFlagDualSubCarriers: Self { .dualSubCarriers }

        /// The former name of ``highDataRate``.
        @available(*, deprecated, renamed: "highDataRate")
        public static var RequestFlagHighDataRate: Self { .highDataRate }

        /// The former name of ``protocolExtension``.
        @available(*, deprecated, renamed: "protocolExtension")
        public static var RequestFlagProtocolExtension: Self { .protocolExtension }

        /// The former name of ``select``.
        @available(*, deprecated, renamed: "select")
        public static var RequestFlagSelect: Self { .select }

        /// The former name of ``address``.
        @available(*, deprecated, renamed: "address")
        public static var RequestFlagAddress: Self { .address }

        /// The former name of ``option``.
        @available(*, deprecated, renamed: "option")
        public static var RequestFlagOption: Self { .option }
    }
#endif

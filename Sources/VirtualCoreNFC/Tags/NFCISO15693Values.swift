#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// The flags of a request to an ISO 15693 tag.
    ///
    /// Source: Core NFC, NFCISO15693RequestFlag; ISO/IEC 15693-3, "request flags".
    public struct NFCISO15693RequestFlag: OptionSet, Sendable {
        public static let dualSubCarriers = Self(rawValue: 1)
        public static let highDataRate = Self(rawValue: 1 << 1)
        public static let protocolExtension = Self(rawValue: 1 << 3)
        public static let select = Self(rawValue: 1 << 4)
        public static let address = Self(rawValue: 1 << 5)
        public static let option = Self(rawValue: 1 << 6)
        public static let commandSpecificBit8 = Self(rawValue: 1 << 7)
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The flags of an answer of an ISO 15693 tag.
    ///
    /// Source: Core NFC, NFCISO15693ResponseFlag; ISO/IEC 15693-3, "response flags".
    public struct NFCISO15693ResponseFlag: OptionSet, Sendable {
        public static let error = Self(rawValue: 1)
        public static let responseBufferValid = Self(rawValue: 1 << 1)
        public static let finalResponse = Self(rawValue: 1 << 2)
        public static let protocolExtension = Self(rawValue: 1 << 3)
        public static let blockSecurityStatusBit5 = Self(rawValue: 1 << 4)
        public static let blockSecurityStatusBit6 = Self(rawValue: 1 << 5)
        public static let waitTimeExtension = Self(rawValue: 1 << 6)
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The name of ``NFCISO15693RequestFlag`` in iOS 13.
    public typealias RequestFlag = NFCISO15693RequestFlag

    extension NFCISO15693RequestFlag {
        @available(*, deprecated, renamed: "dualSubCarriers")
        public static var RequestFlagDualSubCarriers: Self { .dualSubCarriers }
        @available(*, deprecated, renamed: "highDataRate")
        public static var RequestFlagHighDataRate: Self { .highDataRate }
        @available(*, deprecated, renamed: "protocolExtension")
        public static var RequestFlagProtocolExtension: Self { .protocolExtension }
        @available(*, deprecated, renamed: "select") public static var RequestFlagSelect: Self { .select }
        @available(*, deprecated, renamed: "address") public static var RequestFlagAddress: Self { .address }
        @available(*, deprecated, renamed: "option") public static var RequestFlagOption: Self { .option }
    }

    /// The answer to Get System Information; -1 for a value that the tag does not report.
    ///
    /// Source: Core NFC, NFCISO15693SystemInfo; ISO/IEC 15693-3, "get system information".
    public struct NFCISO15693SystemInfo {
        public var uniqueIdentifier: Data
        public var dataStorageFormatIdentifier: Int
        public var applicationFamilyIdentifier: Int
        public var blockSize: Int
        public var totalBlocks: Int
        public var icReference: Int
        public init(
            uniqueIdentifier: Data, dataStorageFormatIdentifier: Int, applicationFamilyIdentifier: Int, blockSize: Int,
            totalBlocks: Int, icReference: Int
        ) {
            self.uniqueIdentifier = uniqueIdentifier
            self.dataStorageFormatIdentifier = dataStorageFormatIdentifier
            self.applicationFamilyIdentifier = applicationFamilyIdentifier
            self.blockSize = blockSize
            self.totalBlocks = totalBlocks
            self.icReference = icReference
        }
    }

    /// The security status of several blocks.
    ///
    /// Source: Core NFC, NFCISO15693MultipleBlockSecurityStatus.
    public struct NFCISO15693MultipleBlockSecurityStatus {
        public var blockSecurityStatus: [Int]
        public init(blockSecurityStatus: [Int]) { self.blockSecurityStatus = blockSecurityStatus }
    }

    /// The number of retries for a command of the iOS 11 calls, and the pause before each.
    ///
    /// Source: Core NFC, NFCTagCommandConfiguration.
    open class NFCTagCommandConfiguration: NSObject, NSCopying {
        open var maximumRetries = 0
        open var retryInterval: TimeInterval = 0
        public override init() { super.init() }
        open func copy(with zone: NSZone? = nil) -> Any {
            let copy = NFCTagCommandConfiguration()
            copy.take(self)
            return copy
        }
        func take(_ other: NFCTagCommandConfiguration) {
            maximumRetries = other.maximumRetries
            retryInterval = other.retryInterval
        }
    }

    /// A manufacturer-specific command, for the iOS 11 call.
    ///
    /// Source: Core NFC, NFCISO15693CustomCommandConfiguration.
    open class NFCISO15693CustomCommandConfiguration: NFCTagCommandConfiguration {
        open var manufacturerCode: Int
        open var customCommandCode: Int
        open var requestParameters: Data
        public init(manufacturerCode: Int, customCommandCode: Int, requestParameters: Data?) {
            self.manufacturerCode = manufacturerCode
            self.customCommandCode = customCommandCode
            self.requestParameters = requestParameters ?? Data()
            super.init()
        }
        public convenience init(
            manufacturerCode: Int, customCommandCode: Int, requestParameters: Data?, maximumRetries: Int,
            retryInterval: TimeInterval
        ) {
            self.init(
                manufacturerCode: manufacturerCode, customCommandCode: customCommandCode,
                requestParameters: requestParameters)
            self.maximumRetries = maximumRetries
            self.retryInterval = retryInterval
        }
        open override func copy(with zone: NSZone? = nil) -> Any {
            let copy = NFCISO15693CustomCommandConfiguration(
                manufacturerCode: manufacturerCode, customCommandCode: customCommandCode,
                requestParameters: requestParameters)
            copy.take(self)
            return copy
        }
    }

    /// The blocks to read at once, for the iOS 11 call.
    ///
    /// Source: Core NFC, NFCISO15693ReadMultipleBlocksConfiguration.
    open class NFCISO15693ReadMultipleBlocksConfiguration: NFCTagCommandConfiguration {
        open var range: NSRange
        open var chunkSize: Int
        public init(range: NSRange, chunkSize: Int) {
            self.range = range
            self.chunkSize = chunkSize
            super.init()
        }
        public convenience init(range: NSRange, chunkSize: Int, maximumRetries: Int, retryInterval: TimeInterval) {
            self.init(range: range, chunkSize: chunkSize)
            self.maximumRetries = maximumRetries
            self.retryInterval = retryInterval
        }
        open override func copy(with zone: NSZone? = nil) -> Any {
            let copy = NFCISO15693ReadMultipleBlocksConfiguration(range: range, chunkSize: chunkSize)
            copy.take(self)
            return copy
        }
    }
#endif

#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// How often and after which pause a command is repeated, of the calls of iOS 11.
    ///
    /// Source: Core NFC, NFCTagCommandConfiguration.
    open class NFCTagCommandConfiguration: NSObject, NSCopying {
        /// How often at most, 0 to 256; 0 to begin with.
        open var maximumRetries = 0

        /// The pause in seconds; 0 to begin with.
        open var retryInterval: TimeInterval = 0

        /// Creates the settings for a command that is not repeated.
        public override init() {
            super.init()
        }

        /// A copy with the same settings.
        open func copy(with zone: NSZone? = nil) -> Any {
            let copy = NFCTagCommandConfiguration()
            copy.take(self)
            return copy
        }

        /// Takes the settings of another object.
        func take(_ other: NFCTagCommandConfiguration) {
            maximumRetries = other.maximumRetries
            retryInterval = other.retryInterval
        }
    }

    /// A command of a manufacturer's own, of the calls of iOS 11.
    ///
    /// Source: Core NFC, NFCISO15693CustomCommandConfiguration.
    open class NFCISO15693CustomCommandConfiguration: NFCTagCommandConfiguration {
        /// The code of the manufacturer, one byte.
        open var manufacturerCode: Int

        /// The code of the command, A0 to DF.
        open var customCommandCode: Int

        /// What follows the codes.
        open var requestParameters: Data

        /// Creates a command that is not repeated.
        public init(manufacturerCode: Int, customCommandCode: Int, requestParameters: Data?) {
            self.manufacturerCode = manufacturerCode
            self.customCommandCode = customCommandCode
            self.requestParameters = requestParameters ?? Data()
            super.init()
        }

        /// Creates a command with its repetitions.
        public init(
            manufacturerCode: Int, customCommandCode: Int, requestParameters: Data?, maximumRetries: Int,
            retryInterval: TimeInterval
        ) {
            self.manufacturerCode = manufacturerCode
            self.customCommandCode = customCommandCode
            self.requestParameters = requestParameters ?? Data()
            super.init()
            self.maximumRetries = maximumRetries
            self.retryInterval = retryInterval
        }

        /// A copy with the same settings.
        open override func copy(with zone: NSZone? = nil) -> Any {
            let copy = NFCISO15693CustomCommandConfiguration(
                manufacturerCode: manufacturerCode, customCommandCode: customCommandCode,
                requestParameters: requestParameters)
            copy.take(self)
            return copy
        }
    }

    /// Which blocks to read at a time, of the calls of iOS 11.
    ///
    /// Source: Core NFC, NFCISO15693ReadMultipleBlocksConfiguration.
    open class NFCISO15693ReadMultipleBlocksConfiguration: NFCTagCommandConfiguration {
        /// The blocks.
        open var range: NSRange

        /// How many of them one command reads.
        open var chunkSize: Int

        /// Creates settings for commands that are not repeated.
        public init(range: NSRange, chunkSize: Int) {
            self.range = range
            self.chunkSize = chunkSize
            super.init()
        }

        /// Creates settings for commands with their repetitions.
        public init(range: NSRange, chunkSize: Int, maximumRetries: Int, retryInterval: TimeInterval) {
            self.range = range
            self.chunkSize = chunkSize
            super.init()
            self.maximumRetries = maximumRetries
            self.retryInterval = retryInterval
        }

        /// A copy with the same settings.
        open override func copy(with zone: NSZone? = nil) -> Any {
            let copy = NFCISO15693ReadMultipleBlocksConfiguration(range: range, chunkSize: chunkSize)
            copy.take(self)
            return copy
        }
    }
#endif

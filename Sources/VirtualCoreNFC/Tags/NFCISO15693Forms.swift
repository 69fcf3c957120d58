#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    // The `async` forms of what reads and writes blocks.
    extension NFCISO15693Tag {
        /// Silences the tag until it leaves the field.
        public nonisolated(nonsending) func stayQuiet() async throws {
            try await answer { reply in stayQuiet { error in reply((), error) } }
        }

        /// Reads a block.
        public nonisolated(nonsending) func readSingleBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8
        ) async throws -> Data {
            try await answer { reply in
                readSingleBlock(requestFlags: flags, blockNumber: blockNumber, completionHandler: reply)
            }
        }

        /// Writes a block.
        public nonisolated(nonsending) func writeSingleBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, dataBlock: Data
        ) async throws {
            try await answer { reply in
                writeSingleBlock(requestFlags: flags, blockNumber: blockNumber, dataBlock: dataBlock) { error in
                    reply((), error)
                }
            }
        }

        /// Makes a block read-only for ever.
        public nonisolated(nonsending) func lockBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8
        ) async throws {
            try await answer { reply in
                lockBlock(requestFlags: flags, blockNumber: blockNumber) { error in reply((), error) }
            }
        }

        /// Reads blocks, one value each.
        public nonisolated(nonsending) func readMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
        ) async throws -> [Data] {
            try await answer { reply in
                readMultipleBlocks(requestFlags: flags, blockRange: blockRange, completionHandler: reply)
            }
        }

        /// Writes blocks.
        public nonisolated(nonsending) func writeMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data]
        ) async throws {
            try await answer { reply in
                writeMultipleBlocks(requestFlags: flags, blockRange: blockRange, dataBlocks: dataBlocks) { error in
                    reply((), error)
                }
            }
        }

        /// Reads a block with a number of two bytes.
        public nonisolated(nonsending) func extendedReadSingleBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int
        ) async throws -> Data {
            try await answer { reply in
                extendedReadSingleBlock(requestFlags: flags, blockNumber: blockNumber, completionHandler: reply)
            }
        }

        /// Writes a block with a number of two bytes.
        public nonisolated(nonsending) func extendedWriteSingleBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, dataBlock: Data
        ) async throws {
            try await answer { reply in
                extendedWriteSingleBlock(requestFlags: flags, blockNumber: blockNumber, dataBlock: dataBlock) { error in
                    reply((), error)
                }
            }
        }

        /// Makes a block with a number of two bytes read-only for ever.
        public nonisolated(nonsending) func extendedLockBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int
        ) async throws {
            try await answer { reply in
                extendedLockBlock(requestFlags: flags, blockNumber: blockNumber) { error in reply((), error) }
            }
        }

        /// Reads blocks with numbers of two bytes.
        public nonisolated(nonsending) func extendedReadMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
        ) async throws -> [Data] {
            try await answer { reply in
                extendedReadMultipleBlocks(requestFlags: flags, blockRange: blockRange, completionHandler: reply)
            }
        }

        /// Sends a command of the manufacturer, as of iOS 11.
        public nonisolated(nonsending) func sendCustomCommand(
            commandConfiguration: NFCISO15693CustomCommandConfiguration
        ) async throws -> Data {
            try await answer { reply in
                sendCustomCommand(commandConfiguration: commandConfiguration, completionHandler: reply)
            }
        }

        /// Reads blocks into one value, as of iOS 11.
        public nonisolated(nonsending) func readMultipleBlock(
            readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration
        ) async throws -> Data {
            try await answer { reply in
                readMultipleBlock(readConfiguration: readConfiguration, completionHandler: reply)
            }
        }
    }

    // The `async` forms of what concerns the tag as a whole.
    extension NFCISO15693Tag {
        /// Puts the tag into the state selected.
        public nonisolated(nonsending) func select(requestFlags flags: NFCISO15693RequestFlag) async throws {
            try await answer { reply in select(requestFlags: flags) { error in reply((), error) } }
        }

        /// Puts the tag back into the state ready.
        public nonisolated(nonsending) func resetToReady(requestFlags flags: NFCISO15693RequestFlag) async throws {
            try await answer { reply in resetToReady(requestFlags: flags) { error in reply((), error) } }
        }

        /// Writes the application family identifier.
        public nonisolated(nonsending) func writeAFI(
            requestFlags flags: NFCISO15693RequestFlag, afi: UInt8
        ) async throws {
            try await answer { reply in writeAFI(requestFlags: flags, afi: afi) { error in reply((), error) } }
        }

        /// Makes the application family identifier read-only for ever.
        public nonisolated(nonsending) func lockAFI(requestFlags flags: NFCISO15693RequestFlag) async throws {
            try await answer { reply in lockAFI(requestFlags: flags) { error in reply((), error) } }
        }

        /// Writes the data storage format identifier.
        public nonisolated(nonsending) func writeDSFID(
            requestFlags flags: NFCISO15693RequestFlag, dsfid: UInt8
        ) async throws {
            try await answer { reply in writeDSFID(requestFlags: flags, dsfid: dsfid) { error in reply((), error) } }
        }

        /// Makes the data storage format identifier read-only for ever, by the misspelt name of iOS 13.
        @available(*, deprecated, renamed: "lockDSFID(requestFlags:)")
        public nonisolated(nonsending) func lockDFSID(requestFlags flags: NFCISO15693RequestFlag) async throws {
            try await answer { reply in lockDFSID(requestFlags: flags) { error in reply((), error) } }
        }

        /// Makes the data storage format identifier read-only for ever.
        public nonisolated(nonsending) func lockDSFID(requestFlags flags: NFCISO15693RequestFlag) async throws {
            try await answer { reply in lockDSFID(requestFlags: flags) { error in reply((), error) } }
        }

        /// Asks for DSFID, AFI, block size, number of blocks and IC reference; -1 stands for what the tag lacks.
        @available(*, deprecated, renamed: "systemInfo(requestFlags:)")
        public nonisolated(nonsending) func getSystemInfo(
            requestFlags flags: NFCISO15693RequestFlag
        ) async throws -> (Int, Int, Int, Int, Int) {
            try await answer { reply in
                getSystemInfo(requestFlags: flags) { dsfid, afi, size, count, reference, error in
                    reply((dsfid, afi, size, count, reference), error)
                }
            }
        }

        /// Asks for the security status of blocks, one number each.
        public nonisolated(nonsending) func getMultipleBlockSecurityStatus(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
        ) async throws -> [NSNumber] {
            try await answer { reply in
                getMultipleBlockSecurityStatus(requestFlags: flags, blockRange: blockRange, completionHandler: reply)
            }
        }

        /// Sends a command of the manufacturer, code A0 to DF.
        public nonisolated(nonsending) func customCommand(
            requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int, customRequestParameters: Data
        ) async throws -> Data {
            try await answer { reply in
                customCommand(
                    requestFlags: flags, customCommandCode: customCommandCode,
                    customRequestParameters: customRequestParameters, completionHandler: reply)
            }
        }
    }

    // The forms with a result of the requirements until iOS 13.
    extension NFCISO15693Tag {
        /// Reads a block.
        @preconcurrency
        public func readSingleBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
            resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
        ) {
            readSingleBlock(requestFlags: flags, blockNumber: blockNumber) { data, error in
                resultHandler(outcome(data, error))
            }
        }

        /// Reads blocks, one value each.
        @preconcurrency
        public func readMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
            resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
        ) {
            readMultipleBlocks(requestFlags: flags, blockRange: blockRange) { data, error in
                resultHandler(outcome(data, error))
            }
        }

        /// Sends a command of the manufacturer, code A0 to DF.
        @preconcurrency
        public func customCommand(
            requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int, customRequestParameters: Data,
            resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
        ) {
            customCommand(
                requestFlags: flags, customCommandCode: customCommandCode,
                customRequestParameters: customRequestParameters
            ) { data, error in resultHandler(outcome(data, error)) }
        }

        /// Reads a block with a number of two bytes.
        @preconcurrency
        public func extendedReadSingleBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
            resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
        ) {
            extendedReadSingleBlock(requestFlags: flags, blockNumber: blockNumber) { data, error in
                resultHandler(outcome(data, error))
            }
        }
    }

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

    /// What Get System Information answered.
    ///
    /// Source: Core NFC, NFCISO15693SystemInfo; ISO/IEC 15693-3, "get system information".
    public struct NFCISO15693SystemInfo {
        /// The UID, 8 bytes.
        public var uniqueIdentifier: Data
        /// The DSFID, or -1 where the tag has none.
        public var dataStorageFormatIdentifier: Int
        /// The AFI, or -1 where the tag has none.
        public var applicationFamilyIdentifier: Int
        /// Bytes of a block, or -1 where the tag does not tell.
        public var blockSize: Int
        /// Number of blocks, or -1 where the tag does not tell.
        public var totalBlocks: Int
        /// The IC reference, or -1 where the tag has none.
        public var icReference: Int

        /// Creates a response.
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
        /// A byte for each block, in their order.
        public var blockSecurityStatus: [Int]

        /// Creates a response.
        public init(blockSecurityStatus: [Int]) {
            self.blockSecurityStatus = blockSecurityStatus
        }
    }

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

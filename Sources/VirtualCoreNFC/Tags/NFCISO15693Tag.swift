#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// An ISO/IEC 15693 tag, for apps that handle such tags and for their test doubles; no such tag is simulated.
    ///
    /// Doubles implement the methods with a handler. Source: Core NFC, NFCISO15693Tag; ISO/IEC 15693-3.
    public protocol NFCISO15693Tag: NFCNDEFTag, __NFCTag {
        var identifier: Data { get }
        var icManufacturerCode: Int { get }
        var icSerialNumber: Data { get }
        @preconcurrency func stayQuiet(completionHandler: @escaping NFCCompletion)
        @preconcurrency func readSingleBlock(
            requestFlags: RequestFlag, blockNumber: UInt8, completionHandler: @escaping NFCReply<Data>)
        @preconcurrency func writeSingleBlock(
            requestFlags: RequestFlag, blockNumber: UInt8, dataBlock: Data, completionHandler: @escaping NFCCompletion)
        @preconcurrency func lockBlock(
            requestFlags: RequestFlag, blockNumber: UInt8, completionHandler: @escaping NFCCompletion)
        @preconcurrency func readMultipleBlocks(
            requestFlags: RequestFlag, blockRange: NSRange, completionHandler: @escaping NFCReply<[Data]>)
        @preconcurrency func writeMultipleBlocks(
            requestFlags: RequestFlag, blockRange: NSRange, dataBlocks: [Data],
            completionHandler: @escaping NFCCompletion)
        @preconcurrency func select(requestFlags: RequestFlag, completionHandler: @escaping NFCCompletion)
        @preconcurrency func resetToReady(requestFlags: RequestFlag, completionHandler: @escaping NFCCompletion)
        @preconcurrency func writeAFI(requestFlags: RequestFlag, afi: UInt8, completionHandler: @escaping NFCCompletion)
        @preconcurrency func lockAFI(requestFlags: RequestFlag, completionHandler: @escaping NFCCompletion)
        @preconcurrency func writeDSFID(
            requestFlags: RequestFlag, dsfid: UInt8, completionHandler: @escaping NFCCompletion)
        @available(*, deprecated, renamed: "lockDSFID(requestFlags:completionHandler:)")
        @preconcurrency func lockDFSID(requestFlags: RequestFlag, completionHandler: @escaping NFCCompletion)
        @preconcurrency func lockDSFID(requestFlags: RequestFlag, completionHandler: @escaping NFCCompletion)
        @preconcurrency func getSystemInfo(
            requestFlags: RequestFlag,
            completionHandler: @escaping @Sendable (Int, Int, Int, Int, Int, (any Error)?) -> Void)
        @preconcurrency func getMultipleBlockSecurityStatus(
            requestFlags: RequestFlag, blockRange: NSRange, completionHandler: @escaping NFCReply<[NSNumber]>)
        @preconcurrency func customCommand(
            requestFlags: RequestFlag, customCommandCode: Int, customRequestParameters: Data,
            completionHandler: @escaping NFCReply<Data>)
        @preconcurrency func extendedReadSingleBlock(
            requestFlags: RequestFlag, blockNumber: Int, completionHandler: @escaping NFCReply<Data>)
        @preconcurrency func extendedWriteSingleBlock(
            requestFlags: RequestFlag, blockNumber: Int, dataBlock: Data, completionHandler: @escaping NFCCompletion)
        @preconcurrency func extendedLockBlock(
            requestFlags: RequestFlag, blockNumber: Int, completionHandler: @escaping NFCCompletion)
        @preconcurrency func extendedReadMultipleBlocks(
            requestFlags: RequestFlag, blockRange: NSRange, completionHandler: @escaping NFCReply<[Data]>)
        @preconcurrency func sendCustomCommand(
            commandConfiguration: NFCISO15693CustomCommandConfiguration, completionHandler: @escaping NFCReply<Data>)
        @preconcurrency func readMultipleBlock(
            readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration, completionHandler: @escaping NFCReply<Data>)
    }

    // The `async` methods.
    extension NFCISO15693Tag {
        public func stayQuiet() async throws { try await answer(stayQuiet) }
        public func readSingleBlock(requestFlags: RequestFlag, blockNumber: UInt8) async throws -> Data {
            try await answer {
                readSingleBlock(requestFlags: requestFlags, blockNumber: blockNumber, completionHandler: $0)
            }
        }
        public func writeSingleBlock(requestFlags: RequestFlag, blockNumber: UInt8, dataBlock: Data) async throws {
            try await answer {
                writeSingleBlock(
                    requestFlags: requestFlags, blockNumber: blockNumber, dataBlock: dataBlock, completionHandler: $0)
            }
        }
        public func lockBlock(requestFlags: RequestFlag, blockNumber: UInt8) async throws {
            try await answer { lockBlock(requestFlags: requestFlags, blockNumber: blockNumber, completionHandler: $0) }
        }
        public func readMultipleBlocks(requestFlags: RequestFlag, blockRange: NSRange) async throws -> [Data] {
            try await answer {
                readMultipleBlocks(requestFlags: requestFlags, blockRange: blockRange, completionHandler: $0)
            }
        }
        public func writeMultipleBlocks(requestFlags: RequestFlag, blockRange: NSRange, dataBlocks: [Data]) async throws
        {
            try await answer {
                writeMultipleBlocks(
                    requestFlags: requestFlags, blockRange: blockRange, dataBlocks: dataBlocks, completionHandler: $0)
            }
        }
        public func extendedReadSingleBlock(requestFlags: RequestFlag, blockNumber: Int) async throws -> Data {
            try await answer {
                extendedReadSingleBlock(requestFlags: requestFlags, blockNumber: blockNumber, completionHandler: $0)
            }
        }
        public func extendedWriteSingleBlock(requestFlags: RequestFlag, blockNumber: Int, dataBlock: Data) async throws
        {
            try await answer {
                extendedWriteSingleBlock(
                    requestFlags: requestFlags, blockNumber: blockNumber, dataBlock: dataBlock, completionHandler: $0)
            }
        }
        public func extendedLockBlock(requestFlags: RequestFlag, blockNumber: Int) async throws {
            try await answer {
                extendedLockBlock(requestFlags: requestFlags, blockNumber: blockNumber, completionHandler: $0)
            }
        }
        public func extendedReadMultipleBlocks(requestFlags: RequestFlag, blockRange: NSRange) async throws -> [Data] {
            try await answer {
                extendedReadMultipleBlocks(requestFlags: requestFlags, blockRange: blockRange, completionHandler: $0)
            }
        }
        public func sendCustomCommand(
            commandConfiguration: NFCISO15693CustomCommandConfiguration
        ) async throws -> Data {
            try await answer { sendCustomCommand(commandConfiguration: commandConfiguration, completionHandler: $0) }
        }
        public func readMultipleBlock(
            readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration
        ) async throws -> Data {
            try await answer { readMultipleBlock(readConfiguration: readConfiguration, completionHandler: $0) }
        }
        public func select(requestFlags: RequestFlag) async throws {
            try await answer { select(requestFlags: requestFlags, completionHandler: $0) }
        }
        public func resetToReady(requestFlags: RequestFlag) async throws {
            try await answer { resetToReady(requestFlags: requestFlags, completionHandler: $0) }
        }
        public func writeAFI(requestFlags: RequestFlag, afi: UInt8) async throws {
            try await answer { writeAFI(requestFlags: requestFlags, afi: afi, completionHandler: $0) }
        }
        public func lockAFI(requestFlags: RequestFlag) async throws {
            try await answer { lockAFI(requestFlags: requestFlags, completionHandler: $0) }
        }
        public func writeDSFID(requestFlags: RequestFlag, dsfid: UInt8) async throws {
            try await answer { writeDSFID(requestFlags: requestFlags, dsfid: dsfid, completionHandler: $0) }
        }
        @available(*, deprecated, renamed: "lockDSFID(requestFlags:)")
        public func lockDFSID(requestFlags: RequestFlag) async throws {
            try await answer { lockDFSID(requestFlags: requestFlags, completionHandler: $0) }
        }
        public func lockDSFID(requestFlags: RequestFlag) async throws {
            try await answer { lockDSFID(requestFlags: requestFlags, completionHandler: $0) }
        }
        @available(*, deprecated, renamed: "systemInfo(requestFlags:)")
        public func getSystemInfo(requestFlags: RequestFlag) async throws -> (Int, Int, Int, Int, Int) {
            try await answer { reply in
                getSystemInfo(requestFlags: requestFlags) { reply(($0, $1, $2, $3, $4), $5) }
            }
        }
        public func systemInfo(requestFlags: RequestFlag) async throws -> NFCISO15693SystemInfo {
            try await answer { getSystemInfo(requestFlags: requestFlags, resultHandler: $0) }
        }
        public func getMultipleBlockSecurityStatus(
            requestFlags: RequestFlag, blockRange: NSRange
        ) async throws -> [NSNumber] {
            try await answer {
                getMultipleBlockSecurityStatus(
                    requestFlags: requestFlags, blockRange: blockRange, completionHandler: $0)
            }
        }
        public func customCommand(
            requestFlags: RequestFlag, customCommandCode: Int, customRequestParameters: Data
        ) async throws -> Data {
            try await answer {
                customCommand(
                    requestFlags: requestFlags, customCommandCode: customCommandCode,
                    customRequestParameters: customRequestParameters, completionHandler: $0)
            }
        }
    }

    // The methods with a `Result`.
    extension NFCISO15693Tag {
        @preconcurrency public func readSingleBlock(
            requestFlags: RequestFlag, blockNumber: UInt8, resultHandler: @escaping NFCResultHandler<Data>
        ) { readSingleBlock(requestFlags: requestFlags, blockNumber: blockNumber) { resultHandler(outcome($0, $1)) } }
        @preconcurrency public func readMultipleBlocks(
            requestFlags: RequestFlag, blockRange: NSRange, resultHandler: @escaping NFCResultHandler<[Data]>
        ) { readMultipleBlocks(requestFlags: requestFlags, blockRange: blockRange) { resultHandler(outcome($0, $1)) } }
        @preconcurrency public func customCommand(
            requestFlags: RequestFlag, customCommandCode: Int, customRequestParameters: Data,
            resultHandler: @escaping NFCResultHandler<Data>
        ) {
            customCommand(
                requestFlags: requestFlags, customCommandCode: customCommandCode,
                customRequestParameters: customRequestParameters
            ) { resultHandler(outcome($0, $1)) }
        }
        @preconcurrency public func extendedReadSingleBlock(
            requestFlags: RequestFlag, blockNumber: Int, resultHandler: @escaping NFCResultHandler<Data>
        ) {
            extendedReadSingleBlock(requestFlags: requestFlags, blockNumber: blockNumber) {
                resultHandler(outcome($0, $1))
            }
        }
        @preconcurrency public func getSystemInfo(
            requestFlags: RequestFlag, resultHandler: @escaping NFCResultHandler<NFCISO15693SystemInfo>
        ) {
            let identifier = identifier
            getSystemInfo(requestFlags: requestFlags) { format, family, size, count, reference, error in
                let info = NFCISO15693SystemInfo(
                    uniqueIdentifier: identifier, dataStorageFormatIdentifier: format,
                    applicationFamilyIdentifier: family, blockSize: size, totalBlocks: count, icReference: reference)
                resultHandler(outcome(info, error))
            }
        }
    }

    // The calls since iOS 14, which compile but fail with error 1, since no tag here supports them.
    extension NFCISO15693Tag {
        private var unsupported: NFCReaderError {
            NFCReaderError(
                .readerErrorUnsupportedFeature, userInfo: [NSLocalizedDescriptionKey: "Feature not supported"])
        }
        @preconcurrency public func fastReadMultipleBlocks(
            requestFlags: RequestFlag, blockRange: NSRange, resultHandler: @escaping NFCResultHandler<[Data]>
        ) { resultHandler(.failure(unsupported)) }
        public func fastReadMultipleBlocks(requestFlags: RequestFlag, blockRange: NSRange) async throws -> [Data] {
            throw unsupported
        }
        @preconcurrency public func extendedFastReadMultipleBlocks(
            requestFlags: RequestFlag, blockRange: NSRange, resultHandler: @escaping NFCResultHandler<[Data]>
        ) { resultHandler(.failure(unsupported)) }
        public func extendedFastReadMultipleBlocks(requestFlags: RequestFlag, blockRange: NSRange) async throws
            -> [Data]
        {
            throw unsupported
        }
        @preconcurrency public func extendedWriteMultipleBlocks(
            requestFlags: RequestFlag, blockRange: NSRange, dataBlocks: [Data],
            completionHandler: @escaping NFCCompletion
        ) { completionHandler(unsupported) }
        public func extendedWriteMultipleBlocks(
            requestFlags: RequestFlag, blockRange: NSRange, dataBlocks: [Data]
        ) async throws { throw unsupported }
        @preconcurrency public func sendRequest(
            requestFlags: Int, commandCode: Int, data: Data?,
            resultHandler: @escaping NFCResultHandler<(NFCISO15693ResponseFlag, Data?)>
        ) { resultHandler(.failure(unsupported)) }
        public func sendRequest(
            requestFlags: Int, commandCode: Int, data: Data?
        ) async throws -> (NFCISO15693ResponseFlag, Data?) { throw unsupported }
        @preconcurrency public func authenticate(
            requestFlags: RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
            resultHandler: @escaping NFCResultHandler<(NFCISO15693ResponseFlag, Data)>
        ) { resultHandler(.failure(unsupported)) }
        public func authenticate(
            requestFlags: RequestFlag, cryptoSuiteIdentifier: Int, message: Data
        ) async throws -> (NFCISO15693ResponseFlag, Data) { throw unsupported }
        @preconcurrency public func keyUpdate(
            requestFlags: RequestFlag, keyIdentifier: Int, message: Data,
            resultHandler: @escaping NFCResultHandler<(NFCISO15693ResponseFlag, Data)>
        ) { resultHandler(.failure(unsupported)) }
        public func keyUpdate(
            requestFlags: RequestFlag, keyIdentifier: Int, message: Data
        ) async throws -> (NFCISO15693ResponseFlag, Data) { throw unsupported }
        @preconcurrency public func challenge(
            requestFlags: RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
            completionHandler: @escaping NFCCompletion
        ) { completionHandler(unsupported) }
        public func challenge(requestFlags: RequestFlag, cryptoSuiteIdentifier: Int, message: Data) async throws {
            throw unsupported
        }
        @preconcurrency public func readBuffer(
            requestFlags: RequestFlag, resultHandler: @escaping NFCResultHandler<(NFCISO15693ResponseFlag, Data)>
        ) { resultHandler(.failure(unsupported)) }
        public func readBuffer(requestFlags: RequestFlag) async throws -> (NFCISO15693ResponseFlag, Data) {
            throw unsupported
        }
        @preconcurrency public func extendedGetMultipleBlockSecurityStatus(
            requestFlags: RequestFlag, blockRange: NSRange,
            resultHandler: @escaping NFCResultHandler<NFCISO15693MultipleBlockSecurityStatus>
        ) { resultHandler(.failure(unsupported)) }
        public func extendedGetMultipleBlockSecurityStatus(
            requestFlags: RequestFlag, blockRange: NSRange
        ) async throws -> NFCISO15693MultipleBlockSecurityStatus { throw unsupported }
    }
#endif

#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    // swift-format-ignore: NoLeadingUnderscores
    /// A tag of ISO/IEC 15693, for apps that handle such tags and for their doubles; none is simulated.
    ///
    /// Doubles implement the forms with a handler. Source: Core NFC, NFCISO15693Tag; ISO/IEC 15693-3.
    public protocol NFCISO15693Tag: NFCNDEFTag, __NFCTag {
        var identifier: Data { get }
        var icManufacturerCode: Int { get }
        var icSerialNumber: Data { get }
        @preconcurrency func stayQuiet(completionHandler: @escaping NFCCompletion)
        @preconcurrency func readSingleBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, completionHandler: @escaping NFCReply<Data>
        )
        @preconcurrency func writeSingleBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, dataBlock: Data,
            completionHandler: @escaping NFCCompletion
        )
        @preconcurrency func lockBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, completionHandler: @escaping NFCCompletion
        )
        @preconcurrency func readMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
            completionHandler: @escaping NFCReply<[Data]>
        )
        @preconcurrency func writeMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
            completionHandler: @escaping NFCCompletion
        )
        @preconcurrency func select(
            requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping NFCCompletion
        )
        @preconcurrency func resetToReady(
            requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping NFCCompletion
        )
        @preconcurrency func writeAFI(
            requestFlags flags: NFCISO15693RequestFlag, afi: UInt8, completionHandler: @escaping NFCCompletion
        )
        @preconcurrency func lockAFI(
            requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping NFCCompletion
        )
        @preconcurrency func writeDSFID(
            requestFlags flags: NFCISO15693RequestFlag, dsfid: UInt8, completionHandler: @escaping NFCCompletion
        )
        @available(*, deprecated, renamed: "lockDSFID(requestFlags:completionHandler:)")
        @preconcurrency func lockDFSID(
            requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping NFCCompletion
        )
        @preconcurrency func lockDSFID(
            requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping NFCCompletion
        )
        @available(*, deprecated, message: "The form with a result handler gives the UID, too.")
        @preconcurrency func getSystemInfo(
            requestFlags flags: NFCISO15693RequestFlag,
            completionHandler: @escaping @Sendable (Int, Int, Int, Int, Int, (any Error)?) -> Void
        )
        @preconcurrency func getMultipleBlockSecurityStatus(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
            completionHandler: @escaping NFCReply<[NSNumber]>
        )
        @preconcurrency func customCommand(
            requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int, customRequestParameters: Data,
            completionHandler: @escaping NFCReply<Data>
        )
        @preconcurrency func extendedReadSingleBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, completionHandler: @escaping NFCReply<Data>
        )
        @preconcurrency func extendedWriteSingleBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, dataBlock: Data,
            completionHandler: @escaping NFCCompletion
        )
        @preconcurrency func extendedLockBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, completionHandler: @escaping NFCCompletion
        )
        @preconcurrency func extendedReadMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
            completionHandler: @escaping NFCReply<[Data]>
        )
        @preconcurrency func sendCustomCommand(
            commandConfiguration: NFCISO15693CustomCommandConfiguration, completionHandler: @escaping NFCReply<Data>
        )
        @preconcurrency func readMultipleBlock(
            readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration, completionHandler: @escaping NFCReply<Data>
        )

        // Requirements since iOS 14, which apps call by the names without underscores; the default gives error 1.
        @preconcurrency func __getSystemInfoAndUID(
            with flags: NFCISO15693RequestFlag,
            completionHandler: @escaping @Sendable (Data?, Int, Int, Int, Int, Int, (any Error)?) -> Void
        )
        @preconcurrency func __fastReadMultipleBlocks(
            with flags: NFCISO15693RequestFlag, blockRange: NSRange, completionHandler: @escaping NFCReply<[Data]>
        )
        @preconcurrency func __extendedWriteMultipleBlocks(
            withRequestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
            completionHandler: @escaping NFCCompletion
        )
        @preconcurrency func __authenticate(
            withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
        )
        @preconcurrency func __keyUpdate(
            withRequestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
        )
        @preconcurrency func __challenge(
            withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
            completionHandler: @escaping NFCCompletion
        )
        @preconcurrency func __readBuffer(
            withRequestFlags flags: NFCISO15693RequestFlag,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
        )
        @preconcurrency func __extendedGetMultipleBlockSecurityStatus(
            with flags: NFCISO15693RequestFlag, blockRange: NSRange, completionHandler: @escaping NFCReply<[NSNumber]>
        )
        @preconcurrency func __extendedFastReadMultipleBlocks(
            with flags: NFCISO15693RequestFlag, blockRange: NSRange, completionHandler: @escaping NFCReply<[Data]>
        )
        @preconcurrency func __sendRequest(
            withFlag flags: Int, commandCode: Int, data: Data?,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data?, (any Error)?) -> Void
        )
    }

    // Defaults of the requirements since iOS 14, for doubles.
    // swift-format-ignore: NoLeadingUnderscores
    extension NFCISO15693Tag {
        private var unsupported: NFCReaderError {
            NFCReaderError(
                .readerErrorUnsupportedFeature,
                userInfo: [NSLocalizedDescriptionKey: "Feature not supported"])
        }
        @preconcurrency public func __getSystemInfoAndUID(
            with flags: NFCISO15693RequestFlag,
            completionHandler: @escaping @Sendable (Data?, Int, Int, Int, Int, Int, (any Error)?) -> Void
        ) { completionHandler(nil, -1, -1, -1, -1, -1, unsupported) }
        @preconcurrency public func __fastReadMultipleBlocks(
            with flags: NFCISO15693RequestFlag, blockRange: NSRange,
            completionHandler: @escaping NFCReply<[Data]>
        ) { completionHandler([], unsupported) }
        @preconcurrency public func __extendedWriteMultipleBlocks(
            withRequestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
            completionHandler: @escaping NFCCompletion
        ) { completionHandler(unsupported) }
        @preconcurrency public func __authenticate(
            withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
        ) { completionHandler([], Data(), unsupported) }
        @preconcurrency public func __keyUpdate(
            withRequestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
        ) { completionHandler([], Data(), unsupported) }
        @preconcurrency public func __challenge(
            withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
            completionHandler: @escaping NFCCompletion
        ) { completionHandler(unsupported) }
        @preconcurrency public func __readBuffer(
            withRequestFlags flags: NFCISO15693RequestFlag,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
        ) { completionHandler([], Data(), unsupported) }
        @preconcurrency public func __extendedGetMultipleBlockSecurityStatus(
            with flags: NFCISO15693RequestFlag, blockRange: NSRange,
            completionHandler: @escaping NFCReply<[NSNumber]>
        ) { completionHandler([], unsupported) }
        @preconcurrency public func __extendedFastReadMultipleBlocks(
            with flags: NFCISO15693RequestFlag, blockRange: NSRange,
            completionHandler: @escaping NFCReply<[Data]>
        ) { completionHandler([], unsupported) }
        @preconcurrency public func __sendRequest(
            withFlag flags: Int, commandCode: Int, data: Data?,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data?, (any Error)?) -> Void
        ) { completionHandler([], nil, unsupported) }
    }

    // Fast and extended reading and writing, and any request, since iOS 14.
    extension NFCISO15693Tag {
        @preconcurrency public func fastReadMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
            resultHandler: @escaping NFCResultHandler<[Data]>
        ) { __fastReadMultipleBlocks(with: flags, blockRange: blockRange) { resultHandler(outcome($0, $1)) } }
        public nonisolated(nonsending) func fastReadMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
        ) async throws -> [Data] {
            try await answer { fastReadMultipleBlocks(requestFlags: flags, blockRange: blockRange, resultHandler: $0) }
        }
        @preconcurrency public func extendedFastReadMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
            resultHandler: @escaping NFCResultHandler<[Data]>
        ) { __extendedFastReadMultipleBlocks(with: flags, blockRange: blockRange) { resultHandler(outcome($0, $1)) } }
        public nonisolated(nonsending) func extendedFastReadMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
        ) async throws -> [Data] {
            try await answer {
                extendedFastReadMultipleBlocks(requestFlags: flags, blockRange: blockRange, resultHandler: $0)
            }
        }
        @preconcurrency public func extendedWriteMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
            completionHandler: @escaping NFCCompletion
        ) {
            __extendedWriteMultipleBlocks(
                withRequestFlags: flags, blockRange: blockRange, dataBlocks: dataBlocks,
                completionHandler: completionHandler)
        }
        public nonisolated(nonsending) func extendedWriteMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data]
        ) async throws {
            try await answer {
                extendedWriteMultipleBlocks(
                    requestFlags: flags, blockRange: blockRange, dataBlocks: dataBlocks, completionHandler: $0)
            }
        }
        @preconcurrency public func sendRequest(
            requestFlags flags: Int, commandCode: Int, data: Data?,
            resultHandler: @escaping NFCResultHandler<(NFCISO15693ResponseFlag, Data?)>
        ) {
            __sendRequest(withFlag: flags, commandCode: commandCode, data: data) { flag, data, error in
                resultHandler(outcome((flag, data), error))
            }
        }
        public nonisolated(nonsending) func sendRequest(
            requestFlags flags: Int, commandCode: Int, data: Data?
        ) async throws -> (NFCISO15693ResponseFlag, Data?) {
            try await answer {
                sendRequest(requestFlags: flags, commandCode: commandCode, data: data, resultHandler: $0)
            }
        }
    }

    // Authentication, keys and their buffer, since iOS 14.
    extension NFCISO15693Tag {
        @preconcurrency public func authenticate(
            requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
            resultHandler: @escaping NFCResultHandler<(NFCISO15693ResponseFlag, Data)>
        ) {
            __authenticate(withRequestFlags: flags, cryptoSuiteIdentifier: cryptoSuiteIdentifier, message: message) {
                flag, data, error in resultHandler(outcome((flag, data), error))
            }
        }
        public nonisolated(nonsending) func authenticate(
            requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data
        ) async throws -> (NFCISO15693ResponseFlag, Data) {
            try await answer {
                authenticate(
                    requestFlags: flags, cryptoSuiteIdentifier: cryptoSuiteIdentifier, message: message,
                    resultHandler: $0)
            }
        }
        @preconcurrency public func keyUpdate(
            requestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data,
            resultHandler: @escaping NFCResultHandler<(NFCISO15693ResponseFlag, Data)>
        ) {
            __keyUpdate(withRequestFlags: flags, keyIdentifier: keyIdentifier, message: message) { flag, data, error in
                resultHandler(outcome((flag, data), error))
            }
        }
        public nonisolated(nonsending) func keyUpdate(
            requestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data
        ) async throws -> (NFCISO15693ResponseFlag, Data) {
            try await answer {
                keyUpdate(requestFlags: flags, keyIdentifier: keyIdentifier, message: message, resultHandler: $0)
            }
        }
        @preconcurrency public func challenge(
            requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
            completionHandler: @escaping NFCCompletion
        ) {
            __challenge(
                withRequestFlags: flags, cryptoSuiteIdentifier: cryptoSuiteIdentifier, message: message,
                completionHandler: completionHandler)
        }
        public nonisolated(nonsending) func challenge(
            requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data
        ) async throws {
            try await answer {
                challenge(
                    requestFlags: flags, cryptoSuiteIdentifier: cryptoSuiteIdentifier, message: message,
                    completionHandler: $0)
            }
        }
        @preconcurrency public func readBuffer(
            requestFlags flags: NFCISO15693RequestFlag,
            resultHandler: @escaping NFCResultHandler<(NFCISO15693ResponseFlag, Data)>
        ) { __readBuffer(withRequestFlags: flags) { flag, data, error in resultHandler(outcome((flag, data), error)) } }
        public nonisolated(nonsending) func readBuffer(
            requestFlags flags: NFCISO15693RequestFlag
        ) async throws -> (NFCISO15693ResponseFlag, Data) {
            try await answer { readBuffer(requestFlags: flags, resultHandler: $0) }
        }
    }

    // Information on the tag, since iOS 14.
    extension NFCISO15693Tag {
        @preconcurrency public func getSystemInfo(
            requestFlags flags: NFCISO15693RequestFlag, resultHandler: @escaping NFCResultHandler<NFCISO15693SystemInfo>
        ) {
            __getSystemInfoAndUID(with: flags) { uid, dsfid, afi, size, count, reference, error in
                resultHandler(
                    outcome(
                        NFCISO15693SystemInfo(
                            uniqueIdentifier: uid ?? Data(), dataStorageFormatIdentifier: dsfid,
                            applicationFamilyIdentifier: afi, blockSize: size, totalBlocks: count,
                            icReference: reference), error))
            }
        }
        public nonisolated(nonsending) func systemInfo(
            requestFlags flags: NFCISO15693RequestFlag
        ) async throws -> NFCISO15693SystemInfo {
            try await answer { getSystemInfo(requestFlags: flags, resultHandler: $0) }
        }
        @preconcurrency public func extendedGetMultipleBlockSecurityStatus(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
            resultHandler: @escaping NFCResultHandler<NFCISO15693MultipleBlockSecurityStatus>
        ) {
            __extendedGetMultipleBlockSecurityStatus(with: flags, blockRange: blockRange) { statuses, error in
                resultHandler(
                    outcome(
                        NFCISO15693MultipleBlockSecurityStatus(blockSecurityStatus: statuses.map(\.intValue)), error))
            }
        }
        public nonisolated(nonsending) func extendedGetMultipleBlockSecurityStatus(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
        ) async throws -> NFCISO15693MultipleBlockSecurityStatus {
            try await answer {
                extendedGetMultipleBlockSecurityStatus(requestFlags: flags, blockRange: blockRange, resultHandler: $0)
            }
        }
    }
#endif

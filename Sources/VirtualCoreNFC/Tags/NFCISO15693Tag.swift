#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    // swift-format-ignore: NoLeadingUnderscores
    /// A tag of ISO/IEC 15693, for apps that handle such tags and for their doubles; none is simulated.
    ///
    /// Doubles implement the forms with a handler. Source: Core NFC, NFCISO15693Tag; ISO/IEC 15693-3.
    public protocol NFCISO15693Tag: NFCNDEFTag, __NFCTag {
        /// The UID, 8 bytes, the highest first.
        var identifier: Data { get }

        /// The code of the manufacturer, one byte.
        var icManufacturerCode: Int { get }

        /// The serial number, 6 bytes.
        var icSerialNumber: Data { get }

        /// Silences the tag until it leaves the field.
        @preconcurrency
        func stayQuiet(completionHandler: @escaping @Sendable ((any Error)?) -> Void)

        /// Reads a block.
        @preconcurrency
        func readSingleBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
            completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
        )

        /// Writes a block.
        @preconcurrency
        func writeSingleBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, dataBlock: Data,
            completionHandler: @escaping @Sendable ((any Error)?) -> Void
        )

        /// Makes a block read-only for ever.
        @preconcurrency
        func lockBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
            completionHandler: @escaping @Sendable ((any Error)?) -> Void
        )

        /// Reads blocks, one value each.
        @preconcurrency
        func readMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
            completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
        )

        /// Writes blocks.
        @preconcurrency
        func writeMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
            completionHandler: @escaping @Sendable ((any Error)?) -> Void
        )

        /// Puts the tag into the state selected.
        @preconcurrency
        func select(
            requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
        )

        /// Puts the tag back into the state ready.
        @preconcurrency
        func resetToReady(
            requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
        )

        /// Writes the application family identifier.
        @preconcurrency
        func writeAFI(
            requestFlags flags: NFCISO15693RequestFlag, afi: UInt8,
            completionHandler: @escaping @Sendable ((any Error)?) -> Void
        )

        /// Makes the application family identifier read-only for ever.
        @preconcurrency
        func lockAFI(
            requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
        )

        /// Writes the data storage format identifier.
        @preconcurrency
        func writeDSFID(
            requestFlags flags: NFCISO15693RequestFlag, dsfid: UInt8,
            completionHandler: @escaping @Sendable ((any Error)?) -> Void
        )

        /// Makes the data storage format identifier read-only for ever, by the misspelt name of iOS 13.
        @available(*, deprecated, renamed: "lockDSFID(requestFlags:completionHandler:)")
        @preconcurrency
        func lockDFSID(
            requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
        )

        /// Makes the data storage format identifier read-only for ever.
        @preconcurrency
        func lockDSFID(
            requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
        )

        /// Asks for DSFID, AFI, block size, number of blocks and IC reference; -1 stands for what the tag lacks.
        @available(*, deprecated, message: "The form with a result handler gives the UID, too.")
        @preconcurrency
        func getSystemInfo(
            requestFlags flags: NFCISO15693RequestFlag,
            completionHandler: @escaping @Sendable (Int, Int, Int, Int, Int, (any Error)?) -> Void
        )

        /// Asks for the security status of blocks, one number each.
        @preconcurrency
        func getMultipleBlockSecurityStatus(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
            completionHandler: @escaping @Sendable ([NSNumber], (any Error)?) -> Void
        )

        /// Sends a command of the manufacturer, code A0 to DF.
        @preconcurrency
        func customCommand(
            requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int, customRequestParameters: Data,
            completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
        )

        /// Reads a block with a number of two bytes.
        @preconcurrency
        func extendedReadSingleBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
            completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
        )

        /// Writes a block with a number of two bytes.
        @preconcurrency
        func extendedWriteSingleBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, dataBlock: Data,
            completionHandler: @escaping @Sendable ((any Error)?) -> Void
        )

        /// Makes a block with a number of two bytes read-only for ever.
        @preconcurrency
        func extendedLockBlock(
            requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
            completionHandler: @escaping @Sendable ((any Error)?) -> Void
        )

        /// Reads blocks with numbers of two bytes.
        @preconcurrency
        func extendedReadMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
            completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
        )

        /// Sends a command of the manufacturer, as of iOS 11.
        @preconcurrency
        func sendCustomCommand(
            commandConfiguration: NFCISO15693CustomCommandConfiguration,
            completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
        )

        /// Reads blocks into one value, as of iOS 11.
        @preconcurrency
        func readMultipleBlock(
            readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration,
            completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
        )

        // Requirements since iOS 14, which apps call by the names without underscores; where a double lacks one, error 1
        // comes back.

        /// Asks for UID, DSFID, AFI, block size, number of blocks and IC reference.
        @preconcurrency
        func __getSystemInfoAndUID(
            with flags: NFCISO15693RequestFlag,
            completionHandler: @escaping @Sendable (Data?, Int, Int, Int, Int, Int, (any Error)?) -> Void
        )

        /// Reads blocks at the fast rate.
        @preconcurrency
        func __fastReadMultipleBlocks(
            with flags: NFCISO15693RequestFlag, blockRange: NSRange,
            completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
        )

        /// Writes blocks with numbers of two bytes.
        @preconcurrency
        func __extendedWriteMultipleBlocks(
            withRequestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
            completionHandler: @escaping @Sendable ((any Error)?) -> Void
        )

        /// Authenticates by a crypto suite.
        @preconcurrency
        func __authenticate(
            withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
        )

        /// Writes a key.
        @preconcurrency
        func __keyUpdate(
            withRequestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
        )

        /// Sets a challenge, whose outcome the buffer holds.
        @preconcurrency
        func __challenge(
            withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
            completionHandler: @escaping @Sendable ((any Error)?) -> Void
        )

        /// Reads the response buffer.
        @preconcurrency
        func __readBuffer(
            withRequestFlags flags: NFCISO15693RequestFlag,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
        )

        /// Asks for the security status of blocks with numbers of two bytes.
        @preconcurrency
        func __extendedGetMultipleBlockSecurityStatus(
            with flags: NFCISO15693RequestFlag, blockRange: NSRange,
            completionHandler: @escaping @Sendable ([NSNumber], (any Error)?) -> Void
        )

        /// Reads blocks with numbers of two bytes at the fast rate.
        @preconcurrency
        func __extendedFastReadMultipleBlocks(
            with flags: NFCISO15693RequestFlag, blockRange: NSRange,
            completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
        )

        /// Sends any request.
        @preconcurrency
        func __sendRequest(
            withFlag flags: Int, commandCode: Int, data: Data?,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data?, (any Error)?) -> Void
        )
    }

    // What a double need not have: the requirements since iOS 14.
    // swift-format-ignore: NoLeadingUnderscores
    extension NFCISO15693Tag {
        /// Error 1, as a phone answers what it cannot do.
        private var unsupported: NFCReaderError {
            NFCReaderError(
                .readerErrorUnsupportedFeature,
                userInfo: [NSLocalizedDescriptionKey: "Feature not supported"])
        }

        /// Answers with error 1.
        @preconcurrency
        public func __getSystemInfoAndUID(
            with flags: NFCISO15693RequestFlag,
            completionHandler: @escaping @Sendable (Data?, Int, Int, Int, Int, Int, (any Error)?) -> Void
        ) {
            completionHandler(nil, -1, -1, -1, -1, -1, unsupported)
        }

        /// Answers with error 1.
        @preconcurrency
        public func __fastReadMultipleBlocks(
            with flags: NFCISO15693RequestFlag, blockRange: NSRange,
            completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
        ) {
            completionHandler([], unsupported)
        }

        /// Answers with error 1.
        @preconcurrency
        public func __extendedWriteMultipleBlocks(
            withRequestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
            completionHandler: @escaping @Sendable ((any Error)?) -> Void
        ) {
            completionHandler(unsupported)
        }

        /// Answers with error 1.
        @preconcurrency
        public func __authenticate(
            withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
        ) {
            completionHandler([], Data(), unsupported)
        }

        /// Answers with error 1.
        @preconcurrency
        public func __keyUpdate(
            withRequestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
        ) {
            completionHandler([], Data(), unsupported)
        }

        /// Answers with error 1.
        @preconcurrency
        public func __challenge(
            withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
            completionHandler: @escaping @Sendable ((any Error)?) -> Void
        ) {
            completionHandler(unsupported)
        }

        /// Answers with error 1.
        @preconcurrency
        public func __readBuffer(
            withRequestFlags flags: NFCISO15693RequestFlag,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
        ) {
            completionHandler([], Data(), unsupported)
        }

        /// Answers with error 1.
        @preconcurrency
        public func __extendedGetMultipleBlockSecurityStatus(
            with flags: NFCISO15693RequestFlag, blockRange: NSRange,
            completionHandler: @escaping @Sendable ([NSNumber], (any Error)?) -> Void
        ) {
            completionHandler([], unsupported)
        }

        /// Answers with error 1.
        @preconcurrency
        public func __extendedFastReadMultipleBlocks(
            with flags: NFCISO15693RequestFlag, blockRange: NSRange,
            completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
        ) {
            completionHandler([], unsupported)
        }

        /// Answers with error 1.
        @preconcurrency
        public func __sendRequest(
            withFlag flags: Int, commandCode: Int, data: Data?,
            completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data?, (any Error)?) -> Void
        ) {
            completionHandler([], nil, unsupported)
        }
    }

    // Fast and extended reading and writing, and any request, since iOS 14.
    extension NFCISO15693Tag {
        /// Reads blocks at the fast rate.
        @preconcurrency
        public func fastReadMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
            resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
        ) {
            __fastReadMultipleBlocks(with: flags, blockRange: blockRange) { resultHandler(outcome($0, $1)) }
        }

        /// Reads blocks at the fast rate.
        public nonisolated(nonsending) func fastReadMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
        ) async throws -> [Data] {
            try await answer { fastReadMultipleBlocks(requestFlags: flags, blockRange: blockRange, resultHandler: $0) }
        }

        /// Reads blocks with numbers of two bytes at the fast rate.
        @preconcurrency
        public func extendedFastReadMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
            resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
        ) {
            __extendedFastReadMultipleBlocks(with: flags, blockRange: blockRange) { resultHandler(outcome($0, $1)) }
        }

        /// Reads blocks with numbers of two bytes at the fast rate.
        public nonisolated(nonsending) func extendedFastReadMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
        ) async throws -> [Data] {
            try await answer {
                extendedFastReadMultipleBlocks(requestFlags: flags, blockRange: blockRange, resultHandler: $0)
            }
        }

        /// Writes blocks with numbers of two bytes.
        @preconcurrency
        public func extendedWriteMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
            completionHandler: @escaping @Sendable ((any Error)?) -> Void
        ) {
            __extendedWriteMultipleBlocks(
                withRequestFlags: flags, blockRange: blockRange, dataBlocks: dataBlocks,
                completionHandler: completionHandler)
        }

        /// Writes blocks with numbers of two bytes.
        public nonisolated(nonsending) func extendedWriteMultipleBlocks(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data]
        ) async throws {
            try await answer { reply in
                extendedWriteMultipleBlocks(requestFlags: flags, blockRange: blockRange, dataBlocks: dataBlocks) {
                    error in
                    reply((), error)
                }
            }
        }

        /// Sends any request; gives the flags of the answer and its data.
        @preconcurrency
        public func sendRequest(
            requestFlags flags: Int, commandCode: Int, data: Data?,
            resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data?), any Error>) -> Void
        ) {
            __sendRequest(withFlag: flags, commandCode: commandCode, data: data) { flag, data, error in
                resultHandler(outcome((flag, data), error))
            }
        }

        /// Sends any request; gives the flags of the answer and its data.
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
        /// Authenticates by a crypto suite; gives the flags of the answer and its data.
        @preconcurrency
        public func authenticate(
            requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
            resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data), any Error>) -> Void
        ) {
            __authenticate(
                withRequestFlags: flags, cryptoSuiteIdentifier: cryptoSuiteIdentifier, message: message
            ) { flag, data, error in resultHandler(outcome((flag, data), error)) }
        }

        /// Authenticates by a crypto suite; gives the flags of the answer and its data.
        public nonisolated(nonsending) func authenticate(
            requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data
        ) async throws -> (NFCISO15693ResponseFlag, Data) {
            try await answer {
                authenticate(
                    requestFlags: flags, cryptoSuiteIdentifier: cryptoSuiteIdentifier, message: message,
                    resultHandler: $0)
            }
        }

        /// Writes a key; gives the flags of the answer and its data.
        @preconcurrency
        public func keyUpdate(
            requestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data,
            resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data), any Error>) -> Void
        ) {
            __keyUpdate(
                withRequestFlags: flags, keyIdentifier: keyIdentifier, message: message
            ) { flag, data, error in resultHandler(outcome((flag, data), error)) }
        }

        /// Writes a key; gives the flags of the answer and its data.
        public nonisolated(nonsending) func keyUpdate(
            requestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data
        ) async throws -> (NFCISO15693ResponseFlag, Data) {
            try await answer {
                keyUpdate(requestFlags: flags, keyIdentifier: keyIdentifier, message: message, resultHandler: $0)
            }
        }

        /// Sets a challenge, whose outcome ``readBuffer(requestFlags:resultHandler:)`` fetches.
        @preconcurrency
        public func challenge(
            requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
            completionHandler: @escaping @Sendable ((any Error)?) -> Void
        ) {
            __challenge(
                withRequestFlags: flags, cryptoSuiteIdentifier: cryptoSuiteIdentifier, message: message,
                completionHandler: completionHandler)
        }

        /// Sets a challenge, whose outcome ``readBuffer(requestFlags:)`` fetches.
        public nonisolated(nonsending) func challenge(
            requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data
        ) async throws {
            try await answer { reply in
                challenge(requestFlags: flags, cryptoSuiteIdentifier: cryptoSuiteIdentifier, message: message) {
                    error in
                    reply((), error)
                }
            }
        }

        /// Reads the response buffer; gives the flags of the answer and its data.
        @preconcurrency
        public func readBuffer(
            requestFlags flags: NFCISO15693RequestFlag,
            resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data), any Error>) -> Void
        ) {
            __readBuffer(withRequestFlags: flags) { flag, data, error in resultHandler(outcome((flag, data), error)) }
        }

        /// Reads the response buffer; gives the flags of the answer and its data.
        public nonisolated(nonsending) func readBuffer(
            requestFlags flags: NFCISO15693RequestFlag
        ) async throws -> (NFCISO15693ResponseFlag, Data) {
            try await answer { readBuffer(requestFlags: flags, resultHandler: $0) }
        }
    }

    // What tags since iOS 14 tell of themselves.
    extension NFCISO15693Tag {
        /// Asks for UID, DSFID, AFI, block size, number of blocks and IC reference.
        @preconcurrency
        public func getSystemInfo(
            requestFlags flags: NFCISO15693RequestFlag,
            resultHandler: @escaping @Sendable (Result<NFCISO15693SystemInfo, any Error>) -> Void
        ) {
            __getSystemInfoAndUID(with: flags) { uid, dsfid, afi, size, count, reference, error in
                let info = NFCISO15693SystemInfo(
                    uniqueIdentifier: uid ?? Data(), dataStorageFormatIdentifier: dsfid,
                    applicationFamilyIdentifier: afi,
                    blockSize: size, totalBlocks: count, icReference: reference)
                resultHandler(outcome(info, error))
            }
        }

        /// Asks for UID, DSFID, AFI, block size, number of blocks and IC reference.
        public nonisolated(nonsending) func systemInfo(
            requestFlags flags: NFCISO15693RequestFlag
        ) async throws -> NFCISO15693SystemInfo {
            try await answer { getSystemInfo(requestFlags: flags, resultHandler: $0) }
        }

        /// Asks for the security status of blocks with numbers of two bytes.
        @preconcurrency
        public func extendedGetMultipleBlockSecurityStatus(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
            resultHandler: @escaping @Sendable (Result<NFCISO15693MultipleBlockSecurityStatus, any Error>) -> Void
        ) {
            __extendedGetMultipleBlockSecurityStatus(with: flags, blockRange: blockRange) { statuses, error in
                let status = NFCISO15693MultipleBlockSecurityStatus(blockSecurityStatus: statuses.map(\.intValue))
                resultHandler(outcome(status, error))
            }
        }

        /// Asks for the security status of blocks with numbers of two bytes.
        public nonisolated(nonsending) func extendedGetMultipleBlockSecurityStatus(
            requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
        ) async throws -> NFCISO15693MultipleBlockSecurityStatus {
            try await answer {
                extendedGetMultipleBlockSecurityStatus(requestFlags: flags, blockRange: blockRange, resultHandler: $0)
            }
        }
    }
#endif

#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

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
#endif

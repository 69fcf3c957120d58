#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

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
#endif

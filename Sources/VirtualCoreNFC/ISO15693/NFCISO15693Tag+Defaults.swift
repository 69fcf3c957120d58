#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

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
#endif

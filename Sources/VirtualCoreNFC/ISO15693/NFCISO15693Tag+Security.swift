#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

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
#endif

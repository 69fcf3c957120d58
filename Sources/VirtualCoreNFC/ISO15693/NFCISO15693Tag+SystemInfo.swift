#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

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

#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

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
#endif

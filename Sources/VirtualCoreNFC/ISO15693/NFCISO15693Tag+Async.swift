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
#endif

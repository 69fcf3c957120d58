#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    extension NFCFeliCaTag {
        /// Polls for another system of the card; gives PMm and request data.
        public nonisolated(nonsending) func polling(
            systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot
        ) async throws -> (Data, Data) {
            try await answer { reply in
                polling(systemCode: systemCode, requestCode: requestCode, timeSlot: timeSlot) { pmm, data, error in
                    reply((pmm, data), error)
                }
            }
        }

        /// Asks for the key versions of 1 to 32 nodes; `FFFF` stands for a node the card does not have.
        public nonisolated(nonsending) func requestService(nodeCodeList: [Data]) async throws -> [Data] {
            try await answer { reply in requestService(nodeCodeList: nodeCodeList, completionHandler: reply) }
        }

        /// Asks for the mode the card is in, 0 to 3.
        public nonisolated(nonsending) func requestResponse() async throws -> Int {
            try await answer { reply in requestResponse(completionHandler: reply) }
        }

        /// Reads blocks of services without a key; gives both status flags and the blocks.
        public nonisolated(nonsending) func readWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data]
        ) async throws -> (Int, Int, [Data]) {
            try await answer { reply in
                readWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList) {
                    first, second, data, error in
                    reply((first, second, data), error)
                }
            }
        }

        /// Writes blocks of services without a key; gives both status flags.
        public nonisolated(nonsending) func writeWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data], blockData: [Data]
        ) async throws -> (Int, Int) {
            try await answer { reply in
                writeWithoutEncryption(
                    serviceCodeList: serviceCodeList, blockList: blockList, blockData: blockData
                ) { first, second, error in reply((first, second), error) }
            }
        }

        /// Asks for the systems of the card, big endian.
        public nonisolated(nonsending) func requestSystemCode() async throws -> [Data] {
            try await answer { reply in requestSystemCode(completionHandler: reply) }
        }

        /// Asks for key versions by kind of encryption: status flags, encryption, AES versions, DES versions.
        public nonisolated(nonsending) func requestServiceV2(
            nodeCodeList: [Data]
        ) async throws -> (Int, Int, NFCFeliCaEncryptionId, [Data], [Data]) {
            try await answer { reply in
                requestServiceV2(nodeCodeList: nodeCodeList) { first, second, encryption, aes, des, error in
                    reply((first, second, encryption, aes, des), error)
                }
            }
        }

        /// Asks for the versions of the card's system: status flags, basic version, option version.
        public nonisolated(nonsending) func requestSpecificationVersion() async throws -> (Int, Int, Data, Data) {
            try await answer { reply in
                requestSpecificationVersion { first, second, basic, option, error in
                    reply((first, second, basic, option), error)
                }
            }
        }

        /// Puts the card back to mode 0; gives both status flags.
        public nonisolated(nonsending) func resetMode() async throws -> (Int, Int) {
            try await answer { reply in resetMode { first, second, error in reply((first, second), error) } }
        }

        /// Sends a packet that begins with its command code; the answer begins with its length byte.
        public nonisolated(nonsending) func sendFeliCaCommand(commandPacket: Data) async throws -> Data {
            try await answer { reply in sendFeliCaCommand(commandPacket: commandPacket, completionHandler: reply) }
        }
    }
#endif

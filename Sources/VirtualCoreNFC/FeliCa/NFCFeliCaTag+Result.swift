#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    extension NFCFeliCaTag {
        /// Polls for another system of the card.
        @preconcurrency
        public func polling(
            systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
            resultHandler: @escaping @Sendable (Result<NFCFeliCaPollingResponse, any Error>) -> Void
        ) {
            polling(systemCode: systemCode, requestCode: requestCode, timeSlot: timeSlot) { pmm, data, error in
                let requestData = data.isEmpty ? nil : data
                resultHandler(
                    outcome(NFCFeliCaPollingResponse(manufactureParameter: pmm, requestData: requestData), error))
            }
        }

        /// Asks for the key versions of 1 to 32 nodes; `FFFF` stands for a node the card does not have.
        @preconcurrency
        public func requestService(
            nodeCodeList: [Data], resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
        ) {
            requestService(nodeCodeList: nodeCodeList) { versions, error in resultHandler(outcome(versions, error)) }
        }

        /// Asks for the mode the card is in, 0 to 3.
        @preconcurrency
        public func requestResponse(resultHandler: @escaping @Sendable (Result<Int, any Error>) -> Void) {
            requestResponse { mode, error in resultHandler(outcome(mode, error)) }
        }

        /// Reads blocks of services without a key.
        @preconcurrency
        public func readWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data],
            resultHandler: @escaping @Sendable (Result<(NFCFeliCaStatusFlag, [Data]), any Error>) -> Void
        ) {
            readWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList) {
                first, second, data, error in
                resultHandler(outcome((NFCFeliCaStatusFlag(statusFlag1: first, statusFlag2: second), data), error))
            }
        }

        /// Writes blocks of services without a key.
        @preconcurrency
        public func writeWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data], blockData: [Data],
            resultHandler: @escaping @Sendable (Result<NFCFeliCaStatusFlag, any Error>) -> Void
        ) {
            writeWithoutEncryption(
                serviceCodeList: serviceCodeList, blockList: blockList, blockData: blockData
            ) { first, second, error in
                resultHandler(outcome(NFCFeliCaStatusFlag(statusFlag1: first, statusFlag2: second), error))
            }
        }

        /// Asks for the systems of the card, big endian.
        @preconcurrency
        public func requestSystemCode(resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void) {
            requestSystemCode { codes, error in resultHandler(outcome(codes, error)) }
        }

        /// Asks for key versions by kind of encryption; a kind without versions is nothing.
        @preconcurrency
        public func requestServiceV2(
            nodeCodeList: [Data],
            resultHandler: @escaping @Sendable (Result<NFCFeliCaRequsetServiceV2Response, any Error>) -> Void
        ) {
            requestServiceV2(nodeCodeList: nodeCodeList) { first, second, encryption, aes, des, error in
                let response = NFCFeliCaRequsetServiceV2Response(
                    statusFlag1: first, statusFlag2: second, encryptionIdentifier: encryption,
                    nodeKeyVersionListAES: aes.isEmpty ? nil : aes, nodeKeyVersionListDES: des.isEmpty ? nil : des)
                resultHandler(outcome(response, error))
            }
        }

        /// Asks for the versions of the card's system.
        @preconcurrency
        public func requestSpecificationVersion(
            resultHandler: @escaping @Sendable (Result<NFCFeliCaRequestSpecificationVersionResponse, any Error>) -> Void
        ) {
            requestSpecificationVersion { first, second, basic, option, error in
                let response = NFCFeliCaRequestSpecificationVersionResponse(
                    statusFlag1: first, statusFlag2: second, basicVersion: basic.isEmpty ? nil : basic,
                    optionVersion: option.isEmpty ? nil : option)
                resultHandler(outcome(response, error))
            }
        }

        /// Puts the card back to mode 0.
        @preconcurrency
        public func resetMode(resultHandler: @escaping @Sendable (Result<NFCFeliCaStatusFlag, any Error>) -> Void) {
            resetMode { first, second, error in
                resultHandler(outcome(NFCFeliCaStatusFlag(statusFlag1: first, statusFlag2: second), error))
            }
        }

        /// Sends a packet that begins with its command code; the answer begins with its length byte.
        @preconcurrency
        public func sendFeliCaCommand(
            commandPacket: Data, resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
        ) {
            sendFeliCaCommand(commandPacket: commandPacket) { data, error in resultHandler(outcome(data, error)) }
        }
    }
#endif

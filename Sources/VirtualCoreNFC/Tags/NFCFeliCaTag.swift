#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// A FeliCa card.
    ///
    /// Node codes are two bytes, little endian; system codes are two bytes, big endian. If there is no error, the status
    /// flags come from the card. Source: Core NFC, NFCFeliCaTag.
    public protocol NFCFeliCaTag: NFCNDEFTag, __NFCTag {
        /// The system that was polled last.
        var currentSystemCode: Data { get }

        /// The IDm of that system, 8 bytes; empty after a failed Polling.
        var currentIDm: Data { get }

        /// Polls for another system of the card; the handler gets PMm, request data and error.
        @preconcurrency func polling(
            systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
            completionHandler: @escaping @Sendable (Data, Data, (any Error)?) -> Void)

        /// Requests the key versions of 1 to 32 nodes; `FFFF` stands for a node that the card does not have.
        @preconcurrency func requestService(nodeCodeList: [Data], completionHandler: @escaping NFCReply<[Data]>)

        /// Requests the card's mode, 0 to 3.
        @preconcurrency func requestResponse(completionHandler: @escaping NFCReply<Int>)

        /// Reads blocks of services that need no key; the handler gets both status flags, the blocks and the error.
        @preconcurrency func readWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data],
            completionHandler: @escaping @Sendable (Int, Int, [Data], (any Error)?) -> Void)

        /// Writes blocks of services that need no key; the handler gets both status flags and the error.
        @preconcurrency func writeWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data], blockData: [Data],
            completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void)

        /// Requests the card's system codes, big endian.
        @preconcurrency func requestSystemCode(completionHandler: @escaping NFCReply<[Data]>)

        /// Requests key versions by type of encryption: status flags, encryption, AES versions, DES versions, error.
        @preconcurrency func requestServiceV2(
            nodeCodeList: [Data],
            completionHandler:
                @escaping @Sendable (Int, Int, NFCFeliCaEncryptionId, [Data], [Data], (any Error)?) -> Void)

        /// Requests the versions of the card's system: status flags, basic version, option version, error.
        @preconcurrency func requestSpecificationVersion(
            completionHandler: @escaping @Sendable (Int, Int, Data, Data, (any Error)?) -> Void)

        /// Returns the card to mode 0; the handler gets both status flags and the error.
        @preconcurrency func resetMode(completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void)

        /// Sends a packet that begins with its command code; the answer begins with its length byte.
        @preconcurrency func sendFeliCaCommand(commandPacket: Data, completionHandler: @escaping NFCReply<Data>)
    }

    extension NFCFeliCaTag {
        public func polling(
            systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot
        ) async throws -> (Data, Data) {
            try await answer { reply in
                polling(systemCode: systemCode, requestCode: requestCode, timeSlot: timeSlot) { pmm, data, error in
                    reply((pmm, data), error)
                }
            }
        }

        public func requestService(nodeCodeList: [Data]) async throws -> [Data] {
            try await answer { reply in requestService(nodeCodeList: nodeCodeList, completionHandler: reply) }
        }

        public func requestResponse() async throws -> Int {
            try await answer { reply in requestResponse(completionHandler: reply) }
        }

        public func readWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data]
        ) async throws -> (Int, Int, [Data]) {
            try await answer { reply in
                readWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList) {
                    first, second, data, error in
                    reply((first, second, data), error)
                }
            }
        }

        public func writeWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data], blockData: [Data]
        ) async throws -> (Int, Int) {
            try await answer { reply in
                writeWithoutEncryption(
                    serviceCodeList: serviceCodeList, blockList: blockList, blockData: blockData
                ) { first, second, error in reply((first, second), error) }
            }
        }

        public func requestSystemCode() async throws -> [Data] {
            try await answer { reply in requestSystemCode(completionHandler: reply) }
        }

        public func requestServiceV2(
            nodeCodeList: [Data]
        ) async throws -> (Int, Int, NFCFeliCaEncryptionId, [Data], [Data]) {
            try await answer { reply in
                requestServiceV2(nodeCodeList: nodeCodeList) { first, second, encryption, aes, des, error in
                    reply((first, second, encryption, aes, des), error)
                }
            }
        }

        public func requestSpecificationVersion() async throws -> (Int, Int, Data, Data) {
            try await answer { reply in
                requestSpecificationVersion { first, second, basic, option, error in
                    reply((first, second, basic, option), error)
                }
            }
        }

        public func resetMode() async throws -> (Int, Int) {
            try await answer { reply in resetMode { first, second, error in reply((first, second), error) } }
        }

        public func sendFeliCaCommand(commandPacket: Data) async throws -> Data {
            try await answer { reply in sendFeliCaCommand(commandPacket: commandPacket, completionHandler: reply) }
        }
    }

    extension NFCFeliCaTag {
        @preconcurrency public func polling(
            systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
            resultHandler: @escaping NFCResultHandler<NFCFeliCaPollingResponse>
        ) {
            polling(systemCode: systemCode, requestCode: requestCode, timeSlot: timeSlot) { pmm, data, error in
                let requestData = data.isEmpty ? nil : data
                resultHandler(
                    outcome(NFCFeliCaPollingResponse(manufactureParameter: pmm, requestData: requestData), error))
            }
        }

        @preconcurrency public func requestService(
            nodeCodeList: [Data], resultHandler: @escaping NFCResultHandler<[Data]>
        ) {
            requestService(nodeCodeList: nodeCodeList) { resultHandler(outcome($0, $1)) }
        }

        @preconcurrency public func requestResponse(resultHandler: @escaping NFCResultHandler<Int>) {
            requestResponse { resultHandler(outcome($0, $1)) }
        }

        @preconcurrency public func readWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data],
            resultHandler: @escaping NFCResultHandler<(NFCFeliCaStatusFlag, [Data])>
        ) {
            readWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList) {
                first, second, data, error in
                resultHandler(outcome((NFCFeliCaStatusFlag(statusFlag1: first, statusFlag2: second), data), error))
            }
        }

        @preconcurrency public func writeWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data], blockData: [Data],
            resultHandler: @escaping NFCResultHandler<NFCFeliCaStatusFlag>
        ) {
            writeWithoutEncryption(
                serviceCodeList: serviceCodeList, blockList: blockList, blockData: blockData
            ) { first, second, error in
                resultHandler(outcome(NFCFeliCaStatusFlag(statusFlag1: first, statusFlag2: second), error))
            }
        }

        @preconcurrency public func requestSystemCode(resultHandler: @escaping NFCResultHandler<[Data]>) {
            requestSystemCode { resultHandler(outcome($0, $1)) }
        }

        @preconcurrency public func requestServiceV2(
            nodeCodeList: [Data],
            resultHandler: @escaping NFCResultHandler<NFCFeliCaRequsetServiceV2Response>
        ) {
            requestServiceV2(nodeCodeList: nodeCodeList) { first, second, encryption, aes, des, error in
                let response = NFCFeliCaRequsetServiceV2Response(
                    statusFlag1: first, statusFlag2: second, encryptionIdentifier: encryption,
                    nodeKeyVersionListAES: aes.isEmpty ? nil : aes, nodeKeyVersionListDES: des.isEmpty ? nil : des)
                resultHandler(outcome(response, error))
            }
        }

        @preconcurrency public func requestSpecificationVersion(
            resultHandler: @escaping NFCResultHandler<NFCFeliCaRequestSpecificationVersionResponse>
        ) {
            requestSpecificationVersion { first, second, basic, option, error in
                let response = NFCFeliCaRequestSpecificationVersionResponse(
                    statusFlag1: first, statusFlag2: second, basicVersion: basic.isEmpty ? nil : basic,
                    optionVersion: option.isEmpty ? nil : option)
                resultHandler(outcome(response, error))
            }
        }

        @preconcurrency public func resetMode(resultHandler: @escaping NFCResultHandler<NFCFeliCaStatusFlag>) {
            resetMode { first, second, error in
                resultHandler(outcome(NFCFeliCaStatusFlag(statusFlag1: first, statusFlag2: second), error))
            }
        }

        @preconcurrency public func sendFeliCaCommand(
            commandPacket: Data, resultHandler: @escaping NFCResultHandler<Data>
        ) {
            sendFeliCaCommand(commandPacket: commandPacket) { resultHandler(outcome($0, $1)) }
        }
    }

    // Names of iOS 13.

    /// The former name of ``NFCFeliCaPollingRequestCode``.
    @available(*, deprecated, renamed: "NFCFeliCaPollingRequestCode")
    public typealias PollingRequestCode = NFCFeliCaPollingRequestCode

    /// The former name of ``NFCFeliCaPollingTimeSlot``.
    @available(*, deprecated, renamed: "NFCFeliCaPollingTimeSlot")
    public typealias PollingTimeSlot = NFCFeliCaPollingTimeSlot

    /// The former name of ``NFCFeliCaEncryptionId``.
    @available(*, deprecated, renamed: "NFCFeliCaEncryptionId")
    public typealias EncryptionId = NFCFeliCaEncryptionId

    extension NFCFeliCaPollingRequestCode {
        @available(*, deprecated, renamed: "noRequest")
        public static var PollingRequestCodeNoRequest: Self { .noRequest }

        @available(*, deprecated, renamed: "systemCode")
        public static var PollingRequestCodeSystemCode: Self { .systemCode }

        @available(*, deprecated, renamed: "communicationPerformance")
        public static var PollingRequestCodeCommunicationPerformance: Self { .communicationPerformance }
    }

    extension NFCFeliCaPollingTimeSlot {
        @available(*, deprecated, renamed: "max1")
        public static var PollingTimeSlotMax1: Self { .max1 }

        @available(*, deprecated, renamed: "max2")
        public static var PollingTimeSlotMax2: Self { .max2 }

        @available(*, deprecated, renamed: "max4")
        public static var PollingTimeSlotMax4: Self { .max4 }

        @available(*, deprecated, renamed: "max8")
        public static var PollingTimeSlotMax8: Self { .max8 }

        @available(*, deprecated, renamed: "max16")
        public static var PollingTimeSlotMax16: Self { .max16 }
    }

    extension NFCFeliCaEncryptionId {
        @available(*, deprecated, renamed: "AES")
        public static var aes: Self { .AES }

        @available(*, deprecated, renamed: "AES_DES")
        public static var aes_des: Self { .AES_DES }
    }

    /// The answer to Polling.
    ///
    /// Source: Core NFC, NFCFeliCaPollingResponse.
    public struct NFCFeliCaPollingResponse {
        /// PMm, 8 bytes.
        public var manufactureParameter: Data
        /// The requested data, 2 bytes; `nil` if the card has none.
        public var requestData: Data?

        public init(manufactureParameter: Data, requestData: Data?) {
            self.manufactureParameter = manufactureParameter
            self.requestData = requestData
        }
    }

    /// The status flags of a FeliCa command.
    ///
    /// Source: Core NFC, NFCFeliCaStatusFlag; meanings in the FeliCa card user's manual.
    public struct NFCFeliCaStatusFlag {
        /// 0 for success, else `FF` or the number of the failing block list element.
        public var statusFlag1: Int
        /// The error.
        public var statusFlag2: Int

        public init(statusFlag1: Int, statusFlag2: Int) {
            self.statusFlag1 = statusFlag1
            self.statusFlag2 = statusFlag2
        }
    }

    /// The answer to Request Service v2; the name is misspelt like Apple's.
    ///
    /// Source: Core NFC, NFCFeliCaRequsetServiceV2Response.
    public struct NFCFeliCaRequsetServiceV2Response {
        public var statusFlag1: Int
        public var statusFlag2: Int
        public var encryptionIdentifier: NFCFeliCaEncryptionId
        /// The key versions for AES, 2 bytes each, in the order of the nodes.
        public var nodeKeyVersionListAES: [Data]?
        /// The key versions for DES, 2 bytes each, in the order of the nodes.
        public var nodeKeyVersionListDES: [Data]?

        public init(
            statusFlag1: Int, statusFlag2: Int, encryptionIdentifier: NFCFeliCaEncryptionId,
            nodeKeyVersionListAES: [Data]?, nodeKeyVersionListDES: [Data]?
        ) {
            self.statusFlag1 = statusFlag1
            self.statusFlag2 = statusFlag2
            self.encryptionIdentifier = encryptionIdentifier
            self.nodeKeyVersionListAES = nodeKeyVersionListAES
            self.nodeKeyVersionListDES = nodeKeyVersionListDES
        }
    }

    /// The answer to Request Specification Version.
    ///
    /// Source: Core NFC, NFCFeliCaRequestSpecificationVersionResponse.
    public struct NFCFeliCaRequestSpecificationVersionResponse {
        public var statusFlag1: Int
        public var statusFlag2: Int
        /// The version of the card's system, 2 bytes in BCD, little endian.
        public var basicVersion: Data?
        /// The versions of its options, 2 bytes each.
        public var optionVersion: Data?

        public init(statusFlag1: Int, statusFlag2: Int, basicVersion: Data?, optionVersion: Data?) {
            self.statusFlag1 = statusFlag1
            self.statusFlag2 = statusFlag2
            self.basicVersion = basicVersion
            self.optionVersion = optionVersion
        }
    }

    /// The data that Polling requests in addition to IDm and PMm.
    ///
    /// Source: Core NFC, NFCFeliCaPollingRequestCode.
    public enum NFCFeliCaPollingRequestCode: Int, Sendable {
        case noRequest = 0
        case systemCode = 1
        /// The bit rates of the card.
        case communicationPerformance = 2
    }

    /// The number of time slots for answers to Polling.
    ///
    /// Source: Core NFC, NFCFeliCaPollingTimeSlot.
    public enum NFCFeliCaPollingTimeSlot: Int, Sendable {
        case max1 = 0
        case max2 = 1
        case max4 = 3
        case max8 = 7
        case max16 = 15
    }

    /// The types of encryption in an answer to Request Service v2.
    ///
    /// Source: Core NFC, NFCFeliCaEncryptionId.
    public enum NFCFeliCaEncryptionId: Int, Sendable {
        case AES = 0x4F
        case AES_DES = 0x41
    }
#endif

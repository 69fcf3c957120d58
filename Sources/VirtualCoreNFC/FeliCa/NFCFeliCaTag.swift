#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// A FeliCa card.
    ///
    /// Node codes are two bytes, little endian; system codes two bytes, big endian. Where an error is nothing, the status
    /// flags hold the card's verdict. Source: Core NFC, NFCFeliCaTag.
    public protocol NFCFeliCaTag: NFCNDEFTag, __NFCTag {
        /// The system the card was polled with last.
        var currentSystemCode: Data { get }

        /// The IDm of that system, 8 bytes; empty after a polling that failed.
        var currentIDm: Data { get }

        /// Polls for another system of the card; the handler gets PMm, request data and error.
        @preconcurrency
        func polling(
            systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
            completionHandler: @escaping @Sendable (Data, Data, (any Error)?) -> Void)

        /// Asks for the key versions of 1 to 32 nodes; `FFFF` stands for a node the card does not have.
        @preconcurrency
        func requestService(
            nodeCodeList: [Data], completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void)

        /// Asks for the mode the card is in, 0 to 3.
        @preconcurrency
        func requestResponse(completionHandler: @escaping @Sendable (Int, (any Error)?) -> Void)

        /// Reads blocks of services without a key; the handler gets both status flags, the blocks and the error.
        @preconcurrency
        func readWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data],
            completionHandler: @escaping @Sendable (Int, Int, [Data], (any Error)?) -> Void)

        /// Writes blocks of services without a key; the handler gets both status flags and the error.
        @preconcurrency
        func writeWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data], blockData: [Data],
            completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void)

        /// Asks for the systems of the card, big endian.
        @preconcurrency
        func requestSystemCode(completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void)

        /// Asks for key versions by kind of encryption: status flags, encryption, AES versions, DES versions, error.
        @preconcurrency
        func requestServiceV2(
            nodeCodeList: [Data],
            completionHandler:
                @escaping @Sendable (Int, Int, NFCFeliCaEncryptionId, [Data], [Data], (any Error)?) -> Void)

        /// Asks for the versions of the card's system: status flags, basic version, option version, error.
        @preconcurrency
        func requestSpecificationVersion(
            completionHandler: @escaping @Sendable (Int, Int, Data, Data, (any Error)?) -> Void)

        /// Puts the card back to mode 0; the handler gets both status flags and the error.
        @preconcurrency
        func resetMode(completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void)

        /// Sends a packet that begins with its command code; the answer begins with its length byte.
        @preconcurrency
        func sendFeliCaCommand(
            commandPacket: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
    }
#endif

#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// What Polling answered.
    ///
    /// Source: Core NFC, NFCFeliCaPollingResponse.
    public struct NFCFeliCaPollingResponse {
        /// PMm, 8 bytes.
        public var manufactureParameter: Data
        /// What the request code asked for, 2 bytes; nothing where the card has none of it.
        public var requestData: Data?

        /// Creates a response.
        public init(manufactureParameter: Data, requestData: Data?) {
            self.manufactureParameter = manufactureParameter
            self.requestData = requestData
        }
    }

    /// The status flags of a FeliCa command.
    ///
    /// Source: Core NFC, NFCFeliCaStatusFlag; meanings in the FeliCa card user's manual.
    public struct NFCFeliCaStatusFlag {
        /// 0 where all went well, else `FF` or the number of the block list element at fault.
        public var statusFlag1: Int
        /// What went wrong.
        public var statusFlag2: Int

        /// Creates a pair of flags.
        public init(statusFlag1: Int, statusFlag2: Int) {
            self.statusFlag1 = statusFlag1
            self.statusFlag2 = statusFlag2
        }
    }

    /// What Request Service v2 answered; the name is misspelt as Apple's is.
    ///
    /// Source: Core NFC, NFCFeliCaRequsetServiceV2Response.
    public struct NFCFeliCaRequsetServiceV2Response {
        /// 0 where all went well.
        public var statusFlag1: Int
        /// What went wrong.
        public var statusFlag2: Int
        /// The kinds of encryption the card has.
        public var encryptionIdentifier: NFCFeliCaEncryptionId
        /// Key versions for AES, 2 bytes each in the order of the nodes.
        public var nodeKeyVersionListAES: [Data]?
        /// Key versions for DES, 2 bytes each in the order of the nodes.
        public var nodeKeyVersionListDES: [Data]?

        /// Creates a response.
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

    /// What Request Specification Version answered.
    ///
    /// Source: Core NFC, NFCFeliCaRequestSpecificationVersionResponse.
    public struct NFCFeliCaRequestSpecificationVersionResponse {
        /// 0 where all went well.
        public var statusFlag1: Int
        /// What went wrong.
        public var statusFlag2: Int
        /// The version of the card's system, 2 bytes in BCD, little endian.
        public var basicVersion: Data?
        /// The versions of its options, 2 bytes each.
        public var optionVersion: Data?

        /// Creates a response.
        public init(statusFlag1: Int, statusFlag2: Int, basicVersion: Data?, optionVersion: Data?) {
            self.statusFlag1 = statusFlag1
            self.statusFlag2 = statusFlag2
            self.basicVersion = basicVersion
            self.optionVersion = optionVersion
        }
    }
#endif

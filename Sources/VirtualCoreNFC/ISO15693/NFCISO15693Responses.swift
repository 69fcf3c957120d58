#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// What Get System Information answered.
    ///
    /// Source: Core NFC, NFCISO15693SystemInfo; ISO/IEC 15693-3, "get system information".
    public struct NFCISO15693SystemInfo {
        /// The UID, 8 bytes.
        public var uniqueIdentifier: Data
        /// The DSFID, or -1 where the tag has none.
        public var dataStorageFormatIdentifier: Int
        /// The AFI, or -1 where the tag has none.
        public var applicationFamilyIdentifier: Int
        /// Bytes of a block, or -1 where the tag does not tell.
        public var blockSize: Int
        /// Number of blocks, or -1 where the tag does not tell.
        public var totalBlocks: Int
        /// The IC reference, or -1 where the tag has none.
        public var icReference: Int

        /// Creates a response.
        public init(
            uniqueIdentifier: Data, dataStorageFormatIdentifier: Int, applicationFamilyIdentifier: Int, blockSize: Int,
            totalBlocks: Int, icReference: Int
        ) {
            self.uniqueIdentifier = uniqueIdentifier
            self.dataStorageFormatIdentifier = dataStorageFormatIdentifier
            self.applicationFamilyIdentifier = applicationFamilyIdentifier
            self.blockSize = blockSize
            self.totalBlocks = totalBlocks
            self.icReference = icReference
        }
    }

    /// The security status of several blocks.
    ///
    /// Source: Core NFC, NFCISO15693MultipleBlockSecurityStatus.
    public struct NFCISO15693MultipleBlockSecurityStatus {
        /// A byte for each block, in their order.
        public var blockSecurityStatus: [Int]

        /// Creates a response.
        public init(blockSecurityStatus: [Int]) {
            self.blockSecurityStatus = blockSecurityStatus
        }
    }
#endif

#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    /// What Polling asks for besides IDm and PMm.
    ///
    /// Source: Core NFC, NFCFeliCaPollingRequestCode.
    public enum NFCFeliCaPollingRequestCode: Int, Sendable {
        /// Nothing.
        case noRequest = 0
        /// The system code.
        case systemCode = 1
        /// The speeds the card can communicate at.
        case communicationPerformance = 2
    }

    /// How many slots cards have to answer Polling in.
    ///
    /// Source: Core NFC, NFCFeliCaPollingTimeSlot.
    public enum NFCFeliCaPollingTimeSlot: Int, Sendable {
        /// One slot.
        case max1 = 0
        /// Two slots.
        case max2 = 1
        /// Four slots.
        case max4 = 3
        /// Eight slots.
        case max8 = 7
        /// Sixteen slots.
        case max16 = 15
    }

    /// The kinds of encryption that Request Service v2 tells.
    ///
    /// Source: Core NFC, NFCFeliCaEncryptionId.
    public enum NFCFeliCaEncryptionId: Int, Sendable {
        /// AES.
        case AES = 0x4F
        /// AES and DES.
        case AES_DES = 0x41
    }
#endif

#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    // Names of iOS 13, which code of that time has.

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
        /// The former name of ``noRequest``.
        @available(*, deprecated, renamed: "noRequest")
        public static var PollingRequestCodeNoRequest: Self { .noRequest }

        /// The former name of ``systemCode``.
        @available(*, deprecated, renamed: "systemCode")
        public static var PollingRequestCodeSystemCode: Self { .systemCode }

        /// The former name of ``communicationPerformance``.
        @available(*, deprecated, renamed: "communicationPerformance")
        public static var PollingRequestCodeCommunicationPerformance: Self { .communicationPerformance }
    }

    extension NFCFeliCaPollingTimeSlot {
        /// The former name of ``max1``.
        @available(*, deprecated, renamed: "max1")
        public static var PollingTimeSlotMax1: Self { .max1 }

        /// The former name of ``max2``.
        @available(*, deprecated, renamed: "max2")
        public static var PollingTimeSlotMax2: Self { .max2 }

        /// The former name of ``max4``.
        @available(*, deprecated, renamed: "max4")
        public static var PollingTimeSlotMax4: Self { .max4 }

        /// The former name of ``max8``.
        @available(*, deprecated, renamed: "max8")
        public static var PollingTimeSlotMax8: Self { .max8 }

        /// The former name of ``max16``.
        @available(*, deprecated, renamed: "max16")
        public static var PollingTimeSlotMax16: Self { .max16 }
    }

    extension NFCFeliCaEncryptionId {
        /// The former name of ``AES``.
        @available(*, deprecated, renamed: "AES")
        public static var aes: Self { .AES }

        /// The former name of ``AES_DES``.
        @available(*, deprecated, renamed: "AES_DES")
        public static var aes_des: Self { .AES_DES }
    }
#endif

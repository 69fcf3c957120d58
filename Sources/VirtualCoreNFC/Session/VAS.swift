#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// What a session for Wallet passes asks a phone for; no pass is simulated.
    ///
    /// Source: Core NFC, NFCVASCommandConfiguration.
    open class NFCVASCommandConfiguration: NSObject, NSCopying {
        /// How the pass is asked.
        public enum Mode: Int, Sendable {
            /// Only the address is handed over.
            case urlOnly = 0
            /// The data of the pass is read.
            case normal = 1
        }

        /// How the pass is asked.
        open var mode: Mode

        /// The pass type, such as `pass.com.example.club`.
        open var passTypeIdentifier: String

        /// The address to hand over, if one is.
        open var url: URL?

        /// Not for apps: a command needs its pass type.
        @available(*, unavailable)
        public override init() {
            mode = .normal
            passTypeIdentifier = ""
        }

        /// Creates a command.
        public init(vasMode mode: Mode, passTypeIdentifier: String, url: URL?) {
            self.mode = mode
            self.passTypeIdentifier = passTypeIdentifier
            self.url = url
        }

        /// A copy with the same settings.
        open func copy(with zone: NSZone? = nil) -> Any {
            NFCVASCommandConfiguration(vasMode: mode, passTypeIdentifier: passTypeIdentifier, url: url)
        }
    }

    /// The former name of ``NFCVASCommandConfiguration/Mode``, which code of iOS 13 has.
    @available(*, deprecated, renamed: "NFCVASCommandConfiguration.Mode")
    public typealias VASMode = NFCVASCommandConfiguration.Mode

    extension NFCVASCommandConfiguration.Mode {
        /// The former name of ``urlOnly``.
        @available(*, deprecated, renamed: "urlOnly")
        public static var VASModeURLOnly: Self { .urlOnly }

        /// The former name of ``normal``.
        @available(*, deprecated, renamed: "normal")
        public static var VASModeNormal: Self { .normal }
    }

    /// What a phone with Wallet passes answered; no pass is simulated.
    ///
    /// Source: Core NFC, NFCVASResponse.
    open class NFCVASResponse: NSObject, NSCopying {
        /// The status words of an answer.
        public enum ErrorCode: Int, Sendable {
            /// The pass was read.
            case success = 0x9000
            /// There is no such pass.
            case dataNotFound = 0x6A83
            /// The pass is not active.
            case dataNotActivated = 0x6287
            /// P1 or P2 is wrong.
            case wrongParameters = 0x6B00
            /// Lc is wrong.
            case wrongLCField = 0x6700
            /// The user has to do something first.
            case userIntervention = 0x6984
            /// The data is wrong.
            case incorrectData = 0x6A80
            /// The version of the application is not supported.
            case unsupportedApplicationVersion = 0x6340
        }

        /// The status word.
        open private(set) var status = ErrorCode.success

        /// The data of the pass.
        open private(set) var vasData = Data()

        /// The token of the phone.
        open private(set) var mobileToken = Data()

        /// Creates an answer without data.
        public override init() {
            super.init()
        }

        /// A copy with the same answer.
        open func copy(with zone: NSZone? = nil) -> Any {
            let copy = NFCVASResponse()
            copy.status = status
            copy.vasData = vasData
            copy.mobileToken = mobileToken
            return copy
        }
    }

    /// The former name of ``NFCVASResponse/ErrorCode``, which code of iOS 13 has.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode")
    public typealias VASErrorCode = NFCVASResponse.ErrorCode

    extension NFCVASResponse.ErrorCode {
        /// The former name of ``success``.
        @available(*, deprecated, renamed: "success")
        public static var VASErrorCodeSuccess: Self { .success }

        /// The former name of ``dataNotFound``.
        @available(*, deprecated, renamed: "dataNotFound")
        public static var VASErrorCodeDataNotFound: Self { .dataNotFound }

        /// The former name of ``dataNotActivated``.
        @available(*, deprecated, renamed: "dataNotActivated")
        public static var VASErrorCodeDataNotActivated: Self { .dataNotActivated }

        /// The former name of ``wrongParameters``.
        @available(*, deprecated, renamed: "wrongParameters")
        public static var VASErrorCodeWrongParameters: Self { .wrongParameters }

        /// The former name of ``wrongLCField``.
        @available(*, deprecated, renamed: "wrongLCField")
        public static var VASErrorCodeWrongLCField: Self { .wrongLCField }

        /// The former name of ``userIntervention``.
        @available(*, deprecated, renamed: "userIntervention")
        public static var VASErrorCodeUserIntervention: Self { .userIntervention }

        /// The former name of ``incorrectData``.
        @available(*, deprecated, renamed: "incorrectData")
        public static var VASErrorCodeIncorrectData: Self { .incorrectData }

        /// The former name of ``unsupportedApplicationVersion``.
        @available(*, deprecated, renamed: "unsupportedApplicationVersion")
        public static var VASErrorCodeUnsupportedApplicationVersion: Self { .unsupportedApplicationVersion }
    }
#endif

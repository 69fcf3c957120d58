#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// The request of a session for Wallet passes; no pass is simulated.
    ///
    /// Source: Core NFC, NFCVASCommandConfiguration.
    open class NFCVASCommandConfiguration: NSObject, NSCopying {
        public enum Mode: Int, Sendable {
            case urlOnly = 0
            case normal = 1
        }
        open var mode: Mode
        open var passTypeIdentifier: String
        open var url: URL?
        @available(*, unavailable)
        public override init() {
            mode = .normal
            passTypeIdentifier = ""
        }
        public init(vasMode mode: Mode, passTypeIdentifier: String, url: URL?) {
            self.mode = mode
            self.passTypeIdentifier = passTypeIdentifier
            self.url = url
        }
        open func copy(with zone: NSZone? = nil) -> Any {
            NFCVASCommandConfiguration(vasMode: mode, passTypeIdentifier: passTypeIdentifier, url: url)
        }
    }

    /// The name of ``NFCVASCommandConfiguration/Mode`` in iOS 13.
    @available(*, deprecated, renamed: "NFCVASCommandConfiguration.Mode")
    public typealias VASMode = NFCVASCommandConfiguration.Mode

    extension NFCVASCommandConfiguration.Mode {
        @available(*, deprecated, renamed: "urlOnly") public static var VASModeURLOnly: Self { .urlOnly }
        @available(*, deprecated, renamed: "normal") public static var VASModeNormal: Self { .normal }
    }

    /// The answer of a phone with Wallet passes; no pass is simulated.
    ///
    /// Source: Core NFC, NFCVASResponse.
    open class NFCVASResponse: NSObject, NSCopying {
        public enum ErrorCode: Int, Sendable {
            case success = 0x9000
            case dataNotFound = 0x6A83
            case dataNotActivated = 0x6287
            case wrongParameters = 0x6B00
            case wrongLCField = 0x6700
            case userIntervention = 0x6984
            case incorrectData = 0x6A80
            case unsupportedApplicationVersion = 0x6340
        }
        open private(set) var status = ErrorCode.success
        open private(set) var vasData = Data()
        open private(set) var mobileToken = Data()
        public override init() { super.init() }
        open func copy(with zone: NSZone? = nil) -> Any {
            let copy = NFCVASResponse()
            copy.status = status
            copy.vasData = vasData
            copy.mobileToken = mobileToken
            return copy
        }
    }

    /// The name of ``NFCVASResponse/ErrorCode`` in iOS 13.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode")
    public typealias VASErrorCode = NFCVASResponse.ErrorCode

    extension NFCVASResponse.ErrorCode {
        @available(*, deprecated, renamed: "success") public static var VASErrorCodeSuccess: Self { .success }
        @available(*, deprecated, renamed: "dataNotFound")
        public static var VASErrorCodeDataNotFound: Self { .dataNotFound }
        @available(*, deprecated, renamed: "dataNotActivated")
        public static var VASErrorCodeDataNotActivated: Self { .dataNotActivated }
        @available(*, deprecated, renamed: "wrongParameters")
        public static var VASErrorCodeWrongParameters: Self { .wrongParameters }
        @available(*, deprecated, renamed: "wrongLCField")
        public static var VASErrorCodeWrongLCField: Self { .wrongLCField }
        @available(*, deprecated, renamed: "userIntervention")
        public static var VASErrorCodeUserIntervention: Self { .userIntervention }
        @available(*, deprecated, renamed: "incorrectData")
        public static var VASErrorCodeIncorrectData: Self { .incorrectData }
        @available(*, deprecated, renamed: "unsupportedApplicationVersion")
        public static var VASErrorCodeUnsupportedApplicationVersion: Self { .unsupportedApplicationVersion }
    }
#endif

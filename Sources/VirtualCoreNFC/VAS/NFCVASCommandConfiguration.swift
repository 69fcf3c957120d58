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
#endif

import Foundation

/// The running app.
@preconcurrency @MainActor
open class UIApplication: UIResponder {
    /// Whether an app is on the screen.
    public enum State: Int, Sendable {
        /// On the screen and used.
        case active = 0
        /// On the screen but covered.
        case inactive = 1
        /// Not on the screen.
        case background = 2
    }

    /// A key of what an app is told at its start.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name of the key.
        public let rawValue: String

        /// Takes the name of a key.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The address an app was opened with.
        public static let url = Self(rawValue: "UIApplicationLaunchOptionsURLKey")
    }

    /// A key of how an address is opened.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name of the key.
        public let rawValue: String

        /// Takes the name of a key.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The only one.
    public static let shared = UIApplication()
    /// The address that opens the settings of the app.
    public static let openSettingsURLString = "app-settings:"
    /// Sent when the app has come to the screen.
    nonisolated public static let didBecomeActiveNotification =
        Notification.Name("UIApplicationDidBecomeActiveNotification")
    /// Sent when the app has left the screen.
    nonisolated public static let didEnterBackgroundNotification =
        Notification.Name("UIApplicationDidEnterBackgroundNotification")
    /// Sent before the app comes back.
    nonisolated public static let willEnterForegroundNotification =
        Notification.Name("UIApplicationWillEnterForegroundNotification")

    /// Who is told of what happens to the app.
    open weak var delegate: (any UIApplicationDelegate)?
    /// Always on the screen.
    open var applicationState: State { .active }
    /// Whether the screen stays on.
    open var isIdleTimerDisabled = false

    /// Whether somebody would open an address; nobody does here.
    open func canOpenURL(_ url: URL) -> Bool { false }

    /// Tells that nobody opened the address.
    open func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        completion?(false)
    }

    /// Sends a target its action; this is how a test taps a button of a bar.
    @discardableResult
    open func sendAction(_ action: Selector, to target: Any?, from sender: Any?, for event: UIEvent?) -> Bool {
        action.send(target, sender, event)
        return target != nil
    }
}

/// Who is told of what happens to an app.
@preconcurrency @MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    /// The window of an app without scenes.
    var window: UIWindow? { get set }
    /// The app has started.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
}

extension UIApplicationDelegate {
    /// No window.
    public var window: UIWindow? {
        get { nil }
        set {}
    }
    /// Nothing to do at the start.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }
}

import Foundation

/// The device the app runs on.
@preconcurrency @MainActor
open class UIDevice: NSObject {
    /// The only one.
    public static let current = UIDevice()

    /// The name its owner gave it.
    open var name: String { "Virtual iPhone" }
    /// The kind of device.
    open var model: String { "iPhone" }
    /// The kind of device in the language of the user.
    open var localizedModel: String { model }
    /// The name of the operating system.
    open var systemName: String { "iOS" }
    /// The oldest system for which the modules are meant.
    open var systemVersion: String { "16.0" }
    /// The same in every run, so that runs are alike.
    open var identifierForVendor: UUID? { UUID(uuidString: "00000000-0000-4000-8000-000000000001") }
}

/// A short shake that tells how something ended; nothing shakes here.
@preconcurrency @MainActor
open class UINotificationFeedbackGenerator: NSObject {
    /// How something ended.
    public enum FeedbackType: Int, Sendable {
        /// Well.
        case success = 0
        /// With a warning.
        case warning = 1
        /// Not at all.
        case error = 2
    }

    /// Gets ready.
    open func prepare() {}
    /// Would shake.
    open func notificationOccurred(_ type: FeedbackType) {}
}

/// A short shake for a touch; nothing shakes here.
@preconcurrency @MainActor
open class UIImpactFeedbackGenerator: NSObject {
    /// How hard a touch feels.
    public enum FeedbackStyle: Int, Sendable {
        /// Lightly.
        case light = 0
        /// As usual.
        case medium = 1
        /// Hard.
        case heavy = 2
    }

    /// A generator of one strength.
    public init(style: FeedbackStyle) {}
    /// Gets ready.
    open func prepare() {}
    /// Would shake.
    open func impactOccurred() {}
}

/// Keeps what was copied.
@preconcurrency @MainActor
open class UIPasteboard: NSObject {
    /// The one all apps share.
    public static let general = UIPasteboard()

    /// The text that was copied.
    open var string: String?
}

import Foundation

/// The device the app runs on.
@preconcurrency @MainActor
open class UIDevice: NSObject {
    /// The only one.
    public static let current = UIDevice()

    open var name: String { "Virtual iPhone" }
    open var model: String { "iPhone" }
    open var localizedModel: String { model }
    open var systemName: String { "iOS" }
    /// The oldest system for which the modules are meant.
    open var systemVersion: String { "16.0" }
    /// The same in every run, so that runs are alike.
    open var identifierForVendor: UUID? { UUID(uuidString: "00000000-0000-4000-8000-000000000001") }
}

/// A short shake that tells how something ended; nothing shakes here.
@preconcurrency @MainActor
open class UINotificationFeedbackGenerator: NSObject {
    public enum FeedbackType: Int, Sendable {
        case success = 0
        case warning = 1
        case error = 2
    }

    open func prepare() {}
    open func notificationOccurred(_ type: FeedbackType) {}
}

/// A short shake for a touch; nothing shakes here.
@preconcurrency @MainActor
open class UIImpactFeedbackGenerator: NSObject {
    public enum FeedbackStyle: Int, Sendable {
        case light = 0
        case medium = 1
        case heavy = 2
    }

    public init(style: FeedbackStyle) {}
    open func prepare() {}
    open func impactOccurred() {}
}

/// Keeps what was copied.
@preconcurrency @MainActor
open class UIPasteboard: NSObject {
    public static let general = UIPasteboard()

    open var string: String?
}

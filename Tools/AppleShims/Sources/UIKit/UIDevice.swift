import Foundation

/// The device that runs the app.
@preconcurrency @MainActor
open class UIDevice: NSObject {
    public static let current = UIDevice()

    open var name: String { "Virtual iPhone" }
    open var model: String { "iPhone" }
    open var localizedModel: String { model }
    open var systemName: String { "iOS" }
    /// The oldest system that the modules support.
    open var systemVersion: String { "16.0" }
    /// The same in every run, so that runs are reproducible.
    open var identifierForVendor: UUID? { UUID(uuidString: "00000000-0000-4000-8000-000000000001") }
}

/// Haptic feedback for the end of a task; nothing vibrates here.
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

/// Haptic feedback for a touch; nothing vibrates here.
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

/// A pasteboard that keeps the copied content.
@preconcurrency @MainActor
open class UIPasteboard: NSObject {
    public static let general = UIPasteboard()

    open var string: String?
}

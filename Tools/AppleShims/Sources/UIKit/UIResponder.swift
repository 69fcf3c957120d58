@_exported import Foundation

// A shell: classes with the members that code apart from views names. Nothing is drawn.

/// What can handle events.
@MainActor
open class UIResponder: NSObject {
    /// The next one to ask.
    open var next: UIResponder? { nil }
    /// Whether it takes the first place.
    open var canBecomeFirstResponder: Bool { false }
    /// Whether it has the first place.
    open var isFirstResponder: Bool { false }

    /// Asks for the first place, which nothing has here.
    @discardableResult
    open func becomeFirstResponder() -> Bool { false }

    /// Gives the first place up.
    @discardableResult
    open func resignFirstResponder() -> Bool { true }
}

/// A rectangle on the screen, which is not drawn.
open class UIView: UIResponder {
    /// Whether it would be left out.
    open var isHidden = false
    /// How opaque it would be.
    open var alpha: Double = 1
    /// A number to find it by.
    open var tag = 0
    /// What lies in it, in order.
    open private(set) var subviews: [UIView] = []

    /// Puts a view on top of the others.
    open func addSubview(_ view: UIView) {
        subviews.append(view)
    }
}

/// The view at the bottom of an app.
open class UIWindow: UIView {
    /// The controller of what it shows.
    open var rootViewController: UIViewController?
    /// Whether it gets keyboard events.
    open private(set) var isKeyWindow = false

    /// Shows it.
    open func makeKeyAndVisible() {
        isHidden = false
        isKeyWindow = true
    }
}

import Foundation

/// A stack of screens.
open class UINavigationController: UIViewController {
    /// The screens, the one at the bottom first.
    open private(set) var viewControllers: [UIViewController] = []
    /// The bar above the screens.
    public let navigationBar = UINavigationBar()

    /// A stack of one screen.
    public convenience init(rootViewController: UIViewController) {
        self.init(nibName: nil, bundle: nil)
        pushViewController(rootViewController, animated: false)
    }

    /// The screen that is seen.
    open var topViewController: UIViewController? { viewControllers.last }

    /// Puts a screen on top.
    open func pushViewController(_ controller: UIViewController, animated: Bool) {
        viewControllers.append(controller)
        addChild(controller)
    }

    /// Takes the screen on top away, unless it is the last.
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard viewControllers.count > 1 else { return nil }
        let controller = viewControllers.removeLast()
        controller.removeFromParent()
        return controller
    }

    /// Takes all screens away but the one at the bottom.
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        let gone = Array(viewControllers.dropFirst())
        for _ in gone { popViewController(animated: animated) }
        return gone
    }
}

/// The bar above a stack of screens.
open class UINavigationBar: UIView {
    /// Whether titles would be large.
    open var prefersLargeTitles = false
}

/// What a navigation bar shows for a screen.
@preconcurrency @MainActor
open class UINavigationItem: NSObject {
    /// The title.
    open var title: String?
    /// The button on the left.
    open var leftBarButtonItem: UIBarButtonItem?
    /// The button on the right.
    open var rightBarButtonItem: UIBarButtonItem?
    /// The button that leads back to the screen.
    open var backBarButtonItem: UIBarButtonItem?

    /// A title without buttons.
    public init(title: String) {
        self.title = title
    }
}

/// A button of a bar.
@preconcurrency @MainActor
open class UIBarButtonItem: NSObject {
    /// How it looks.
    public enum Style: Int, Sendable {
        /// As always.
        case plain = 0
        /// As what ends something.
        case done = 2
    }

    /// A button the system knows.
    public enum SystemItem: Int, Sendable {
        /// Done.
        case done = 0
        /// Cancel.
        case cancel = 1
        /// Edit.
        case edit = 2
        /// Save.
        case save = 3
        /// Add.
        case add = 4
        /// Action.
        case action = 9
        /// Search.
        case search = 12
        /// Refresh.
        case refresh = 13
        /// Trash.
        case trash = 16
    }

    /// The text on it.
    open var title: String?
    /// Whether it can be used.
    open var isEnabled = true
    /// Who hears of it; a test taps with `UIApplication.sendAction(_:to:from:for:)`.
    open weak var target: AnyObject?
    /// How it is told.
    open var action: Selector?

    /// A button with a text.
    public init(title: String?, style: Style, target: Any?, action: Selector?) {
        self.title = title
        self.target = target.map { $0 as AnyObject }
        self.action = action
    }

    /// A button without anything on it.
    public convenience override init() {
        self.init(title: nil, style: .plain, target: nil, action: nil)
    }

    /// A button with a picture.
    public convenience init(image: UIImage?, style: Style, target: Any?, action: Selector?) {
        self.init(title: nil, style: style, target: target, action: action)
    }

    /// A button the system knows.
    public convenience init(barButtonSystemItem item: SystemItem, target: Any?, action: Selector?) {
        self.init(title: nil, style: .plain, target: target, action: action)
    }
}

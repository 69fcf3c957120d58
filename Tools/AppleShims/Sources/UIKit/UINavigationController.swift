import Foundation

/// A stack of screens.
open class UINavigationController: UIViewController {
    open private(set) var viewControllers: [UIViewController] = []
    public let navigationBar = UINavigationBar()

    public convenience init(rootViewController: UIViewController) {
        self.init(nibName: nil, bundle: nil)
        pushViewController(rootViewController, animated: false)
    }

    open var topViewController: UIViewController? { viewControllers.last }

    open func pushViewController(_ controller: UIViewController, animated: Bool) {
        viewControllers.append(controller)
        addChild(controller)
    }

    /// Removes the top screen, unless it is the last.
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard viewControllers.count > 1 else { return nil }
        let controller = viewControllers.removeLast()
        controller.removeFromParent()
        return controller
    }

    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        let gone = Array(viewControllers.dropFirst())
        for _ in gone { popViewController(animated: animated) }
        return gone
    }
}

/// The bar above a stack of screens.
open class UINavigationBar: UIView {
    /// A Boolean value that indicates whether titles would be large.
    open var prefersLargeTitles = false
}

/// The content of a navigation bar for a screen.
@preconcurrency @MainActor
open class UINavigationItem: NSObject {
    open var title: String?
    open var leftBarButtonItem: UIBarButtonItem?
    open var rightBarButtonItem: UIBarButtonItem?
    open var backBarButtonItem: UIBarButtonItem?

    /// Creates a title without buttons.
    public init(title: String) {
        self.title = title
    }
}

/// A button of a bar.
@preconcurrency @MainActor
open class UIBarButtonItem: NSObject {
    public enum Style: Int, Sendable {
        /// The plain style.
        case plain = 0
        case done = 2
    }

    public enum SystemItem: Int, Sendable {
        case done = 0
        case cancel = 1
        case edit = 2
        case save = 3
        case add = 4
        case action = 9
        case search = 12
        case refresh = 13
        case trash = 16
    }

    open var title: String?
    open var isEnabled = true
    /// The target of the button; a test taps with `UIApplication.sendAction(_:to:from:for:)`.
    open weak var target: AnyObject?
    open var action: Selector?

    public init(title: String?, style: Style, target: Any?, action: Selector?) {
        self.title = title
        self.target = target.map { $0 as AnyObject }
        self.action = action
    }

    /// Creates an empty button.
    public convenience override init() {
        self.init(title: nil, style: .plain, target: nil, action: nil)
    }

    public convenience init(image: UIImage?, style: Style, target: Any?, action: Selector?) {
        self.init(title: nil, style: style, target: target, action: action)
    }

    public convenience init(barButtonSystemItem item: SystemItem, target: Any?, action: Selector?) {
        self.init(title: nil, style: .plain, target: target, action: action)
    }
}

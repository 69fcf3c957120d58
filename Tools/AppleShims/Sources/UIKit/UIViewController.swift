import Foundation

/// The controller of a view.
open class UIViewController: UIResponder {
    /// The text of its navigation bar.
    open var title: String?
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The view; made when first asked for, after which `viewDidLoad` is called.
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set { loadedView = newValue }
    }
    /// The view if it was made.
    open var viewIfLoaded: UIView? { loadedView }
    /// Whether the view was made.
    open var isViewLoaded: Bool { loadedView != nil }
    /// The controller shown over this one.
    open private(set) var presentedViewController: UIViewController?
    /// The controller under this one.
    open private(set) weak var presentingViewController: UIViewController?

    private var loadedView: UIView?

    /// A controller whose view is made in code.
    public override init() {
        super.init()
    }

    /// A controller; files of the interface builder are not read.
    public init(nibName: String?, bundle: Bundle?) {
        super.init()
    }

    /// Makes the view.
    open func loadView() {
        loadedView = UIView()
    }

    /// Makes the view unless it is there.
    open func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        viewDidLoad()
    }

    /// Called after the view was made.
    open func viewDidLoad() {}
    /// Called before the view is shown.
    open func viewWillAppear(_ animated: Bool) {}
    /// Called after the view was shown.
    open func viewDidAppear(_ animated: Bool) {}
    /// Called before the view goes.
    open func viewWillDisappear(_ animated: Bool) {}
    /// Called after the view went.
    open func viewDidDisappear(_ animated: Bool) {}

    /// Shows a controller over this one.
    open func present(_ other: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {
        presentedViewController = other
        other.presentingViewController = self
        completion?()
    }

    /// Takes away what is shown over this one, or this one.
    open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
        if let presented = presentedViewController {
            presented.presentingViewController = nil
            presentedViewController = nil
            completion?()
        } else if let presenting = presentingViewController {
            presenting.dismiss(animated: animated, completion: completion)
        }
    }
}

/// A message with buttons.
open class UIAlertController: UIViewController {
    /// How it is shown.
    public enum Style: Int, Sendable {
        /// From the edge of the screen.
        case actionSheet = 0
        /// In the middle.
        case alert = 1
    }

    /// The text below the title.
    open var message: String?
    /// How it is shown.
    public let preferredStyle: Style
    /// The buttons, in order.
    open private(set) var actions: [UIAlertAction] = []

    /// A message without buttons.
    public init(title: String?, message: String?, preferredStyle: Style) {
        self.message = message
        self.preferredStyle = preferredStyle
        super.init()
        self.title = title
    }

    /// Adds a button.
    open func addAction(_ action: UIAlertAction) {
        actions.append(action)
    }
}

/// A button of a message.
@MainActor
open class UIAlertAction: NSObject {
    /// What a button stands for.
    public enum Style: Int, Sendable {
        /// A plain choice.
        case `default` = 0
        /// Leaves things as they are.
        case cancel = 1
        /// Removes something.
        case destructive = 2
    }

    /// The text of the button.
    public let title: String?
    /// What it stands for.
    public let style: Style
    /// What happens when it is pressed; nobody presses it here.
    public let handler: ((UIAlertAction) -> Void)?

    /// A button.
    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        self.title = title
        self.style = style
        self.handler = handler
    }
}

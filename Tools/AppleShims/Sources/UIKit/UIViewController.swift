import Foundation

/// The controller of a view.
open class UIViewController: UIResponder {
    public enum ModalPresentationStyle: Int, Sendable {
        case fullScreen = 0
        case pageSheet = 1
        case formSheet = 2
        /// Over content that stays visible.
        case overFullScreen = 5
        case automatic = -2
    }

    open var title: String?
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The view; created when first accessed, which then calls `viewDidLoad`.
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set { loadedView = newValue }
    }
    open var viewIfLoaded: UIView? { loadedView }
    open var isViewLoaded: Bool { loadedView != nil }
    open private(set) lazy var navigationItem = UINavigationItem(title: title ?? "")
    open fileprivate(set) weak var parent: UIViewController?
    open private(set) var children: [UIViewController] = []
    open private(set) var presentedViewController: UIViewController?
    open private(set) weak var presentingViewController: UIViewController?
    open var modalPresentationStyle = ModalPresentationStyle.automatic
    /// Always nil: storyboards are not read.
    open var storyboard: UIStoryboard? { nil }

    private var loadedView: UIView?

    /// Creates a controller; Interface Builder files are not read.
    public init(nibName: String?, bundle: Bundle?) {
        super.init()
    }

    /// Creates a controller whose view is created in code.
    public convenience override init() {
        self.init(nibName: nil, bundle: nil)
    }

    /// Creates a controller from an archive, which is not read.
    public required init?(coder: NSCoder) {
        super.init()
    }

    open var navigationController: UINavigationController? {
        (parent as? UINavigationController) ?? parent?.navigationController
    }

    open func loadView() {
        loadedView = UIView()
    }

    /// Creates the view unless it exists.
    open func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        viewDidLoad()
    }

    /// Called after the view was created.
    open func viewDidLoad() {}
    /// Called before the view is shown.
    open func viewWillAppear(_ animated: Bool) {}
    /// Called after the view was shown.
    open func viewDidAppear(_ animated: Bool) {}
    /// Called before the view disappears.
    open func viewWillDisappear(_ animated: Bool) {}
    /// Called after the view disappeared.
    open func viewDidDisappear(_ animated: Bool) {}
    /// Called before layout, which never happens here.
    open func viewWillLayoutSubviews() {}
    /// Called after layout, which never happens here.
    open func viewDidLayoutSubviews() {}
    /// Called when memory runs low.
    open func didReceiveMemoryWarning() {}

    open func addChild(_ child: UIViewController) {
        child.removeFromParent()
        children.append(child)
        child.parent = self
    }

    open func removeFromParent() {
        parent?.children.removeAll { $0 === self }
        parent = nil
    }

    open func present(_ other: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {
        presentedViewController = other
        other.presentingViewController = self
        completion?()
    }

    open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
        if let presented = presentedViewController {
            presented.presentingViewController = nil
            presentedViewController = nil
            completion?()
        } else if let presenting = presentingViewController {
            presenting.dismiss(animated: animated, completion: completion)
        }
    }

    open func show(_ other: UIViewController, sender: Any?) {
        if let navigationController {
            navigationController.pushViewController(other, animated: true)
        } else {
            present(other, animated: true)
        }
    }

    /// Does nothing, since the segues of a storyboard are not read.
    ///
    /// A test calls `prepare(for:sender:)` with its own segue.
    open func performSegue(withIdentifier identifier: String, sender: Any?) {}
    /// Called before a segue of a storyboard is performed.
    open func prepare(for segue: UIStoryboardSegue, sender: Any?) {}
}

/// The screens of Interface Builder; there are none here.
@preconcurrency @MainActor
open class UIStoryboard: NSObject {
    private override init() {}

    open func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
        UIViewController()
    }
}

/// A transition from one screen to another.
@preconcurrency @MainActor
open class UIStoryboardSegue: NSObject {
    public let identifier: String?
    /// The first screen.
    public let source: UIViewController
    /// The second screen.
    public let destination: UIViewController

    public init(identifier: String?, source: UIViewController, destination: UIViewController) {
        self.identifier = identifier
        self.source = source
        self.destination = destination
    }
}

import Foundation

/// The controller of a view.
open class UIViewController: UIResponder {
    public enum ModalPresentationStyle: Int, Sendable {
        case fullScreen = 0
        case pageSheet = 1
        case formSheet = 2
        /// Over what stays visible.
        case overFullScreen = 5
        case automatic = -2
    }

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
    open var viewIfLoaded: UIView? { loadedView }
    open var isViewLoaded: Bool { loadedView != nil }
    open private(set) lazy var navigationItem = UINavigationItem(title: title ?? "")
    open fileprivate(set) weak var parent: UIViewController?
    open private(set) var children: [UIViewController] = []
    open private(set) var presentedViewController: UIViewController?
    open private(set) weak var presentingViewController: UIViewController?
    open var modalPresentationStyle = ModalPresentationStyle.automatic
    /// None: storyboards are not read.
    open var storyboard: UIStoryboard? { nil }

    private var loadedView: UIView?

    /// A controller; files of the interface builder are not read.
    public init(nibName: String?, bundle: Bundle?) {
        super.init()
    }

    /// A controller whose view is made in code.
    public convenience override init() {
        self.init(nibName: nil, bundle: nil)
    }

    /// A controller of an archive, of which nothing is read.
    public required init?(coder: NSCoder) {
        super.init()
    }

    open var navigationController: UINavigationController? {
        (parent as? UINavigationController) ?? parent?.navigationController
    }

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
    /// Called before the view is laid out, which nothing does here.
    open func viewWillLayoutSubviews() {}
    /// Called after the view was laid out, which nothing does here.
    open func viewDidLayoutSubviews() {}
    /// Called when memory runs short.
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

    /// Goes nowhere, since the ways of a storyboard are not read.
    ///
    /// A test calls `prepare(for:sender:)` with a way of its own.
    open func performSegue(withIdentifier identifier: String, sender: Any?) {}
    /// Called before a way of a storyboard is gone.
    open func prepare(for segue: UIStoryboardSegue, sender: Any?) {}
}

/// Screens of the interface builder, of which there are none here.
@preconcurrency @MainActor
open class UIStoryboard: NSObject {
    private override init() {}

    open func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
        UIViewController()
    }
}

/// The way from one screen to another.
@preconcurrency @MainActor
open class UIStoryboardSegue: NSObject {
    public let identifier: String?
    /// Where it begins.
    public let source: UIViewController
    /// Where it ends.
    public let destination: UIViewController

    public init(identifier: String?, source: UIViewController, destination: UIViewController) {
        self.identifier = identifier
        self.source = source
        self.destination = destination
    }
}

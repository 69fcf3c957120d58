import Foundation

/// The controller of a view.
open class UIViewController: UIResponder {
    /// How it is shown over another.
    public enum ModalPresentationStyle: Int, Sendable {
        /// On the whole screen.
        case fullScreen = 0
        /// As a card.
        case pageSheet = 1
        /// As a smaller card.
        case formSheet = 2
        /// Over what stays visible.
        case overFullScreen = 5
        /// As the system has it.
        case automatic = -2
    }

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
    /// What a navigation bar shows for it.
    open private(set) lazy var navigationItem = UINavigationItem(title: title ?? "")
    /// The controller it lies in.
    open fileprivate(set) weak var parent: UIViewController?
    /// The controllers that lie in it.
    open private(set) var children: [UIViewController] = []
    /// The controller shown over this one.
    open private(set) var presentedViewController: UIViewController?
    /// The controller under this one.
    open private(set) weak var presentingViewController: UIViewController?
    /// How it is shown over another.
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

    /// The navigation controller it lies in.
    open var navigationController: UINavigationController? {
        (parent as? UINavigationController) ?? parent?.navigationController
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
    /// Called before the view is laid out, which nothing does here.
    open func viewWillLayoutSubviews() {}
    /// Called after the view was laid out, which nothing does here.
    open func viewDidLayoutSubviews() {}
    /// Called when memory runs short.
    open func didReceiveMemoryWarning() {}

    /// Puts a controller into this one.
    open func addChild(_ child: UIViewController) {
        child.removeFromParent()
        children.append(child)
        child.parent = self
    }

    /// Takes it out of the controller it lies in.
    open func removeFromParent() {
        parent?.children.removeAll { $0 === self }
        parent = nil
    }

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

    /// Shows a controller as its own place has it: on the stack of navigation, or over this one.
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

    /// A screen by its name.
    open func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
        UIViewController()
    }
}

/// The way from one screen to another.
@preconcurrency @MainActor
open class UIStoryboardSegue: NSObject {
    /// The name of the way.
    public let identifier: String?
    /// Where it begins.
    public let source: UIViewController
    /// Where it ends.
    public let destination: UIViewController

    /// A way between two screens.
    public init(identifier: String?, source: UIViewController, destination: UIViewController) {
        self.identifier = identifier
        self.source = source
        self.destination = destination
    }
}

import Foundation

/// A rectangle on the screen, which is not drawn.
open class UIView: UIResponder {
    /// How its content fits into it.
    public enum ContentMode: Int, Sendable {
        /// It is stretched.
        case scaleToFill = 0
        /// All of it is seen.
        case scaleAspectFit = 1
        /// It fills the view.
        case scaleAspectFill = 2
        /// It lies in the middle.
        case center = 4
    }

    /// Where it lies in the view around it.
    open var frame: CGRect
    /// Its own rectangle.
    open var bounds: CGRect {
        get { CGRect(x: 0, y: 0, width: frame.size.width, height: frame.size.height) }
        set { frame.size = newValue.size }
    }
    /// Whether it would be left out.
    open var isHidden = false
    /// How opaque it would be.
    open var alpha: CGFloat = 1
    /// A number to find it by.
    open var tag = 0
    /// The color behind its content.
    open var backgroundColor: UIColor?
    /// The color of what can be touched in it.
    open var tintColor: UIColor? = .systemBlue
    /// Whether it hears touches.
    open var isUserInteractionEnabled = true
    /// Whether what lies outside it would be cut off.
    open var clipsToBounds = false
    /// How its content would fit into it.
    open var contentMode = ContentMode.scaleToFill
    /// Whether its frame would make constraints.
    open var translatesAutoresizingMaskIntoConstraints = true
    /// Its outline.
    public let layer = CALayer()
    /// What lies in it, in order.
    open private(set) var subviews: [UIView] = []
    /// What it lies in.
    open private(set) weak var superview: UIView?
    /// What it hears gestures with.
    open private(set) var gestureRecognizers: [UIGestureRecognizer]?

    /// A view of a size.
    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    /// A view without a size.
    public convenience override init() {
        self.init(frame: .zero)
    }

    /// A view of an archive, of which nothing is read.
    public required init?(coder: NSCoder) {
        frame = .zero
        super.init()
    }

    /// The window it lies in.
    open var window: UIWindow? { superview?.window }
    /// The view it lies in.
    open override var next: UIResponder? { superview }

    /// Puts a view on top of the others.
    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
    }

    /// Takes it out of the view it lies in.
    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }

    /// The view with a number: this one or one within.
    open func viewWithTag(_ tag: Int) -> UIView? {
        if self.tag == tag { return self }
        for view in subviews {
            if let found = view.viewWithTag(tag) { return found }
        }
        return nil
    }

    /// Lets the text field within that is being edited give up the first place.
    @discardableResult
    open func endEditing(_ force: Bool) -> Bool {
        if isFirstResponder { return resignFirstResponder() }
        return subviews.contains { $0.endEditing(force) }
    }

    /// Hears gestures with a recognizer.
    open func addGestureRecognizer(_ recognizer: UIGestureRecognizer) {
        gestureRecognizers = (gestureRecognizers ?? []) + [recognizer]
    }

    /// Would lay it out later.
    open func setNeedsLayout() {}
    /// Would lay it out now.
    open func layoutIfNeeded() {}
    /// Called to lay it out, which nothing does here.
    open func layoutSubviews() {}
    /// Would draw it later.
    open func setNeedsDisplay() {}
    /// Would make it as large as its content.
    open func sizeToFit() {}

    /// Makes the changes at once and says that they are done.
    open class func animate(
        withDuration duration: TimeInterval, delay: TimeInterval = 0, animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        animations()
        completion?(true)
    }
}

/// The outline of a view, which is not drawn.
public final class CALayer: NSObject {
    /// How round its corners would be.
    public var cornerRadius: CGFloat = 0
    /// How wide its edge would be.
    public var borderWidth: CGFloat = 0
    /// Whether what lies outside it would be cut off.
    public var masksToBounds = false
}

/// What hears a gesture; nobody makes one here.
@preconcurrency @MainActor
open class UIGestureRecognizer: NSObject {
    /// Whether it hears anything.
    open var isEnabled = true

    /// Sends a gesture to a target.
    public init(target: Any?, action: Selector?) {}

    /// Sends a gesture to nobody.
    public convenience override init() {
        self.init(target: nil, action: nil)
    }
}

/// What hears a tap.
open class UITapGestureRecognizer: UIGestureRecognizer {
    /// How many taps it takes.
    open var numberOfTapsRequired = 1
}

/// The view at the bottom of an app.
open class UIWindow: UIView {
    /// The controller of what it shows.
    open var rootViewController: UIViewController?
    /// Whether it gets keyboard events.
    open private(set) var isKeyWindow = false
    /// Itself.
    open override var window: UIWindow? { self }

    /// Shows it.
    open func makeKeyAndVisible() {
        isHidden = false
        isKeyWindow = true
    }
}

/// Views in a row, which are not laid out.
open class UIStackView: UIView {
    /// The views in order.
    open private(set) var arrangedSubviews: [UIView] = []
    /// In which direction the row would go.
    open var axis = NSLayoutConstraint.Axis.horizontal
    /// The space between two views.
    open var spacing: CGFloat = 0

    /// A row of views.
    public convenience init(arrangedSubviews views: [UIView]) {
        self.init(frame: .zero)
        views.forEach(addArrangedSubview)
    }

    /// Adds a view at the end of the row.
    open func addArrangedSubview(_ view: UIView) {
        arrangedSubviews.append(view)
        addSubview(view)
    }
}

/// A picture.
open class UIImageView: UIView {
    /// What is shown.
    open var image: UIImage?

    /// A view of a picture.
    public convenience init(image: UIImage?) {
        self.init(frame: .zero)
        self.image = image
    }
}

/// A wheel that turns while something lasts.
open class UIActivityIndicatorView: UIView {
    /// How large the wheel is.
    public enum Style: Int, Sendable {
        /// As large as text.
        case medium = 100
        /// Larger.
        case large = 101
    }

    /// Whether it turns.
    open private(set) var isAnimating = false
    /// Whether it is hidden while it stands.
    open var hidesWhenStopped = true

    /// A wheel of a size.
    public convenience init(style: Style) {
        self.init(frame: .zero)
    }

    /// Lets it turn.
    open func startAnimating() {
        isAnimating = true
    }

    /// Lets it stand.
    open func stopAnimating() {
        isAnimating = false
    }
}

/// A view larger than what is seen of it.
open class UIScrollView: UIView {
    /// The size of what can be seen.
    open var contentSize = CGSize.zero
    /// How far it was moved.
    open var contentOffset = CGPoint.zero
    /// Whether it can be moved.
    open var isScrollEnabled = true
}

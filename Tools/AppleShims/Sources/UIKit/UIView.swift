import Foundation

/// A rectangle on the screen, which is not drawn.
open class UIView: UIResponder {
    public enum ContentMode: Int, Sendable {
        case scaleToFill = 0
        case scaleAspectFit = 1
        case scaleAspectFill = 2
        case center = 4
    }

    /// The position in the superview.
    open var frame: CGRect
    open var bounds: CGRect {
        get { CGRect(x: 0, y: 0, width: frame.size.width, height: frame.size.height) }
        set { frame.size = newValue.size }
    }
    open var isHidden = false
    open var alpha: CGFloat = 1
    open var tag = 0
    open var backgroundColor: UIColor?
    open var tintColor: UIColor? = .systemBlue
    open var isUserInteractionEnabled = true
    /// A Boolean value that indicates whether subviews would be clipped to the bounds.
    open var clipsToBounds = false
    /// The way the content would fit the view.
    open var contentMode = ContentMode.scaleToFill
    /// A Boolean value that indicates whether the frame would become constraints.
    open var translatesAutoresizingMaskIntoConstraints = true
    public let layer = CALayer()
    /// The views inside this one, in order.
    open private(set) var subviews: [UIView] = []
    open private(set) weak var superview: UIView?
    open private(set) var gestureRecognizers: [UIGestureRecognizer]?

    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    /// Creates a view without a size.
    public convenience override init() {
        self.init(frame: .zero)
    }

    /// Creates a view from an archive, which is not read.
    public required init?(coder: NSCoder) {
        frame = .zero
        super.init()
    }

    open var window: UIWindow? { superview?.window }
    open override var next: UIResponder? { superview }

    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
    }

    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }

    open func viewWithTag(_ tag: Int) -> UIView? {
        if self.tag == tag { return self }
        for view in subviews {
            if let found = view.viewWithTag(tag) { return found }
        }
        return nil
    }

    @discardableResult
    open func endEditing(_ force: Bool) -> Bool {
        if isFirstResponder { return resignFirstResponder() }
        return subviews.contains { $0.endEditing(force) }
    }

    open func addGestureRecognizer(_ recognizer: UIGestureRecognizer) {
        gestureRecognizers = (gestureRecognizers ?? []) + [recognizer]
    }

    open func setNeedsLayout() {}
    open func layoutIfNeeded() {}
    /// Called to lay out the view, which never happens here.
    open func layoutSubviews() {}
    open func setNeedsDisplay() {}
    open func sizeToFit() {}

    /// Performs the changes at once and calls the completion.
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
    public var cornerRadius: CGFloat = 0
    public var borderWidth: CGFloat = 0
    /// A Boolean value that indicates whether sublayers would be clipped to the bounds.
    public var masksToBounds = false
}

/// A gesture recognizer; there are no gestures here.
@preconcurrency @MainActor
open class UIGestureRecognizer: NSObject {
    open var isEnabled = true

    public init(target: Any?, action: Selector?) {}

    /// Creates a recognizer without a target.
    public convenience override init() {
        self.init(target: nil, action: nil)
    }
}

/// A recognizer of taps.
open class UITapGestureRecognizer: UIGestureRecognizer {
    open var numberOfTapsRequired = 1
}

/// The root view of an app.
open class UIWindow: UIView {
    open var rootViewController: UIViewController?
    open private(set) var isKeyWindow = false
    open override var window: UIWindow? { self }

    open func makeKeyAndVisible() {
        isHidden = false
        isKeyWindow = true
    }
}

/// Views in a row, which are not laid out.
open class UIStackView: UIView {
    /// The views in order.
    open private(set) var arrangedSubviews: [UIView] = []
    /// The direction of the row.
    open var axis = NSLayoutConstraint.Axis.horizontal
    open var spacing: CGFloat = 0

    public convenience init(arrangedSubviews views: [UIView]) {
        self.init(frame: .zero)
        views.forEach(addArrangedSubview)
    }

    open func addArrangedSubview(_ view: UIView) {
        arrangedSubviews.append(view)
        addSubview(view)
    }
}

/// A picture.
open class UIImageView: UIView {
    open var image: UIImage?

    public convenience init(image: UIImage?) {
        self.init(frame: .zero)
        self.image = image
    }
}

/// An activity indicator.
open class UIActivityIndicatorView: UIView {
    public enum Style: Int, Sendable {
        case medium = 100
        case large = 101
    }

    open private(set) var isAnimating = false
    open var hidesWhenStopped = true

    public convenience init(style: Style) {
        self.init(frame: .zero)
    }

    open func startAnimating() {
        isAnimating = true
    }

    open func stopAnimating() {
        isAnimating = false
    }
}

/// A view larger than its visible part.
open class UIScrollView: UIView {
    open var contentSize = CGSize.zero
    open var contentOffset = CGPoint.zero
    open var isScrollEnabled = true
}

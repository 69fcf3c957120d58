import Foundation

// Constraints are taken and kept, never solved: code that lays its views out compiles, and every frame stays as it was.

/// A rule for where a view lies.
@preconcurrency @MainActor
public final class NSLayoutConstraint: NSObject {
    public enum Axis: Int, Sendable {
        case horizontal = 0
        case vertical = 1
    }

    /// The distance the rule asks for.
    public var constant: CGFloat
    public var isActive = false

    init(constant: CGFloat) {
        self.constant = constant
    }

    /// A rule of a storyboard, which is not read.
    public convenience override init() {
        self.init(constant: 0)
    }

    public static func activate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = true }
    }
}

/// An edge, a middle or a size of a view.
@preconcurrency @MainActor
public struct NSLayoutAnchor {
    /// The same as another.
    public func constraint(equalTo other: NSLayoutAnchor, constant: CGFloat = 0) -> NSLayoutConstraint {
        NSLayoutConstraint(constant: constant)
    }

    /// The same as another or more.
    public func constraint(greaterThanOrEqualTo other: NSLayoutAnchor, constant: CGFloat = 0) -> NSLayoutConstraint {
        NSLayoutConstraint(constant: constant)
    }

    /// The same as another or less.
    public func constraint(lessThanOrEqualTo other: NSLayoutAnchor, constant: CGFloat = 0) -> NSLayoutConstraint {
        NSLayoutConstraint(constant: constant)
    }

    public func constraint(equalTo other: NSLayoutAnchor, multiplier: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(constant: 0)
    }

    public func constraint(equalToConstant constant: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(constant: constant)
    }
}

/// What has edges.
@preconcurrency @MainActor
public protocol LayoutEdges {}

extension LayoutEdges {
    public var topAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    public var bottomAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    /// The edge where text begins.
    public var leadingAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    /// The edge where text ends.
    public var trailingAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    public var leftAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    public var rightAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    public var centerXAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    public var centerYAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    public var widthAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    public var heightAnchor: NSLayoutAnchor { NSLayoutAnchor() }
}

/// A rectangle without a view.
public struct UILayoutGuide: LayoutEdges {}

extension UIView: LayoutEdges {
    public var safeAreaLayoutGuide: UILayoutGuide { UILayoutGuide() }
}

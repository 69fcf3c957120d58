import Foundation

// Constraints are accepted and kept, but never solved: code that lays out its views compiles, and every frame stays unchanged.

/// A rule for the position of a view.
@preconcurrency @MainActor
public final class NSLayoutConstraint: NSObject {
    public enum Axis: Int, Sendable {
        case horizontal = 0
        case vertical = 1
    }

    /// The distance that the rule asks for.
    public var constant: CGFloat
    public var isActive = false

    init(constant: CGFloat) {
        self.constant = constant
    }

    /// Creates a rule of a storyboard, which is not read.
    public convenience override init() {
        self.init(constant: 0)
    }

    public static func activate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = true }
    }
}

/// An edge, a center or a size of a view.
@preconcurrency @MainActor
public struct NSLayoutAnchor {
    /// Returns a rule to equal another anchor.
    public func constraint(equalTo other: NSLayoutAnchor, constant: CGFloat = 0) -> NSLayoutConstraint {
        NSLayoutConstraint(constant: constant)
    }

    /// Returns a rule to equal or exceed another anchor.
    public func constraint(greaterThanOrEqualTo other: NSLayoutAnchor, constant: CGFloat = 0) -> NSLayoutConstraint {
        NSLayoutConstraint(constant: constant)
    }

    /// Returns a rule to equal or fall below another anchor.
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

/// An object with edges.
@preconcurrency @MainActor
public protocol LayoutEdges {}

extension LayoutEdges {
    public var topAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    public var bottomAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    /// The edge at which text begins.
    public var leadingAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    /// The edge at which text ends.
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

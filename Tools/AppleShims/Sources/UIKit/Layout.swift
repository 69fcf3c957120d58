import Foundation

// Constraints are taken and kept, never solved: code that lays its views out compiles, and every frame stays as it was.

/// A rule for where a view lies.
@preconcurrency @MainActor
public final class NSLayoutConstraint: NSObject {
    /// A direction.
    public enum Axis: Int, Sendable {
        /// From side to side.
        case horizontal = 0
        /// From top to bottom.
        case vertical = 1
    }

    /// The distance the rule asks for.
    public var constant: CGFloat
    /// Whether the rule holds.
    public var isActive = false

    init(constant: CGFloat) {
        self.constant = constant
    }

    /// A rule of a storyboard, which is not read.
    public convenience override init() {
        self.init(constant: 0)
    }

    /// Lets rules hold.
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

    /// A part of another.
    public func constraint(equalTo other: NSLayoutAnchor, multiplier: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(constant: 0)
    }

    /// A size.
    public func constraint(equalToConstant constant: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(constant: constant)
    }
}

/// What has edges.
@preconcurrency @MainActor
public protocol LayoutEdges {}

extension LayoutEdges {
    /// The upper edge.
    public var topAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    /// The lower edge.
    public var bottomAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    /// The edge where text begins.
    public var leadingAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    /// The edge where text ends.
    public var trailingAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    /// The left edge.
    public var leftAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    /// The right edge.
    public var rightAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    /// The middle from side to side.
    public var centerXAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    /// The middle from top to bottom.
    public var centerYAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    /// From side to side.
    public var widthAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    /// From top to bottom.
    public var heightAnchor: NSLayoutAnchor { NSLayoutAnchor() }
}

/// A rectangle without a view.
public struct UILayoutGuide: LayoutEdges {}

extension UIView: LayoutEdges {
    /// What bars leave free.
    public var safeAreaLayoutGuide: UILayoutGuide { UILayoutGuide() }
}

import Foundation

/// A color, by its components.
public final class UIColor: NSObject, Sendable {
    private let parts: [CGFloat]

    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        parts = [red, green, blue, alpha]
    }

    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// Returns `true` if another object is the same color.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? UIColor)?.parts == parts
    }

    public override var hash: Int { parts.hashValue }

    /// Returns the same color with another opacity.
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: parts[0], green: parts[1], blue: parts[2], alpha: alpha)
    }

    public static let black = UIColor(white: 0, alpha: 1)
    public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
    public static let clear = UIColor(white: 0, alpha: 0)
    public static let darkGray = UIColor(white: 1 / 3, alpha: 1)
    public static let gray = UIColor(white: 0.5, alpha: 1)
    public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
    public static let lightGray = UIColor(white: 2 / 3, alpha: 1)
    public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
    public static let white = UIColor(white: 1, alpha: 1)
    public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
    public static let label = black
    public static let secondaryLabel = UIColor(white: 0, alpha: 0.6)
    public static let systemBackground = white
    public static let systemBlue = UIColor(red: 0, green: 0.48, blue: 1, alpha: 1)
    public static let systemGray = UIColor(red: 0.56, green: 0.56, blue: 0.58, alpha: 1)
    public static let systemGreen = UIColor(red: 0.2, green: 0.78, blue: 0.35, alpha: 1)
    public static let systemRed = UIColor(red: 1, green: 0.23, blue: 0.19, alpha: 1)
}

/// A font, with its size.
public final class UIFont: NSObject, Sendable {
    public enum Weight: Sendable {
        case light, regular, medium, semibold, bold
    }

    public enum TextStyle: Sendable {
        case largeTitle, title1, title2, title3, headline, body, footnote
    }

    public let pointSize: CGFloat

    private init(size: CGFloat) {
        pointSize = size
    }

    public static func systemFont(ofSize size: CGFloat, weight: Weight = .regular) -> UIFont {
        UIFont(size: size)
    }

    public static func boldSystemFont(ofSize size: CGFloat) -> UIFont {
        UIFont(size: size)
    }

    public static func monospacedSystemFont(ofSize size: CGFloat, weight: Weight) -> UIFont {
        UIFont(size: size)
    }

    public static func preferredFont(forTextStyle style: TextStyle) -> UIFont {
        UIFont(size: 17)
    }
}

/// An image; only its data is kept.
public final class UIImage: NSObject, Sendable {
    private let source: Data

    public init?(data: Data) {
        guard !data.isEmpty else { return nil }
        source = data
    }

    /// Returns nil: asset catalogs are not read.
    public convenience init?(named name: String) {
        self.init(data: Data())
    }

    /// Returns nil: there are no system symbols here.
    public convenience init?(systemName name: String) {
        self.init(data: Data())
    }
}

/// The alignment of text.
public enum NSTextAlignment: Int, Sendable {
    case left = 0
    case center = 1
    case right = 2
    case justified = 3
    case natural = 4
}

import Foundation

/// A color, by its parts.
public final class UIColor: NSObject, Sendable {
    private let parts: [CGFloat]

    /// A color of red, green and blue.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        parts = [red, green, blue, alpha]
    }

    /// A gray.
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// Whether another object is the same color.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? UIColor)?.parts == parts
    }

    /// Equal for equal colors.
    public override var hash: Int { parts.hashValue }

    /// The same color, more or less opaque.
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: parts[0], green: parts[1], blue: parts[2], alpha: alpha)
    }

    /// Black.
    public static let black = UIColor(white: 0, alpha: 1)
    /// Blue.
    public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
    /// Nothing.
    public static let clear = UIColor(white: 0, alpha: 0)
    /// Dark gray.
    public static let darkGray = UIColor(white: 1 / 3, alpha: 1)
    /// Gray.
    public static let gray = UIColor(white: 0.5, alpha: 1)
    /// Green.
    public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
    /// Light gray.
    public static let lightGray = UIColor(white: 2 / 3, alpha: 1)
    /// Orange.
    public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    /// Red.
    public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
    /// White.
    public static let white = UIColor(white: 1, alpha: 1)
    /// Yellow.
    public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
    /// The text of a screen.
    public static let label = black
    /// Text that matters less.
    public static let secondaryLabel = UIColor(white: 0, alpha: 0.6)
    /// Behind a screen.
    public static let systemBackground = white
    /// The blue of the system.
    public static let systemBlue = UIColor(red: 0, green: 0.48, blue: 1, alpha: 1)
    /// The gray of the system.
    public static let systemGray = UIColor(red: 0.56, green: 0.56, blue: 0.58, alpha: 1)
    /// The green of the system.
    public static let systemGreen = UIColor(red: 0.2, green: 0.78, blue: 0.35, alpha: 1)
    /// The red of the system.
    public static let systemRed = UIColor(red: 1, green: 0.23, blue: 0.19, alpha: 1)
}

/// A font, with its size.
public final class UIFont: NSObject, Sendable {
    /// How thick letters are.
    public enum Weight: Sendable {
        /// From thin to thick.
        case light, regular, medium, semibold, bold
    }

    /// What a text is for.
    public enum TextStyle: Sendable {
        /// Text of a screen, from large to small.
        case largeTitle, title1, title2, title3, headline, body, footnote
    }

    /// How high letters are.
    public let pointSize: CGFloat

    private init(size: CGFloat) {
        pointSize = size
    }

    /// The font of the system.
    public static func systemFont(ofSize size: CGFloat, weight: Weight = .regular) -> UIFont {
        UIFont(size: size)
    }

    /// The font of the system in bold.
    public static func boldSystemFont(ofSize size: CGFloat) -> UIFont {
        UIFont(size: size)
    }

    /// The font of the system with letters of one width.
    public static func monospacedSystemFont(ofSize size: CGFloat, weight: Weight) -> UIFont {
        UIFont(size: size)
    }

    /// The font for a text.
    public static func preferredFont(forTextStyle style: TextStyle) -> UIFont {
        UIFont(size: 17)
    }
}

/// A picture, of which the data is kept.
public final class UIImage: NSObject, Sendable {
    /// What the picture was made of.
    private let source: Data

    /// A picture of a file's data.
    public init?(data: Data) {
        guard !data.isEmpty else { return nil }
        source = data
    }

    /// None: catalogues of assets are not read.
    public convenience init?(named name: String) {
        self.init(data: Data())
    }

    /// None: the symbols of the system are not here.
    public convenience init?(systemName name: String) {
        self.init(data: Data())
    }
}

/// On which side text stands.
public enum NSTextAlignment: Int, Sendable {
    /// To the left.
    case left = 0
    /// In the middle.
    case center = 1
    /// To the right.
    case right = 2
    /// From edge to edge.
    case justified = 3
    /// As the language has it.
    case natural = 4
}

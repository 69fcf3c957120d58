// What files apart from views take from SwiftUI: the modules that come with it, and the few names that models use.
// There are no views, since nothing here would show them.
@_exported import Combine
@_exported import Foundation
@_exported import Observation
@_exported import UIKit

/// How a change comes to the screen, which nothing shows here.
public struct Animation: Hashable, Sendable {
    private let name: String

    /// As the system has it.
    public static let `default` = Animation(name: "default")
    /// Always as fast.
    public static let linear = Animation(name: "linear")
    /// Slow at first.
    public static let easeIn = Animation(name: "easeIn")
    /// Slow at the end.
    public static let easeOut = Animation(name: "easeOut")
    /// Slow at first and at the end.
    public static let easeInOut = Animation(name: "easeInOut")

    /// Slow at first and at the end, in a time.
    public static func easeInOut(duration: TimeInterval) -> Animation { easeInOut }
    /// As a spring.
    public static func spring() -> Animation { Animation(name: "spring") }
}

/// Makes a change at once.
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
    try body()
}

/// A color by its name or its parts.
public struct Color: Hashable, Sendable {
    private let name: String

    /// A color of red, green and blue.
    public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
        name = "\(red) \(green) \(blue) \(opacity)"
    }

    /// A color of the catalogue of an app.
    public init(_ name: String) {
        self.name = name
    }

    /// Black.
    public static let black = Color("black")
    /// Blue.
    public static let blue = Color("blue")
    /// Nothing.
    public static let clear = Color("clear")
    /// Gray.
    public static let gray = Color("gray")
    /// Green.
    public static let green = Color("green")
    /// Orange.
    public static let orange = Color("orange")
    /// As the text of a screen.
    public static let primary = Color("primary")
    /// Purple.
    public static let purple = Color("purple")
    /// Red.
    public static let red = Color("red")
    /// As text that matters less.
    public static let secondary = Color("secondary")
    /// White.
    public static let white = Color("white")
    /// Yellow.
    public static let yellow = Color("yellow")
}

// The parts of SwiftUI that files without views use: the modules it re-exports, and the few names that models need. There are
// no views, since nothing here could show them.
@_exported import Combine
@_exported import Foundation
@_exported import Observation
@_exported import UIKit

/// The animation of a change; nothing is animated here.
public struct Animation: Hashable, Sendable {
    private let name: String

    public static let `default` = Animation(name: "default")
    /// Constant speed.
    public static let linear = Animation(name: "linear")
    public static let easeIn = Animation(name: "easeIn")
    public static let easeOut = Animation(name: "easeOut")
    public static let easeInOut = Animation(name: "easeInOut")

    public static func easeInOut(duration: TimeInterval) -> Animation { easeInOut }
    public static func spring() -> Animation { Animation(name: "spring") }
}

/// Performs a change at once.
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
    try body()
}

/// A color, by name or by components.
public struct Color: Hashable, Sendable {
    private let name: String

    public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
        name = "\(red) \(green) \(blue) \(opacity)"
    }

    public init(_ name: String) {
        self.name = name
    }

    public static let accentColor = Color("accentColor")
    public static let black = Color("black")
    public static let blue = Color("blue")
    public static let brown = Color("brown")
    public static let clear = Color("clear")
    public static let cyan = Color("cyan")
    public static let gray = Color("gray")
    public static let green = Color("green")
    public static let indigo = Color("indigo")
    public static let mint = Color("mint")
    public static let orange = Color("orange")
    public static let pink = Color("pink")
    public static let primary = Color("primary")
    public static let purple = Color("purple")
    public static let red = Color("red")
    public static let secondary = Color("secondary")
    public static let teal = Color("teal")
    public static let white = Color("white")
    public static let yellow = Color("yellow")
}

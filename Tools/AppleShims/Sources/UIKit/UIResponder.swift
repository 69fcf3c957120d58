@_exported import Foundation

// A shell: classes with the members that code of screens uses. Behavior that code can depend on is real: text is kept, targets
// and data sources are called. Nothing is laid out or drawn.
//
// Swift imports UIKit from Objective-C, so its isolation binds callers no more than `@preconcurrency` does: code in Swift 5
// mode that creates an alert off the main actor compiles.

/// An object that can handle events.
@preconcurrency @MainActor
open class UIResponder: NSObject {
    open var next: UIResponder? { nil }
    open var canBecomeFirstResponder: Bool { false }
    open private(set) var isFirstResponder = false

    @discardableResult
    open func becomeFirstResponder() -> Bool {
        isFirstResponder = canBecomeFirstResponder
        return isFirstResponder
    }

    @discardableResult
    open func resignFirstResponder() -> Bool {
        isFirstResponder = false
        return true
    }
}

/// An object that restores its state from an activity, passed on by the app's delegate; nothing is restored here.
public protocol UIUserActivityRestoring: NSObjectProtocol {}

extension UIResponder: UIUserActivityRestoring {}

/// A user action on the screen.
@preconcurrency @MainActor
open class UIEvent: NSObject {}

@_exported import Foundation

// A shell: classes with the members that the code of screens names. What code can depend on happens: text is kept,
// targets and data sources are asked. Nothing is laid out or drawn.
//
// UIKit comes to Swift from Objective-C, so its isolation binds callers no more than `@preconcurrency` does: code in
// Swift 5 mode that makes an alert off the main actor compiles.

/// What can handle events.
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

/// An object that restores its state from an activity, as the delegate of an app hands it on; nothing restores here.
public protocol UIUserActivityRestoring: NSObjectProtocol {}

extension UIResponder: UIUserActivityRestoring {}

/// Something a person does with the screen.
@preconcurrency @MainActor
open class UIEvent: NSObject {}

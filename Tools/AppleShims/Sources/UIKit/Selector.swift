import Foundation

/// A method through which a target is notified.
///
/// `#selector` needs the Objective-C runtime; `Tools/corenfc-overlay` turns `#selector(tap)` into `Selector(tap)`. A method of
/// an object retains that object; a method of a class (`#selector(Screen.tap)`) is sent to the target given with it. A method
/// given only by name is unknown, so calling it does nothing.
public struct Selector: ExpressibleByStringLiteral {
    typealias Message = @MainActor (_ target: Any?, _ sender: Any?, _ event: UIEvent?) -> Void

    let send: Message
    let isMethod: (Any) -> Bool

    private init(send: @escaping Message, isMethod: @escaping (Any) -> Bool) {
        self.send = send
        self.isMethod = isMethod
    }

    public init(_ name: String) {
        self.init(send: { _, _, _ in }, isMethod: { _ in false })
    }

    public init(stringLiteral name: String) {
        self.init(name)
    }

    public init(_ method: @escaping @MainActor () -> Void) {
        self.init(send: { _, _, _ in method() }, isMethod: { _ in true })
    }

    public init<Sender>(_ method: @escaping @MainActor (Sender) -> Void) {
        self.init(
            send: { _, sender, _ in
                if let sender = sender as? Sender { method(sender) }
            }, isMethod: { _ in true })
    }

    public init<Sender>(_ method: @escaping @MainActor (Sender, UIEvent?) -> Void) {
        self.init(
            send: { _, sender, event in
                if let sender = sender as? Sender { method(sender, event) }
            }, isMethod: { _ in true })
    }

    public init<Target: AnyObject>(_ method: @escaping (Target) -> @MainActor () -> Void) {
        self.init(
            send: { target, _, _ in
                if let target = target as? Target { method(target)() }
            }, isMethod: { $0 is Target })
    }

    public init<Target: AnyObject, Sender, Result>(_ method: @escaping (Target) -> @MainActor (Sender) -> Result) {
        self.init(
            send: { target, sender, _ in
                if let target = target as? Target, let sender = sender as? Sender { _ = method(target)(sender) }
            }, isMethod: { $0 is Target })
    }
}

extension NSObjectProtocol {
    /// Returns `true` if the object has a method, as far as known without the Objective-C runtime; never for a method given by
    /// name.
    public func responds(to method: Selector) -> Bool {
        method.isMethod(self)
    }
}

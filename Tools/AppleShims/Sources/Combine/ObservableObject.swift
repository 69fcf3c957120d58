import Foundation

/// An object that announces its changes beforehand.
public protocol ObservableObject: AnyObject {
    /// The publisher that announces changes.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    /// Sends before the object changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// Sends before any published property of the object changes, including those of its superclasses.
    public var objectWillChange: ObservableObjectPublisher {
        let publisher = ObservedObjects.shared.publisher(of: self)
        var mirror: Mirror? = Mirror(reflecting: self)
        while let level = mirror {
            for child in level.children {
                (child.value as? any PublishedProperty)?.announce(through: publisher)
            }
            mirror = level.superclassMirror
        }
        return publisher
    }
}

/// The publisher of an observable object.
public final class ObservableObjectPublisher: Publisher {
    /// The publisher announces only that there is a change, not which one.
    public typealias Output = Void
    public typealias Failure = Never

    private let hub = Hub<Void, Never>()

    public init() {}

    /// Announces a change to every subscriber.
    public func send() {
        hub.send(())
    }

    public func receive<Receiver: Subscriber>(subscriber: Receiver)
    where Receiver.Input == Void, Receiver.Failure == Never {
        hub.attach(AnySubscriber(subscriber))
    }
}

/// The publishers by object: a class that only conforms cannot store its own publisher.
private final class ObservedObjects: @unchecked Sendable {
    static let shared = ObservedObjects()

    private struct Entry {
        weak var object: AnyObject?
        let publisher: ObservableObjectPublisher
    }

    private let lock = NSLock()
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var nextSweep = 64

    func publisher(of object: AnyObject) -> ObservableObjectPublisher {
        lock.withLock {
            let key = ObjectIdentifier(object)
            // An address is reused after its object is gone; the weak reference reveals that.
            if let entry = entries[key], entry.object === object { return entry.publisher }
            sweep()
            let entry = Entry(object: object, publisher: ObservableObjectPublisher())
            entries[key] = entry
            return entry.publisher
        }
    }

    /// Removes the entries of deallocated objects whenever the table has doubled.
    private func sweep() {
        guard entries.count >= nextSweep else { return }
        entries = entries.filter { $0.value.object != nil }
        nextSweep = max(64, entries.count * 2)
    }
}

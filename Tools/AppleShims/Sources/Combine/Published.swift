import Foundation

/// A property of a class that announces every change beforehand.
///
/// Subscribers of `$property` get the current value and then every new one. The object's `objectWillChange` sends first, then
/// the subscribers get the new value, then the property changes.
@propertyWrapper
public struct Published<Value> {
    let state: PublishedState<Value>

    /// Creates a property with its first value.
    public init(wrappedValue: Value) {
        state = PublishedState(wrappedValue)
    }

    public init(initialValue: Value) {
        self.init(wrappedValue: initialValue)
    }

    /// Unavailable: only a property of a class can be published.
    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { state.value }
        nonmutating set { state.set(newValue) }
    }

    /// The publisher behind `$property`.
    public var projectedValue: Publisher {
        mutating get { Publisher(state: state) }
        // Only `assign(to:)` calls this, and it has already connected the state to its source.
        set {}
    }

    // swift-format-ignore: NoLeadingUnderscores
    /// Reads and sets the property of an object; called by the compiler.
    public static subscript<Owner: AnyObject>(
        _enclosingInstance object: Owner, wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
        storage storage: ReferenceWritableKeyPath<Owner, Published<Value>>
    ) -> Value {
        get { object[keyPath: storage].state.value }
        set { object[keyPath: storage].state.set(newValue) }
    }

    /// Sends the value of a published property and every change of it.
    public struct Publisher: Combine.Publisher {
        /// The values of the property.
        public typealias Output = Value
        /// A property does not fail.
        public typealias Failure = Never

        let state: PublishedState<Value>

        /// Connects a subscriber, which gets the current value first.
        public func receive<Receiver: Subscriber>(subscriber: Receiver)
        where Receiver.Input == Value, Receiver.Failure == Never {
            state.hub.attach(AnySubscriber(subscriber))
        }
    }
}

/// The state of a published property; shared by the copies of its wrapper that reflection makes.
final class PublishedState<Value> {
    let hub: Hub<Value, Never>
    private let lock = NSLock()
    private var current: Value
    private var owner: ObservableObjectPublisher?
    private var sources: [AnyCancellable] = []

    init(_ value: Value) {
        current = value
        hub = Hub(value)
    }

    deinit {
        hub.send(completion: .finished)
    }

    var value: Value {
        lock.withLock { current }
    }

    /// Announces the new value, then stores it.
    func set(_ value: Value) {
        lock.withLock { owner }?.send()
        hub.send(value)
        lock.withLock { current = value }
    }

    /// Keeps a source of values as long as the property exists.
    func keep(_ source: () -> AnyCancellable) {
        let source = source()
        lock.withLock { sources.append(source) }
    }
}

/// A published property of any type, as found by reflection over an object.
protocol PublishedProperty {
    /// Sets the publisher that sends before every change.
    func announce(through publisher: ObservableObjectPublisher)
}

extension Published: PublishedProperty {
    func announce(through publisher: ObservableObjectPublisher) {
        state.announce(through: publisher)
    }
}

extension PublishedState {
    func announce(through publisher: ObservableObjectPublisher) {
        lock.withLock { owner = publisher }
    }
}

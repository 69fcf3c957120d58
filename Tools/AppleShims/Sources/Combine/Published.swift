import Foundation

/// A property of a class that tells of every change before it happens.
///
/// Subscribers of `$property` get the value it has and then every new one. The object's `objectWillChange` sends
/// first, then the subscribers are told, then the property has the new value.
@propertyWrapper
public struct Published<Value> {
    let state: PublishedState<Value>

    /// A property with its first value.
    public init(wrappedValue: Value) {
        state = PublishedState(wrappedValue)
    }

    /// A property with its first value.
    public init(initialValue: Value) {
        self.init(wrappedValue: initialValue)
    }

    /// Not available: only a property of a class can be published.
    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { state.value }
        nonmutating set { state.set(newValue) }
    }

    /// The publisher that `$property` names.
    public var projectedValue: Publisher {
        mutating get { Publisher(state: state) }
        // Only `assign(to:)` comes here, and it has told the state where its values come from.
        set {}
    }

    // swift-format-ignore: NoLeadingUnderscores
    /// Reads and sets the property of an object; the compiler calls it.
    public static subscript<Owner: AnyObject>(
        _enclosingInstance object: Owner, wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
        storage storage: ReferenceWritableKeyPath<Owner, Published<Value>>
    ) -> Value {
        get { object[keyPath: storage].state.value }
        set { object[keyPath: storage].state.set(newValue) }
    }

    /// Tells the value of a published property and every change of it.
    public struct Publisher: Combine.Publisher {
        /// The values of the property.
        public typealias Output = Value
        /// A property does not fail.
        public typealias Failure = Never

        let state: PublishedState<Value>

        /// Connects a subscriber, which gets the present value first.
        public func receive<Receiver: Subscriber>(subscriber: Receiver)
        where Receiver.Input == Value, Receiver.Failure == Never {
            state.hub.attach(AnySubscriber(subscriber))
        }
    }
}

/// What a published property holds; shared by the copies of its wrapper, which reflection makes.
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

    /// Tells of the new value, then takes it.
    func set(_ value: Value) {
        lock.withLock { owner }?.send()
        hub.send(value)
        lock.withLock { current = value }
    }

    /// Keeps a source of values as long as the property lives.
    func keep(_ source: () -> AnyCancellable) {
        let source = source()
        lock.withLock { sources.append(source) }
    }
}

/// A published property of any type, as the reflection over an object finds it.
protocol PublishedProperty {
    /// Names what is to send before every change.
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

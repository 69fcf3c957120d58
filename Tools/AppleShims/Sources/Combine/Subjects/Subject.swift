/// A publisher that code outside can send values through.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Sends a value to every subscriber that asked for one.
    func send(_ value: Output)
    /// Ends it for every subscriber; what is sent later goes nowhere.
    func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
    /// Sends an event without a value.
    public func send() {
        send(())
    }
}

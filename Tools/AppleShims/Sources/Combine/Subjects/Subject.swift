/// A publisher through which outside code can send values.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Sends a value to every subscriber that has requested one.
    func send(_ value: Output)
    /// Ends the subject for every subscriber; later values are lost.
    func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
    /// Sends an event without a value.
    public func send() {
        send(())
    }
}

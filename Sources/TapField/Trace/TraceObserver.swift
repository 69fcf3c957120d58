import TapWire

/// Is told of events while a world runs, to print exchanges as they happen.
public protocol TraceObserver: AnyObject, Sendable {
    /// An event has happened.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - command: The last command this observer was told of, which an answer answers; nothing before the first.
    func observe(_ event: TraceEvent, answering command: AirFrame?)
}

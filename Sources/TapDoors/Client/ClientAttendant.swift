/// Looks after a client while it runs: is told what it writes, and says what is to be done about it.
///
/// All calls come on the thread that runs the client.
public protocol ClientAttendant: AnyObject {
    /// Takes what the client has written to a stream.
    func wrote(_ bytes: [UInt8], to stream: ClientProcess.Stream)

    /// Says what is to be done now.
    ///
    /// It is asked when the client has started, after whatever it writes, when the bell was rung, and at the time the
    /// orders before name.
    ///
    /// - Parameters:
    ///   - elapsed: How long the client has been running.
    ///   - isBusy: Whether a process of its group wants a processor right now, where the system tells that.
    func orders(at elapsed: Duration, isBusy: () -> Bool) -> ClientOrders

    /// Takes note that the client has ended, before anything else is done about that.
    func ended()
}

/// What is to be done about a client that runs.
public struct ClientOrders: Hashable, Sendable {
    /// What it is to read from its standard input next.
    public var input: [UInt8]
    /// Whether more input may follow, so that its standard input stays open.
    public var mayWriteMore: Bool
    /// Whether it is to be ended: asked to first, then killed.
    public var isToEnd: Bool
    /// When to ask again, since the start of the client; nothing if only what happens is of interest.
    public var askAgain: Duration?

    /// Creates orders; by default the client is let alone.
    public init(input: [UInt8] = [], mayWriteMore: Bool = false, isToEnd: Bool = false, askAgain: Duration? = nil) {
        self.input = input
        self.mayWriteMore = mayWriteMore
        self.isToEnd = isToEnd
        self.askAgain = askAgain
    }
}

/// Wakes the thread that runs a client; it may be rung on any thread, however often.
public final class Bell: Sendable {
    private let hammer: Descriptor
    /// Becomes readable when the bell was rung.
    let rung: Descriptor

    /// Creates a bell.
    ///
    /// - Throws: ``SystemError`` if the system gives no pipe.
    public init() throws(SystemError) {
        (rung, hammer) = try Descriptor.makePipe()
        rung.setNonBlocking()
        hammer.setNonBlocking()
    }

    /// Wakes whoever waits, or whoever waits next.
    public func ring() {
        // A full pipe wakes as well as one byte more.
        _ = hammer.send([0])
    }

    /// Takes back all ringing so far.
    func still() {
        while case .bytes = rung.receive(upTo: 256) {}
    }
}

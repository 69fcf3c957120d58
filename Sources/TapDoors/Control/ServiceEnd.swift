/// Waits for the end of a service: a signal, a request, or the end of the process it serves.
public final class ServiceEnd: Sendable {
    /// How often it is looked whether the process still runs.
    private static let interval = Duration.milliseconds(100)

    private let signals: Descriptor
    private let requested: Descriptor
    private let request: Descriptor
    private let process: ProcessWatch

    /// Takes the signals that end this process.
    ///
    /// - Parameter process: The process after whose end nobody needs the service any more.
    /// - Throws: ``SystemError`` if the system gives no pipe.
    public init(with process: ProcessWatch) throws(SystemError) {
        self.process = process
        signals = try EndSignals.take()
        (requested, request) = try Descriptor.makePipe()
    }

    /// Ends the service; may be called on any thread and more than once.
    public func ask() {
        request.shut()
    }

    /// Waits for the end.
    public func wait() {
        while process.isRunning {
            let ready = Readiness.wait(for: [(signals, .reading), (requested, .reading)], timeout: Self.interval)
            if ready.contains(true) { return }
        }
    }
}

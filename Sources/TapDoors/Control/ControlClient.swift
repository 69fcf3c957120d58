/// The other end of a ``ControlServer``'s socket.
public struct ControlClient: ~Copyable {
    /// Longest answer taken, in bytes: a journal of as many exchanges as it holds is far below.
    public static let maximumAnswerLength = 1 << 28
    /// How long an answer may take; whoever does not answer by then hangs.
    public static let patience = Duration.seconds(60)
    private static let chunk = 1 << 16

    private let descriptor: Descriptor

    /// Connects.
    ///
    /// - Throws: ``SystemError`` if nobody listens there.
    public init(to path: String) throws(SystemError) {
        descriptor = try UnixSocket.connect(to: path)
        descriptor.setNonBlocking()
    }

    /// Whether anybody listens on the socket at a path.
    public static func isAnswered(_ path: String) -> Bool {
        (try? UnixSocket.connect(to: path)) != nil
    }

    /// Sends a line and waits for the line that answers it.
    ///
    /// - Returns: The answer, or nothing if the service ended or gave none in time.
    public func ask(_ line: String) -> String? {
        let deadline = ContinuousClock.now + Self.patience
        var output = Array((line + "\n").utf8)[...]
        while !output.isEmpty {
            guard isReady(for: .writing, until: deadline), let count = descriptor.sendToSocket(output) else {
                return nil
            }
            output = output.dropFirst(count)
        }
        var lines = LineBuffer(maximumLength: Self.maximumAnswerLength)
        while true {
            if let answer = lines.next()?.text { return answer }
            guard isReady(for: .reading, until: deadline) else { return nil }
            switch descriptor.receive(upTo: Self.chunk) {
            case .bytes(let bytes): lines.append(bytes[...])
            case .nothingYet: continue
            case .end: return nil
            }
        }
    }

    private func isReady(for interest: Readiness.Interest, until deadline: ContinuousClock.Instant) -> Bool {
        Readiness.wait(for: [(descriptor, interest)], timeout: deadline - ContinuousClock.now)[0]
    }
}

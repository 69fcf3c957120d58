import TapWire

/// Lets those clients of a TCP port through to a ``LineServer`` whose first line is `@token TOKEN`.
///
/// Every user of the machine may connect to a port, and so may a page in the user's own browser, which sends an HTTP
/// request. Neither knows the token, so neither is answered. One that sends nothing holds nobody up.
struct LineGate {
    /// What the first line of a client begins with.
    static let event = "@token"
    /// Most clients at once that have not sent the token yet; one more ends the one that waits longest.
    private static let maximumWaiting = 32
    /// Bytes read at once.
    private static let chunk = 1 << 10

    /// A client that has not sent its first line.
    private struct Candidate {
        let descriptor: Descriptor
        var lines = LineBuffer(maximumLength: LineExchange.maximumLineLength)
    }

    private let line: String
    private let listener: any StreamListener
    private var waiting: [Candidate] = []

    init(_ listener: any StreamListener, token: String) {
        line = "\(Self.event) \(token)"
        self.listener = listener
    }

    /// A token that nobody guesses.
    static func makeToken() -> String {
        Hex.digits(UInt64.random(in: 0...(.max)), width: 16) + Hex.digits(UInt64.random(in: 0...(.max)), width: 16)
    }

    /// Takes clients one after another, each with the lines behind the first, until a descriptor becomes readable or its
    /// other end is closed.
    ///
    /// - Parameters:
    ///   - stopped: The descriptor.
    ///   - turnAway: Told of a client whose first line is another one.
    ///   - take: Serves a client.
    mutating func takeClients(
        until stopped: Descriptor, turnAway: () -> Void, _ take: (Descriptor, LineBuffer) -> Void
    ) {
        while true {
            let places = [stopped, listener.descriptor] + waiting.map(\.descriptor)
            let ready = Readiness.wait(for: places.map { ($0, .reading) }, timeout: nil)
            if ready[0] { return }
            for (candidate, isReady) in zip(takeWaiting(), ready.dropFirst(2)) {
                guard isReady else {
                    waiting.append(candidate)
                    continue
                }
                hear(candidate, turnAway, take)
            }
            if ready[1], let client = listener.accept() {
                if waiting.count == Self.maximumWaiting { waiting.removeFirst() }
                waiting.append(Candidate(descriptor: client))
            }
        }
    }

    private mutating func takeWaiting() -> [Candidate] {
        defer { waiting = [] }
        return waiting
    }

    /// Looks at what a client has sent.
    private mutating func hear(
        _ candidate: Candidate, _ turnAway: () -> Void, _ take: (Descriptor, LineBuffer) -> Void
    ) {
        var candidate = candidate
        var bytes = [UInt8](repeating: 0, count: Self.chunk)
        switch SocketStream(candidate.descriptor).receiveAtOnce(into: &bytes) {
        case nil: waiting.append(candidate)
        case 0?: break
        case let count?:
            candidate.lines.append(bytes[..<count])
            guard let first = candidate.lines.next() else { return waiting.append(candidate) }
            let words = (first.text ?? "").split(whereSeparator: \.isWhitespace)
            words.joined(separator: " ") == line ? take(candidate.descriptor, candidate.lines) : turnAway()
        }
    }
}

/// One client of a ``ControlServer``: the lines it sends and what is still to be sent to it.
struct ControlConnection {
    private static let chunk = 1 << 16

    let descriptor: Descriptor
    private var lines = LineBuffer(maximumLength: ControlServer.maximumLineLength)
    private var output: ArraySlice<UInt8> = []

    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
        descriptor.setNonBlocking()
    }

    /// Whether an answer waits until the client takes it.
    var isAnswering: Bool { !output.isEmpty }

    /// Takes what the client sent, answers it line by line, and sends as much as the client takes.
    ///
    /// - Returns: Whether the client is still there.
    mutating func moveOn(_ answer: ControlServer.Answerer) -> Bool {
        guard !isAnswering else { return send(answer) }
        switch descriptor.receive(upTo: Self.chunk) {
        case .end: return false
        case .nothingYet: return true
        case .bytes(let bytes):
            lines.append(bytes[...])
            return send(answer)
        }
    }

    /// Sends, and answers the next line only when the answer before is on its way.
    private mutating func send(_ answer: ControlServer.Answerer) -> Bool {
        while true {
            if !isAnswering {
                guard let line = lines.next() else { return true }
                output = Array((answer(line) + "\n").utf8)[...]
            }
            guard let count = descriptor.sendToSocket(output) else { return false }
            output = output.dropFirst(count)
            if isAnswering { return true }
        }
    }
}

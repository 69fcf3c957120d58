@testable import TapTransports
@testable import TapSystem

/// A client of a ``LineServer`` with a timeout.
final class LineClient {
    /// The time after which a missing answer counts as a hang.
    private static let patience = Duration.seconds(20)

    private let stream: SocketStream
    private var lines = LineBuffer(maximumLength: 1 << 16)
    private var buffer = [UInt8](repeating: 0, count: 1 << 12)

    /// The reason for a missing answer.
    enum Failure: Error {
        case noServer
        case ended
        case silence
        case refusal
    }

    /// A Boolean value that indicates whether the answer to the token is still pending.
    private var awaitsGreeting = false

    /// - Parameters:
    ///   - address: The address of the server.
    ///   - token: The first line to send, which the server answers; `nil` for a server without a token.
    init(to address: LineAddress, sending token: String? = nil) throws {
        switch address {
        case .unix(let path): stream = SocketStream(try UnixSocket.connect(to: path))
        case .tcp(let port):
            let connection = try TCPConnection(to: port)
            guard connection.connect(within: Self.patience) else { throw Failure.noServer }
            stream = connection.stream
        }
        guard let token else { return }
        awaitsGreeting = true
        send("@token \(token)\n")
    }

    /// Sends text unchanged.
    func send(_ text: String) {
        send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) {
        _ = stream.send(bytes)
    }

    /// Sends a line repeatedly without reading the answers, until the server accepts no more.
    func fill(with line: String) {
        let bytes = Array(String(repeating: line, count: 1_000).utf8)[...]
        while stream.descriptor.sendToSocket(bytes, canWait: false) == bytes.count {}
    }

    /// Sends a line and waits for the answer.
    func ask(_ line: String) throws -> String {
        send(line + "\n")
        return try nextLine()
    }

    /// Waits for a line.
    func nextLine() throws -> String {
        if awaitsGreeting {
            awaitsGreeting = false
            guard try nextLine() == "-" else { throw Failure.refusal }
        }
        while true {
            if let line = lines.next() { return line.text ?? "" }
            guard Readiness.wait(for: [(stream.descriptor, .reading)], timeout: Self.patience)[0] else {
                throw Failure.silence
            }
            let count = stream.receive(into: &buffer)
            guard count > 0 else { throw Failure.ended }
            lines.append(buffer[..<count])
        }
    }

    /// A Boolean value that indicates whether the server closes the connection.
    var isBroken: Bool {
        do {
            while true { _ = try nextLine() }
        } catch Failure.ended {
            return true
        } catch {
            return false
        }
    }

    /// A Boolean value that indicates whether nothing arrives for a moment.
    var isQuiet: Bool { !Readiness.wait(for: [(stream.descriptor, .reading)], timeout: .milliseconds(100))[0] }

    func close() {
        stream.descriptor.shut()
    }
}

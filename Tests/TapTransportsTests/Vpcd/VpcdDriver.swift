import TapField
import TapReaders
import TestSupport

@testable import TapTransports

@testable import TapHost

@testable import TapSystem

/// A vpcd driver without a pcscd, for a transport with a tag.
///
/// It sends bytes on request.
final class VpcdDriver {
    /// The time limit for each action of the transport.
    private static let patience = Duration.seconds(20)

    /// The action that the transport did not complete in time.
    enum Failure: Error {
        case noConnection
        case noAnswer
    }

    private let listener: TCPListener
    private let host: FieldHost
    private let transport: VpcdTransport
    private var connection: SocketStream?

    init() throws {
        listener = try TCPListener(port: 0)
        host = FieldHost(try World.withTwoCards())
        transport = try VpcdTransport(ReaderSlot(ScriptedReader(), on: host), on: host, port: listener.port)
        host.perform { $0.tap("ntag") }
        try accept()
    }

    deinit {
        transport.close()
        host.close()
        listener.close()
    }

    /// Waits for the transport's connection; small messages are delayed by earlier ones, as with Debian's driver.
    func accept() throws {
        guard Readiness.wait(for: [(listener.descriptor, .reading)], timeout: Self.patience)[0],
            let client = listener.accept()
        else { throw Failure.noConnection }
        connection = SocketStream(client)
    }

    /// Closes the connection.
    func hangUp() {
        connection?.descriptor.shut()
    }

    /// Sends each group of bytes separately.
    ///
    /// - Parameter pause: The time between groups.
    func send(_ groups: [UInt8]..., pause: Duration = .zero) {
        for (index, bytes) in groups.enumerated() {
            if index > 0, pause > .zero { BlockingThread.sleep(until: .now + pause) }
            _ = connection?.send(bytes)
        }
    }

    /// Waits for a number of bytes.
    func receive(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: count)
        while bytes.count < count {
            guard let connection,
                Readiness.wait(for: [(connection.descriptor, .reading)], timeout: Self.patience)[0]
            else { throw Failure.noAnswer }
            let received = connection.receive(into: &buffer)
            guard received > 0 else { throw Failure.noAnswer }
            bytes += buffer[..<received]
        }
        return bytes
    }
}

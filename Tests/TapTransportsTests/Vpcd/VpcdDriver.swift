import TapField
import TapReaders
import TestSupport

@testable import TapTransports

@testable import TapHost

@testable import TapSystem

/// A vpcd driver without a pcscd, before a transport with a tag: it sends its bytes as it is told.
final class VpcdDriver {
    /// How long the transport may take for anything.
    private static let patience = Duration.seconds(20)

    /// What the transport did not do in time.
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

    /// Waits for the connection of the transport; small messages wait for one another, as those of Debian's driver do.
    func accept() throws {
        guard Readiness.wait(for: [(listener.descriptor, .reading)], timeout: Self.patience)[0],
            let client = listener.accept()
        else { throw Failure.noConnection }
        connection = SocketStream(client)
    }

    /// Ends the connection.
    func hangUp() {
        connection?.descriptor.shut()
    }

    /// Sends bytes, each group for itself.
    ///
    /// - Parameter pause: How long it waits between groups.
    func send(_ groups: [UInt8]..., pause: Duration = .zero) {
        for (index, bytes) in groups.enumerated() {
            if index > 0, pause > .zero { BlockingThread.sleep(until: .now + pause) }
            _ = connection?.send(bytes)
        }
    }

    /// Waits for so many bytes.
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

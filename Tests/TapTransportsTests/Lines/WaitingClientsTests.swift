import TestSupport
import Testing

@testable import TapTransports

@testable import TapSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The clients of a port, including strangers.
@Suite(.timeLimit(.minutes(20))) struct `Waiting clients` {
    private static let patience = Duration.seconds(60)

    private static func connection(to port: UInt16) throws -> TCPConnection {
        let connection = try TCPConnection(to: port)
        try #require(connection.connect(within: patience))
        return connection
    }

    @Test func `are accepted among any number of strangers, while another client is served`() throws {
        let listener = try TCPListener(port: 0)
        let owners = Lock<Set<UInt16>>([])
        let waiting = try WaitingClients(of: listener) { client in
            var peer = sockaddr_in()
            guard unsafe withSocketAddress(&peer, { unsafe getpeername(client.number, $0, $1) }) == 0 else {
                return false
            }
            return owners.withLock { $0.contains(peer.sin_port) }
        }
        func own() throws -> TCPConnection {
            let connection = try TCPConnection(to: listener.port)
            let port = try connection.stream.descriptor.bindToLoopback()
            owners.withLock { _ = $0.insert(port.bigEndian) }
            try #require(connection.connect(within: Self.patience))
            return connection
        }
        let first = try own()
        let served = try #require(waiting.next())
        for _ in 0..<300 {
            // It may be disconnected before it learns that it was connected.
            let stranger = try TCPConnection(to: listener.port)
            _ = stranger.connect(within: Self.patience)
            try #require(Readiness.wait(for: [(stranger.stream.descriptor, .reading)], timeout: Self.patience)[0])
            var byte: [UInt8] = [0]
            #expect(stranger.stream.receive(into: &byte) == 0)
            stranger.close()
        }
        let second = try own()
        let next = try #require(waiting.next())
        #expect(SocketStream(next).send([7]))
        var byte: [UInt8] = [0]
        #expect(second.stream.receive(into: &byte) == 1)
        served.shut()
        waiting.end()
        #expect(waiting.next() == nil)
        first.close()
        second.close()
    }

    @Test func `of this user that have disconnected make room for others`() throws {
        let listener = try TCPListener(port: 0)
        let waiting = try WaitingClients(of: listener) { _ in true }
        for _ in 0..<3 * WaitingClients.maximum { try Self.connection(to: listener.port).close() }
        let last = try Self.connection(to: listener.port)
        _ = last.stream.send([9])
        var found = false
        while !found, let client = waiting.next() { found = SocketStream(client).peek(upTo: 1) == [9] }
        #expect(found)
        waiting.end()
        last.close()
    }

    @Test func `of one user do not displace another user's before the token`() {
        let (own, stranger): (Set<uid_t>?, Set<uid_t>?) = ([1_000], [65_534])
        #expect(LineGate.indexToDisplace(among: [own, stranger, stranger]) == 1)
        #expect(LineGate.indexToDisplace(among: [own, nil, own, stranger, stranger, stranger]) == 3)
        #expect(LineGate.indexToDisplace(among: [own, own]) == 0)
        #expect(LineGate.indexToDisplace(among: [nil, own, nil]) == 0)
    }
}

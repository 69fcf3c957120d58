import TapField
import TestSupport
import Testing

@testable import TapTransports

@testable import TapHost

@testable import TapSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The UDP socket for nfcpy, as used by drivers.
@Suite struct `The transport for nfcpy` {
    /// A driver's socket.
    private struct Driver {
        private let socket: Descriptor

        init(_ transport: NfcpyTransport) throws {
            let port = try #require(transport.address.flatMap { UInt16($0) })
            socket = try Descriptor.makeSocket(AF_INET, .datagrams, "UDP socket")
            var address = sockaddr_in.loopback(port)
            let status = unsafe withSocketAddress(&address) {
                unsafe connectSocket(socket.number, $0, $1.pointee)
            }
            try #require(status == 0)
        }

        /// Sends a datagram and waits for the answer.
        func ask(_ text: String) throws -> String {
            _ = socket.sendToSocket(Array(text.utf8)[...])
            try #require(Readiness.wait(for: [(socket, .reading)], timeout: .seconds(20))[0])
            guard case .bytes(let bytes) = socket.receive(upTo: 1024) else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }

        func close() { socket.shut() }
    }

    #if os(Linux)
        /// The second driver would wait for an answer, as the first does after it has found a card.
        @Test func `passes nothing from a driver that has ended on to the next`() throws {
            let host = FieldHost(try World.withTwoCards())
            let transport = try NfcpyTransport(host: host)
            defer {
                host.close()
                transport.close()
            }
            host.perform { $0.tap("felica") }
            let first = try Driver(transport)
            #expect(try first.ask("212F 0600ffff0000").hasPrefix("212F 1201"))
            host.perform { $0.removeAll() }
            first.close()
            #expect(try Driver(transport).ask("212F 0600ffff0000") == "RFOFF")
        }
    #endif
}

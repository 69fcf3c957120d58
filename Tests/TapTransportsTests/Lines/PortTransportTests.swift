import TapCards
import TapField
import TapReaders
import TapWire
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

/// A client of a ``PortTransport`` with a timeout.
struct PortClient {
    private static let patience = Duration.seconds(20)
    let stream: SocketStream

    init(_ transport: PortTransport) throws {
        let address = try #require(transport.environment.first).value
        let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
        let connection = try TCPConnection(to: port)
        try #require(connection.connect(within: Self.patience))
        stream = connection.stream
    }

    func send(_ bytes: [UInt8]) {
        _ = stream.send(bytes)
    }

    /// Waits for a number of bytes; returns fewer at the end of the connection.
    func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 12)
        while bytes.count < count, Readiness.wait(for: [(stream.descriptor, .reading)], timeout: Self.patience)[0] {
            let received = stream.receive(into: &buffer)
            guard received > 0 else { break }
            bytes += buffer[..<received]
        }
        return bytes
    }

    /// Sends the frame of a packet to a PN532 and waits for its ACK and a number of answer bytes.
    func ask(_ packet: String, _ count: Int) throws -> [String] {
        send(PN532Frame.information(try Hex.bytes(packet)).bytes)
        return PN532Frame.texts(bytes(6 + count))
    }

    /// A Boolean value that indicates whether the transport closes the connection without sending anything.
    var isTurnedAway: Bool {
        guard Readiness.wait(for: [(stream.descriptor, .reading)], timeout: Self.patience)[0] else { return false }
        var buffer = [UInt8](repeating: 0, count: 16)
        return stream.receive(into: &buffer) == 0
    }

    func close() {
        stream.descriptor.shut()
    }
}

/// A TCP port with a PN532, as clients connect to it.
@Suite(.timeLimit(.minutes(20))) struct `A port transport` {
    private let host: FieldHost
    private let transport: PortTransport
    private static let firmware = ["ack", "D50332010607"]
    private static let found = "D54B01010044000704A23B5C6D7E80"

    init() throws {
        host = FieldHost(try World.withTwoCards())
        transport = try PortTransport.pn532(host: host)
    }

    private func close() {
        host.close()
        transport.close()
    }

    @Test func `publishes its address and records whether it received a command`() throws {
        defer { close() }
        #expect(transport.name == "pn532-tcp")
        #expect(transport.environment.map(\.name) == ["TAPSIM_PN532_TCP"])
        #expect(transport.environment[0].value.hasPrefix("127.0.0.1:"))
        let client = try PortClient(transport)
        client.send([0x55, 0x55, 0, 0, 0])
        #expect(!transport.wasUsed)
        #expect(try client.ask("D402", 13) == Self.firmware)
        #expect(transport.wasUsed)
    }

    @Test func `passes every byte unchanged, in any pieces`() throws {
        defer { close() }
        let client = try PortClient(transport)
        let data = Hex.text((0...255).map { UInt8($0) })
        for byte in PN532Frame.information(try Hex.bytes("D40000\(data)")).bytes { client.send([byte]) }
        #expect(PN532Frame.texts(client.bytes(6 + 269)) == ["ack", "D50100\(data)"])
    }

    @Test func `reads a card, and answers a search when a card arrives`() throws {
        defer { close() }
        let client = try PortClient(transport)
        client.send(PN532Frame.information(try Hex.bytes("D44A0100")).bytes)
        #expect(PN532Frame.texts(client.bytes(6)) == ["ack"])
        host.perform { $0.tap("ntag") }
        #expect(PN532Frame.texts(client.bytes(22)) == [Self.found])
        #expect(try client.ask("D440013000", 26).last?.hasPrefix("D5410004A23B") == true)
    }

    @Test func `serves the next client with the chip as after power-up`() throws {
        defer { close() }
        host.perform { $0.tap("ntag") }
        let first = try PortClient(transport)
        #expect(try first.ask("D44A0100", 22).last == Self.found)
        #expect(try first.ask("D4086302AB", 9).last == "D509")
        // Half a frame, with unread answers.
        first.send([0x00, 0x00, 0xFF, 0x10])
        let second = try PortClient(transport)
        second.send(PN532Frame.information([0xD4, 0x02]).bytes)
        #expect(!Readiness.wait(for: [(second.stream.descriptor, .reading)], timeout: .milliseconds(100))[0])
        first.close()
        #expect(PN532Frame.texts(second.bytes(6 + 13)) == Self.firmware)
        #expect(try second.ask("D4066302", 10).last == "D50780")
        #expect(try second.ask("D404", 13).last == "D505000000" + "00", "no target, no field")
    }

    @Test func `forgets the search of a client that has gone`() throws {
        defer { close() }
        let first = try PortClient(transport)
        first.send(PN532Frame.information(try Hex.bytes("D44A0100")).bytes)
        #expect(PN532Frame.texts(first.bytes(6)) == ["ack"])
        first.close()
        #expect(try PortClient(transport).ask("D402", 13) == Self.firmware)
        #expect(!transport.activity.isWaiting)
    }

    @Test(arguments: ["GET /", "POST / HTTP/1.1\r\n\r\n", "OPTIONS / HTTP/1.1\r\n", "HEAD /"])
    func `does not answer the request of a web page`(request: String) throws {
        defer { close() }
        let page = try PortClient(transport)
        page.send(Array(request.utf8) + PN532Frame.information([0xD4, 0x02]).bytes)
        #expect(page.isTurnedAway)
        #expect(!transport.wasUsed)
        #expect(try PortClient(transport).ask("D402", 13) == Self.firmware)
    }

    @Test func `survives 200 short-lived clients, garbage and a flood`() throws {
        defer { close() }
        for _ in 0..<200 { try PortClient(transport).close() }
        var random = TestRandom()
        let rude = try PortClient(transport)
        for _ in 0..<64 { rude.send([0] + random.bytes(1 << 12)) }
        rude.close()
        #expect(try PortClient(transport).ask("D402", 13) == Self.firmware)
    }

    @Test func `disconnects a client that never reads`() throws {
        let client = try PortClient(transport)
        let commands = (0..<1_000).flatMap { _ in PN532Frame.information([0xD4, 0x02]).bytes }[...]
        while client.stream.descriptor.sendToSocket(commands, canWait: false) == commands.count {}
        close()
    }

    @Test func `disconnects when it is closed during a search`() throws {
        let client = try PortClient(transport)
        client.send(PN532Frame.information(try Hex.bytes("D44A0100")).bytes)
        #expect(PN532Frame.texts(client.bytes(6)) == ["ack"])
        close()
        #expect(client.isTurnedAway)
        transport.close()
    }
}

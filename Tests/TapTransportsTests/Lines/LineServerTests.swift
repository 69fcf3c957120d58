import TapCards
import TapField
import TapWire
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

/// Tests lines over a socket, with correct and misbehaving clients.
@Suite(.timeLimit(.minutes(20))) struct `A line server` {
    /// The kinds of socket.
    enum Kind: CaseIterable, Sendable {
        case unix
        case tcp
    }

    /// A server with a tag in its field.
    private struct Service {
        let folder: PrivateDirectory
        let server: LineServer
        private let heard = Lock<[LineServer.Complaint]>([])

        init(_ kind: Kind) throws {
            var world = World(seed: 1)
            world.add(NTAGCard(SampleTags.t1()), named: "tag")
            world.tap("tag")
            folder = try PrivateDirectory()
            server = try LineServer(
                LineExchange(world, technology: .typeA106), at: kind == .tcp ? .tcp(0) : .unix("\(folder.path)/lines")
            ) { [heard] complaint in
                heard.withLock { $0.append(complaint) }
            }
        }

        var complaints: [String] { heard.withLock { $0.map(\.description) } }

        func client() throws -> LineClient { try LineClient(to: server.address, sending: server.token) }

        /// Checks that a new client is served.
        func expectService() throws {
            let client = try client()
            defer { client.close() }
            #expect(try client.ask("@cycle") == "-")
            #expect(try client.ask("@select") == "00")
        }
    }

    @Test(arguments: Kind.allCases)
    func `answers each line with a line`(_ kind: Kind) throws {
        let service = try Service(kind)
        let client = try service.client()
        client.send("# NTAG215\n\n26:7\r\n93")
        #expect(try client.nextLine() == "4400")
        client.send(" 20\n")
        #expect(try client.nextLine() == "8804A23B15")
        #expect(try client.ask("@select") == "00")
        #expect(try client.ask("60") == "0004040201001103")
        client.send(String(repeating: "60\n", count: 3_000))
        for _ in 0..<3_000 { #expect(try client.nextLine() == "0004040201001103") }
    }

    @Test(arguments: Kind.allCases)
    func `serves one client after another in the same world`(_ kind: Kind) throws {
        let service = try Service(kind)
        let (first, second) = (try service.client(), try service.client())
        second.send("3004\n")
        #expect(second.isQuiet)
        #expect(try first.ask("@select") == "00")
        #expect(try first.ask("1B12345678") == "ABCD")
        #expect(try first.ask("A20401020304") == "A:4")
        first.close()
        #expect(try second.nextLine().hasPrefix("01020304"))
        #expect(try second.ask("@cycle") == "-")
        #expect(try second.ask("3004") == "-")
    }

    @Test(arguments: Kind.allCases)
    func `answers an unknown line with a question mark, reports it, and continues`(_ kind: Kind) throws {
        let service = try Service(kind)
        let client = try service.client()
        #expect(try client.ask("zz") == "?")
        #expect(try client.ask(String(repeating: "0", count: LineExchange.maximumLineLength + 1)) == "?")
        #expect(try client.ask(String(repeating: "0", count: LineExchange.maximumLineLength)) == "?")
        #expect(try client.ask("@select") == "00")
        client.close()
        let other = try service.client()
        #expect(try other.ask("@@") == "?")
        // The token is a line as well.
        let first = kind == .tcp ? 2 : 1
        #expect(
            service.complaints == [
                "client 1, line \(first): `z` at position 1 is not a hexadecimal digit",
                "client 1, line \(first + 1): a line has at most 16384 bytes",
                "client 1, line \(first + 2): a frame has at most 1024 bytes, this one 8192",
                "client 2, line \(first): unknown event `@@`; use @select, @cycle, @off or @on",
            ])
    }

    @Test(arguments: Kind.allCases)
    func `ignores an incomplete line`(_ kind: Kind) throws {
        let service = try Service(kind)
        let client = try service.client()
        #expect(try client.ask("@select") == "00")
        #expect(try client.ask("1B12345678") == "ABCD")
        let before = try client.ask("3004")
        client.send("A20401020304")
        client.close()
        let other = try service.client()
        #expect(try other.ask("3004") == before)
        #expect(service.complaints.isEmpty)
    }

    @Test(arguments: Kind.allCases)
    func `continues after any bytes`(_ kind: Kind) throws {
        let service = try Service(kind)
        var random = TestRandom()
        for _ in 0..<50 {
            let client = try service.client()
            client.send((0..<random.number(0...2_000)).map { _ in random.oneIn(20) ? 0x0A : random.byte() })
            client.close()
        }
        try service.expectService()
    }

    @Test(arguments: Kind.allCases)
    func `continues after a client that dies with unread answers`(_ kind: Kind) throws {
        let service = try Service(kind)
        let client = try service.client()
        #expect(try client.ask("@select") == "00")
        client.fill(with: "60\n")
        client.close()
        try service.expectService()
    }

    @Test(arguments: Kind.allCases)
    func `can be closed while clients are silent, do not read, or wait`(_ kind: Kind) throws {
        for behave in [{ _ in }, { $0.send("3004") }, { $0.fill(with: "60\n") }] as [(LineClient) -> Void] {
            let service = try Service(kind)
            let (client, waiting) = (try service.client(), try service.client())
            #expect(try client.ask("@select") == "00")
            behave(client)
            service.server.close()
            service.server.close()
            #expect(client.isBroken)
            #expect(waiting.isBroken)
            #expect(throws: (any Error).self) { try service.client() }
        }
    }

    @Test func `is private to this user, at a path that is removed when it closes`() throws {
        let service = try Service(.unix)
        let path = "\(service.folder.path)/lines"
        #expect(service.server.address == .unix(path))
        var status = stat()
        #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(throws: SystemError.self) { try LineServer(try exchange(), at: .unix(path)) { _ in } }
        service.server.close()
        #expect(unsafe stat(path, &status) != 0)
    }

    /// Input at a port from clients that do not know the token or cannot end their first line.
    static let strangers = [
        "26:7\n", "@select\n", "@token\n", "@token 0\n", "\n", "zz\n", "@token TOKEN 1\n",
        "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 20\r\n\r\n@token TOKEN\n26:7\n",
        String(repeating: "0", count: LineExchange.maximumLineLength + 1) + "\n@token TOKEN\n",
    ]

    @Test(arguments: strangers) func `rejects clients that do not send the token first`(text: String) throws {
        let service = try Service(.tcp)
        let stranger = try LineClient(to: service.server.address)
        stranger.send(text.replacing("TOKEN", with: service.server.token ?? ""))
        #expect(throws: LineClient.Failure.ended) { try stranger.nextLine() }
        try service.expectService()
        #expect(service.complaints == ["rejected a client: expected `@token TOKEN` as its first line"])
    }

    @Test func `does not make clients wait for others that never send the token`() throws {
        let service = try Service(.tcp)
        let silent = try (0..<100).map { _ in try LineClient(to: service.server.address) }
        for client in silent { client.send("@tok") }
        try service.expectService()
        silent[0].close()
        try service.expectService()
        #expect(service.complaints.isEmpty)
        #expect(silent[50].isBroken)
    }

    @Test func `has its own token, which clients may send in any number of pieces`() throws {
        let service = try Service(.tcp)
        let token = try #require(service.server.token)
        #expect(try token != Service(.tcp).server.token)
        #expect(token.count == 32)
        for text in ["@token \(token)\r\n@select\n", " @token\t \(token) \n@cycle\n@select\n"] {
            let client = try LineClient(to: service.server.address)
            for character in text { client.send(String(character)) }
            #expect(try client.nextLine() == "-")
            if text.contains("@cycle") { #expect(try client.nextLine() == "-") }
            #expect(try client.nextLine() == "00")
            client.close()
        }
        let other = try Service(.unix)
        #expect(other.server.token == nil)
    }

    @Test func `reports a port that is in use`() throws {
        let service = try Service(.tcp)
        #expect(throws: SystemError.self) { try LineServer(try exchange(), at: service.server.address) { _ in } }
    }

    private func exchange() throws -> LineExchange {
        LineExchange(World(seed: 1), technology: .typeA106)
    }

    @Test(arguments: [
        ("unix:/tmp/a:b", LineAddress.unix("/tmp/a:b")), ("tcp:0", .tcp(0)), ("tcp:65535", .tcp(65_535)),
        ("tcp:65536", nil), ("tcp:", nil), ("tcp", nil), ("unix:", nil), ("unix", nil), ("udp:1", nil), ("", nil),
        ("tcp:1:2", nil), (":tcp:1", nil), (":unix:a", nil), ("tcp:+80", nil),
    ])
    func `parses the addresses that it prints`(text: String, address: LineAddress?) {
        #expect(LineAddress(text) == address)
        if let address { #expect(address.description == text) }
    }
}

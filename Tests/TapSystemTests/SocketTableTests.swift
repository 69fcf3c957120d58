#if os(Linux)
    import Testing

    @testable import TapSystem

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// Tables in the format of Linux 6.18, with sockets of the users 0, 1000 and 65534.
    @Suite struct `A socket table` {
        private static let head =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode"
        private static let tail = "0 72828 2 00000000f9c49b6b 0         "

        private func users(_ rows: [(place: String, user: Int)], port: UInt16) -> Set<uid_t> {
            let lines = rows.map { row in
                " 1139: \(row.place) \(row.place.replacing(#/[0-9A-F]/#, with: "0")) 07 00000000:00000000 00:00000000 "
                    + "00000000 \(String(repeating: " ", count: 5 - "\(row.user)".count))\(row.user)        \(Self.tail)"
            }
            var address = sockaddr_in()
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
            let text = ([Self.head] + lines).joined(separator: "\n") + "\n"
            return SocketTable(Array(text.utf8)).users(.sender(address, to: .loopback(0x8001)))
        }

        @Test(arguments: ["0100007F:E722", "00000000:E722"])
        func `finds the user of a socket bound to the address or to all addresses`(place: String) {
            let others = [("0100007F:E723", 0), ("0200007F:E722", 65_534)]
            #expect(users(others + [(place, 1_000)], port: 0xE722) == [1_000])
        }

        @Test func `finds the user of a socket that also supports IPv6`() {
            let mapped = "0000000000000000FFFF00000100007F:E722"
            let everywhere = String(repeating: "0", count: 32) + ":E722"
            let alone = "00000000000000000000000001000000:E722"
            #expect(users([(mapped, 1_000), (alone, 0)], port: 0xE722) == [1_000])
            #expect(users([(everywhere, 65_534)], port: 0xE722) == [65_534])
        }

        @Test func `finds all users who share a port, and none if there is no socket`() {
            #expect(users([("0100007F:00A0", 1_000), ("00000000:00A0", 65_534)], port: 0xA0) == [1_000, 65_534])
            #expect(users([("0100007F:00A0", 1_000)], port: 0xA1).isEmpty)
            #expect(users([], port: 0xA0).isEmpty)
            let torn = SocketTable(Array("\n\n 1: 0100007F:00A0".utf8))
            #expect(torn.users(.sender(sockaddr_in(), to: sockaddr_in())).isEmpty)
        }

        /// Rows of TCP sockets: both ends, the state, the user and the inode.
        private func users(
            _ rows: [(local: String, remote: String, state: String, user: Int, inode: Int)], from port: UInt16
        ) -> Set<uid_t> {
            let lines = rows.map { row in
                "   9: \(row.local) \(row.remote) \(row.state) 00000000:00000000 00:00000000 00000000 "
                    + "    \(row.user)        0 \(row.inode) 1 00000000e5b0e7f1 20 0 0 10 -1"
            }
            let text = ([Self.head] + lines).joined(separator: "\n") + "\n"
            return SocketTable(Array(text.utf8)).users(.client(.loopback(port), of: .loopback(0x8001)))
        }

        @Test func `finds only the user at the other end of a connection`() {
            let (client, server) = ("0100007F:E722", "0100007F:8001")
            let mapped = "0000000000000000FFFF00000100007F"
            #expect(users([(client, server, "01", 1_000, 7), (server, client, "01", 0, 8)], from: 0xE722) == [1_000])
            #expect(users([("\(mapped):E722", "\(mapped):8001", "01", 65_534, 7)], from: 0xE722) == [65_534])
            #expect(users([(client, "0100007F:8002", "01", 0, 7)], from: 0xE722).isEmpty)
            #expect(users([(client, server, "01", 1_000, 7)], from: 0xE723).isEmpty)
        }

        /// The system attributes such sockets to root.
        @Test(arguments: [("04", 0), ("05", 0), ("06", 0), ("01", 0), ("05", 7)])
        func `finds no user if the other end was closed`(state: String, inode: Int) {
            #expect(users([("0100007F:E722", "0100007F:8001", state, 0, inode)], from: 0xE722).isEmpty)
        }

        @Test func `of this machine contains our own sockets`() throws {
            try Sockets().check { SocketTable.users($0) }
        }
    }

    /// The kernel's answers about sockets of this process.
    @Suite struct `Socket diagnosis` {
        @Test func `finds the owners of our own sockets, and no owner for a closed one`() throws {
            let diagnosis = try #require(SocketDiagnosis())
            try Sockets().check { diagnosis.users($0) }
        }

        /// A table with this many rows does not fit into the read buffer.
        @Test func `finds a client among forgotten connections`() throws {
            let listener = try TCPListener(port: 0)
            for _ in 0..<500 {
                let past = try TCPConnection(to: listener.port)
                try #require(past.connect(within: .seconds(20)))
                let client = try #require(listener.accept())
                // The end that closes first keeps the connection in TIME_WAIT.
                past.close()
                client.shut()
            }
            let connection = try TCPConnection(to: listener.port)
            try #require(connection.connect(within: .seconds(20)))
            let client = try #require(listener.accept())
            let question = try #require(listener.question(about: client))
            let diagnosis = try #require(SocketDiagnosis())
            #expect(diagnosis.users(question) == [geteuid()])
        }

        @Test func `finds the user of a UDP socket that also supports IPv6`() throws {
            let diagnosis = try #require(SocketDiagnosis())
            let socket = try Descriptor.makeSocket(AF_INET6, .datagrams, "UDP socket")
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            let size = socklen_t(MemoryLayout<sockaddr_in6>.size)
            let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    var length = size
                    return unsafe bind(socket.number, pointer, size)
                        + getsockname(socket.number, pointer, &length)
                }
            }
            try #require(status == 0)
            let place = sockaddr_in.loopback(UInt16(bigEndian: address.sin6_port))
            #expect(diagnosis.users(.sender(place, to: .loopback(1))) == [geteuid()])
            socket.shut()
            #expect(diagnosis.users(.sender(place, to: .loopback(1))) == [])
        }
    }

    /// A UDP socket, a listener and its client, all of this process.
    private struct Sockets {
        let socket: LoopbackSocket
        let listener: TCPListener
        let connection: TCPConnection
        let client: Descriptor

        init() throws {
            socket = try LoopbackSocket()
            listener = try TCPListener(port: 0)
            connection = try TCPConnection(to: listener.port)
            try #require(connection.connect(within: .seconds(20)))
            client = try #require(listener.accept())
        }

        func check(_ users: (SocketQuestion) -> Set<uid_t>?) throws {
            let own: Set<uid_t> = [geteuid()]
            let address = sockaddr_in.loopback(socket.port)
            #expect(users(.sender(address, to: address)) == own)
            #expect(users(.listener(.loopback(listener.port))) == own)
            let question = try #require(listener.question(about: client))
            #expect(users(question) == own)
            // Closing alone would leave the socket to a child that another test is just starting.
            connection.stream.shutDown()
            #expect(users(question) == [])
            connection.close()
        }
    }
#endif

#if os(Linux)
    import Testing

    @testable import TapDoors

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// Tables as Linux 6.18 writes them, with sockets of the users 0, 1000 and 65534.
    @Suite struct `A table of sockets` {
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
            return SocketTable(Array(text.utf8)).users(sendingFrom: address)
        }

        @Test(arguments: ["0100007F:E722", "00000000:E722"])
        func `names the user of a socket bound to the address, or to all`(place: String) {
            let others = [("0100007F:E723", 0), ("0200007F:E722", 65_534)]
            #expect(users(others + [(place, 1_000)], port: 0xE722) == [1_000])
        }

        @Test func `names the user of a socket that speaks IPv6 as well`() {
            let mapped = "0000000000000000FFFF00000100007F:E722"
            let everywhere = String(repeating: "0", count: 32) + ":E722"
            let alone = "00000000000000000000000001000000:E722"
            #expect(users([(mapped, 1_000), (alone, 0)], port: 0xE722) == [1_000])
            #expect(users([(everywhere, 65_534)], port: 0xE722) == [65_534])
        }

        @Test func `names all users who share a port, and nobody where no socket is`() {
            #expect(users([("0100007F:00A0", 1_000), ("00000000:00A0", 65_534)], port: 0xA0) == [1_000, 65_534])
            #expect(users([("0100007F:00A0", 1_000)], port: 0xA1).isEmpty)
            #expect(users([], port: 0xA0).isEmpty)
            #expect(SocketTable(Array("\n\n 1: 0100007F:00A0".utf8)).users(sendingFrom: sockaddr_in()).isEmpty)
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
            return SocketTable(Array(text.utf8)).users(connectedFrom: .loopback(port), to: .loopback(0x8001))
        }

        @Test func `names the user at the other end of a connection, and of no other one from its port`() {
            let (client, server) = ("0100007F:E722", "0100007F:8001")
            let mapped = "0000000000000000FFFF00000100007F"
            #expect(users([(client, server, "01", 1_000, 7), (server, client, "01", 0, 8)], from: 0xE722) == [1_000])
            #expect(users([("\(mapped):E722", "\(mapped):8001", "01", 65_534, 7)], from: 0xE722) == [65_534])
            #expect(users([(client, "0100007F:8002", "01", 0, 7)], from: 0xE722).isEmpty)
            #expect(users([(client, server, "01", 1_000, 7)], from: 0xE723).isEmpty)
        }

        /// The system shows such sockets as root's.
        @Test(arguments: [("04", 0), ("05", 0), ("06", 0), ("01", 0), ("05", 7)])
        func `names nobody where the other end was let go`(state: String, inode: Int) {
            #expect(users([("0100007F:E722", "0100007F:8001", state, 0, inode)], from: 0xE722).isEmpty)
        }

        @Test func `of this machine shows sockets of ours`() throws {
            let socket = try LoopbackSocket()
            try socket.checkOwners()
            let listener = try TCPListener(port: 0)
            try listener.checkOwners()
            let connection = try TCPConnection(to: InternetAddress(host: "127.0.0.1", port: listener.port))
            try #require(connection.connect(within: .seconds(20)))
            let client = try #require(listener.accept())
            #expect(listener.isOfThisUser(client))
            // Closing alone would leave it to a child that another test is just starting.
            connection.stream.shutDown()
            #expect(!listener.isOfThisUser(client))
            connection.close()
        }
    }
#endif

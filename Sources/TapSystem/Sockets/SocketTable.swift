#if os(Linux)
    import TapWire

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// The UDP or TCP sockets of this machine and their owners, as listed by Linux in `/proc/net`.
    ///
    /// Source: Linux, Documentation/networking/proc_net_tcp.rst; the UDP tables have the same columns.
    struct SocketTable {
        enum Kind: String {
            case udp, tcp

            /// The table of IPv4 sockets; the name of the IPv6 table has a 6 appended.
            var path: String { "/proc/net/\(rawValue)" }
        }

        /// The maximum number of bytes to read from a table: some 30,000 sockets.
        private static let maximumLength = 1 << 22
        private static let (localColumn, remoteColumn, stateColumn, userColumn, inodeColumn) = (1, 2, 3, 7, 9)
        private static let (established, listening) = (Array("01".utf8)[...], Array("0A".utf8)[...])
        private static let noInode = Array("0".utf8)[...]

        private let rows: [ArraySlice<UInt8>]

        /// Parses a table in the system's format.
        init(_ text: [UInt8]) {
            rows = text.split(separator: UInt8(ascii: "\n")).dropFirst().map { $0 }
        }

        /// Returns the users who own such a socket, from the table of IPv4 sockets or else from the IPv6 table; empty if no row
        /// matches, `nil` if there is no table.
        ///
        /// The system lists some 30 sockets at a time and continues by count, so a socket that closes meanwhile can hide
        /// another: a missing socket is looked up a second time.
        static func users(_ question: SocketQuestion) -> Set<uid_t>? {
            for _ in 0..<2 {
                guard let bytes = try? FileContent.bytes(of: question.kind.path, upTo: maximumLength) else {
                    return nil
                }
                var users = SocketTable(bytes).users(question)
                if users.isEmpty, let wide = try? FileContent.bytes(of: question.kind.path + "6", upTo: maximumLength) {
                    users = SocketTable(wide).users(question)
                }
                if !users.isEmpty { return users }
            }
            return []
        }

        func users(_ question: SocketQuestion) -> Set<uid_t> {
            switch question {
            case .client(let client, let server): users(connectedFrom: client, to: server)
            case .listener(let address): users(listeningAt: address)
            case .sender(let address, to: _): users(sendingFrom: address)
            }
        }

        // An IPv6 socket may also send over IPv4, unless an IPv4 socket uses the same port.
        private func users(sendingFrom address: sockaddr_in) -> Set<uid_t> {
            let hosts = [address.sin_addr.s_addr, 0].flatMap(Self.texts) + [String(repeating: "0", count: 32)]
            let places = Self.places(hosts, address)
            return users { places.contains($0[Self.localColumn]) }
        }

        /// Ignores a socket that its process has released and whose owner appears as root: it has no inode and is no longer
        /// established.
        private func users(connectedFrom address: sockaddr_in, to other: sockaddr_in) -> Set<uid_t> {
            let places = Self.places(Self.texts(address.sin_addr.s_addr), address)
            let others = Self.places(Self.texts(other.sin_addr.s_addr), other)
            return users { row in
                places.contains(row[Self.localColumn]) && others.contains(row[Self.remoteColumn])
                    && row[Self.stateColumn] == Self.established && row[Self.inodeColumn] != Self.noInode
            }
        }

        private func users(listeningAt address: sockaddr_in) -> Set<uid_t> {
            let places = Self.places(Self.texts(address.sin_addr.s_addr), address)
            return users { places.contains($0[Self.localColumn]) && $0[Self.stateColumn] == Self.listening }
        }

        private func users(where isMeant: ([ArraySlice<UInt8>]) -> Bool) -> Set<uid_t> {
            Set(
                rows.compactMap { row in
                    let columns = row.split(separator: UInt8(ascii: " "), maxSplits: Self.inodeColumn + 1)
                    guard columns.count > Self.inodeColumn, isMeant(columns) else { return nil }
                    return uid_t(String(decoding: columns[Self.userColumn], as: UTF8.self))
                })
        }

        /// Returns hosts with the port of an address, in the format of the tables.
        private static func places(_ hosts: [String], _ address: sockaddr_in) -> Set<ArraySlice<UInt8>> {
            let port = Hex.digits(UInt16(bigEndian: address.sin_port), width: 4)
            return Set(hosts.map { Array("\($0):\(port)".utf8)[...] })
        }

        /// Returns a host in the table format for IPv4, and for an IPv6 socket that uses IPv4.
        private static func texts(_ host: in_addr_t) -> [String] {
            let text = Hex.digits(host, width: 8)
            let nothing = String(repeating: "0", count: 16)
            return [text, nothing + Hex.digits(UInt32(0xFFFF).bigEndian, width: 8) + text]
        }
    }

    extension SocketQuestion {
        fileprivate var kind: SocketTable.Kind { if case .sender = self { .udp } else { .tcp } }
    }
#endif

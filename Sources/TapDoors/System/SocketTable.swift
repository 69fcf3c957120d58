#if os(Linux)
    import TapWire

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// The UDP sockets of this machine and whose they are, as Linux lists them in `/proc/net`.
    ///
    /// Source: Linux, Documentation/networking/proc_net_tcp.rst; the tables of UDP have the same columns.
    struct SocketTable {
        /// Where the table of sockets that speak IPv4 alone is; that of the others has a 6 behind it.
        static let path = "/proc/net/udp"
        /// Most bytes read of a table: some 30,000 sockets.
        private static let maximumLength = 1 << 22
        /// Which columns say where a socket is bound and whose it is.
        private static let (addressColumn, userColumn) = (1, 7)

        private let rows: [ArraySlice<UInt8>]

        /// Takes a table as the system writes it.
        init(_ text: [UInt8]) {
            rows = text.split(separator: UInt8(ascii: "\n")).dropFirst().map { $0 }
        }

        /// Whose sockets can have sent a datagram; nobody's if what sent it is closed by now.
        ///
        /// A socket of IPv6 may send by IPv4 too, but not beside one of IPv4 at the same port.
        ///
        /// - Throws: ``SystemError`` where the system shows no table.
        static func users(sendingFrom address: sockaddr_in) throws(SystemError) -> Set<uid_t> {
            let narrow = SocketTable(try FileContent.bytes(of: path, upTo: maximumLength))
            let users = narrow.users(sendingFrom: address)
            guard users.isEmpty, let wide = try? FileContent.bytes(of: path + "6", upTo: maximumLength) else {
                return users
            }
            return SocketTable(wide).users(sendingFrom: address)
        }

        /// Whose sockets of the table can have sent a datagram.
        func users(sendingFrom address: sockaddr_in) -> Set<uid_t> {
            let host = Hex.digits(address.sin_addr.s_addr, width: 8)
            let everywhere = Hex.digits(0, width: 8)
            let mapped = everywhere + everywhere + Hex.digits(UInt32(0xFFFF).bigEndian, width: 8) + host
            let port = Hex.digits(UInt16(bigEndian: address.sin_port), width: 4)
            let hosts = [host, everywhere, mapped, String(repeating: everywhere, count: 4)]
            let places = Set(hosts.map { Array("\($0):\(port)".utf8)[...] })
            return Set(
                rows.compactMap { row in
                    let columns = row.split(separator: UInt8(ascii: " "), maxSplits: Self.userColumn + 1)
                    guard columns.count > Self.userColumn, places.contains(columns[Self.addressColumn]) else {
                        return nil
                    }
                    return uid_t(String(decoding: columns[Self.userColumn], as: UTF8.self))
                })
        }
    }
#endif

#if os(Linux)
    import TapWire

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// A connection to the kernel's socket diagnosis, which finds a socket by its addresses.
    ///
    /// Source: Linux, `include/uapi/linux/netlink.h`, `sock_diag.h` and `inet_diag.h`; sock_diag(7). Numbers are in the
    /// machine's byte order, ports and addresses in network byte order.
    final class SocketDiagnosis: Sendable {
        private enum Family {
            static let netlink: Int32 = 16
            static let diagnosis: Int32 = 4
        }

        private enum Kind {
            static let error: UInt16 = 2
            static let done: UInt16 = 3
            static let byFamily: UInt16 = 20
        }

        private enum Flag {
            static let request: UInt16 = 0x001
            /// Sockets came and went while the answer was assembled.
            static let interrupted: UInt16 = 0x010
            /// All matching sockets.
            static let dump: UInt16 = 0x300
        }

        private enum State {
            static let established: UInt8 = 1
            static let listening: UInt8 = 10
        }

        private static let headerLength = 16
        private static let messageLength = 72
        /// More than one part of an answer contains.
        private static let maximumLength = 1 << 15

        /// The socket, and the sequence number of the last request.
        private let state: Lock<(socket: Descriptor, sequence: UInt32)>

        /// Returns `nil` if the system has no socket diagnosis.
        init?() {
            guard
                let socket = try? Descriptor.makeSocket(
                    Family.netlink, .datagrams, "socket", protocol: Family.diagnosis)
            else { return nil }
            state = Lock<(socket: Descriptor, sequence: UInt32)>((socket, 0))
        }

        /// Returns the users who own such a socket; empty if there is none, `nil` if the kernel does not report them.
        func users(_ question: SocketQuestion) -> Set<uid_t>? {
            switch question {
            case .client(let client, let server):
                // A socket released by its process appears as root's: without an inode, or in another state.
                return users(Int32(IPPROTO_TCP), client, server) { $0.state == State.established && $0.inode != 0 }
            case .listener(let address):
                return users(Int32(IPPROTO_TCP), address, nil) { $0.state == State.listening }
            case .sender(let address, let receiver):
                // The socket that would receive an answer is found at once, and a stranger's needs no further search. Other
                // sockets may share its port, and an IPv6 socket may also send over IPv4, unless an IPv4 socket uses the same
                // port.
                guard let first = users(Int32(IPPROTO_UDP), receiver, address, where: { _ in true }) else { return nil }
                guard first.isSubset(of: [geteuid(), 0]) else { return first }
                guard let all = users(AF_INET, sharing: address) else { return nil }
                return all.isEmpty ? users(AF_INET6, sharing: address) : all
            }
        }

        /// Returns the owner of the one socket between two addresses.
        private func users(
            _ transport: Int32, _ first: sockaddr_in, _ second: sockaddr_in?, where isMeant: (Entry) -> Bool
        ) -> Set<uid_t>? {
            let request = Self.request(AF_INET, transport, first, second)
            return ask(request, flags: Flag.request).map { Set($0.filter(isMeant).map(\.user)) }
        }

        /// Returns the owners of all UDP sockets that can send from an address.
        private func users(_ family: Int32, sharing address: sockaddr_in) -> Set<uid_t>? {
            var place = sockaddr_in()
            place.sin_port = address.sin_port
            let request = Self.request(family, Int32(IPPROTO_UDP), place, nil)
            return ask(request, flags: Flag.request | Flag.dump).map { entries in
                Set(entries.filter { $0.canSend(from: address) }.map(\.user))
            }
        }

        /// Returns the body of a request: family, transport, all states, and both ends.
        ///
        /// A TCP socket is identified by its own end and the other one, a UDP socket by the ends of a datagram sent to it.
        private static func request(
            _ family: Int32, _ transport: Int32, _ first: sockaddr_in, _ second: sockaddr_in?
        ) -> [UInt8] {
            let ports = [first, second].flatMap { UInt16(bigEndian: $0?.sin_port ?? 0).bigEndianBytes }
            let hosts = [first, second].flatMap { address in
                UInt32(bigEndian: address?.sin_addr.s_addr ?? 0).bigEndianBytes + [UInt8](repeating: 0, count: 12)
            }
            let anyInterface = [UInt8](repeating: 0, count: 4)
            let anyCookie = [UInt8](repeating: 0xFF, count: 8)
            return [UInt8(family), UInt8(transport), 0, 0, 0xFF, 0xFF, 0xFF, 0xFF] + ports + hosts + anyInterface
                + anyCookie
        }

        /// Sends a request to the kernel.
        ///
        /// - Returns: The matching sockets; `nil` if the kernel has no answer.
        private func ask(_ request: [UInt8], flags: UInt16) -> [Entry]? {
            state.withLock { state in
                state.sequence &+= 1
                let header =
                    Self.native(UInt32(Self.headerLength + request.count)) + Self.native(Kind.byFamily)
                    + Self.native(flags) + Self.native(state.sequence) + Self.native(UInt32(0))
                guard state.socket.sendToSocket((header + request)[...], canWait: false) != nil else { return nil }
                return Self.answer(to: state.sequence, from: SocketStream(state.socket), isDump: flags & Flag.dump != 0)
            }
        }

        /// Receives the parts of an answer; the kernel has provided each part by the time the previous one is read.
        private static func answer(to sequence: UInt32, from stream: SocketStream, isDump: Bool) -> [Entry]? {
            var entries: [Entry] = []
            var buffer = [UInt8](repeating: 0, count: maximumLength)
            while let count = stream.receiveAtOnce(into: &buffer), count > 0 {
                var rest = buffer[..<count]
                while let message = Message(&rest) {
                    guard message.sequence == sequence else { continue }
                    guard message.flags & Flag.interrupted == 0 else { return nil }
                    switch message.kind {
                    case Kind.error: return message.number == UInt32(bitPattern: -ENOENT) ? entries : nil
                    case Kind.done: return message.number == 0 ? entries : nil
                    default: if let entry = message.entry { entries.append(entry) }
                    }
                    if !isDump { return entries }
                }
            }
            return nil
        }

        private static func native<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
        }
    }

    extension SocketDiagnosis {
        private struct Entry {
            let family: Int32
            let state: UInt8
            /// The local address, 4 or 16 bytes in a field of 16.
            let host: [UInt8]
            let user: uid_t
            let inode: UInt32

            /// Returns `true` if the socket is bound to the address's host, or to all hosts, over IPv4 or with an IPv4-mapped
            /// IPv6 address.
            func canSend(from address: sockaddr_in) -> Bool {
                let wanted = UInt32(bigEndian: address.sin_addr.s_addr).bigEndianBytes
                if host.allSatisfy({ $0 == 0 }) { return true }
                return family == AF_INET
                    ? host.starts(with: wanted) : host == [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + wanted
            }
        }

        /// A message from the kernel: its header and body.
        private struct Message {
            let kind: UInt16
            let flags: UInt16
            let sequence: UInt32
            private let body: [UInt8]

            /// Takes the next message; `nil` if none is left.
            init?(_ bytes: inout ArraySlice<UInt8>) {
                guard bytes.count >= headerLength else { return nil }
                let header = Array(bytes.prefix(headerLength))
                let length = Int(Self.native(header, at: 0) as UInt32)
                guard headerLength...bytes.count ~= length else { return nil }
                kind = Self.native(header, at: 4)
                flags = Self.native(header, at: 6)
                sequence = Self.native(header, at: 8)
                body = Array(bytes.dropFirst(headerLength).prefix(length - headerLength))
                // Messages begin at multiples of 4.
                bytes = bytes.dropFirst((length + 3) & ~3)
            }

            /// The number at the start of an error or end message.
            var number: UInt32 { body.count >= 4 ? Self.native(body, at: 0) : 0 }

            /// The socket in the message; `nil` for a message that describes none.
            var entry: Entry? {
                guard kind == Kind.byFamily, body.count >= messageLength else { return nil }
                return Entry(
                    family: Int32(body[0]), state: body[1], host: Array(body[8..<24]), user: Self.native(body, at: 64),
                    inode: Self.native(body, at: 68))
            }

            private static func native<Number: FixedWidthInteger & BitwiseCopyable>(
                _ bytes: [UInt8], at place: Int
            ) -> Number {
                unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: place, as: Number.self) }
            }
        }
    }
#endif

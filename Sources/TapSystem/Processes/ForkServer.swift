#if os(Linux)
    import CForkServer

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif
#endif

/// A client that was started once, up to the point where it first reaches for a reader; its copies continue from there, each
/// with its own reader.
///
/// The work before that point, such as Python's imports, is done once. Copies of a client with several threads would lack the
/// other threads, so such a client cannot be copied; nor can a client that leaves its readers to another process.
public final class ForkServer: Sendable {
    private let child: SpawnedChild
    private let streams: ClientStreams
    /// The packets described in `Sources/CForkServer/preload.c`.
    private let line: Descriptor
    private let folder: String?
    /// The index of the address that the client reached for.
    public let reached: Int
    /// The output of the client before it reached for a reader; it counts as output of each copy.
    let written: [(stream: ClientProcess.Stream, bytes: [UInt8])]
    private let strayed = Lock(false)
    /// A Boolean value that indicates whether an ended copy reached for an address other than ``reached``.
    public var hasStrayed: Bool { strayed.withLock { $0 } }

    /// Starts a client and waits until it reaches for a reader.
    ///
    /// - Parameters:
    ///   - addresses: The addresses of the readers given to the client: paths, or ports of 127.0.0.1.
    ///   - limit: The time the client may take to reach for a reader.
    /// - Throws: ``ForkServerError`` if the client cannot be copied.
    public init(
        _ command: ClientCommand, addresses: [String], library: ForkLibrary, within limit: Duration
    ) throws(ForkServerError) {
        #if os(Linux)
            var command = command
            let inherited = Self.preloaded(command)
            command.environment["LD_PRELOAD"] = library.path + (inherited.isEmpty ? "" : ":\(inherited)")
            command.environment["TAPSIM_FORK_SERVER"] = (["3", "\(getpid())"] + addresses).joined(separator: "\n")
            let remote: Descriptor
            do {
                (line, remote) = try Descriptor.makePacketPair()
                (child, streams) = try SpawnedChild.start(command, line: remote)
            } catch {
                throw ForkServerError("\(error)")
            }
            remote.shut()
            folder = command.environment[Leftovers.variable]
            let (answer, written) = Self.firstPacket(line, child, streams, until: .now + limit)
            self.written = written
            let words = answer?.split(separator: " ") ?? []
            let index = words.first == "ready" ? words.last.flatMap { Int($0) } : nil
            reached = index ?? 0
            guard index.map(addresses.indices.contains) == true else {
                close()
                throw ForkServerError(answer ?? "it ends or times out before it opens a reader itself")
            }
        #else
            throw ForkServerError("the system is not Linux")
        #endif
    }

    deinit {
        close()
    }

    /// Ends the client; its copies must have ended.
    public func close() {
        guard line.number >= 0 else { return }
        line.shut()
        child.signalGroup(.kill)
        _ = child.reap()
        Leftovers.endProcesses(ofRun: folder)
    }
}

/// The reason why a client cannot be copied, as part of a sentence.
public struct ForkServerError: Error, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

#if os(Linux)
    extension ForkServer {
        /// The maximum length of a packet to the server in bytes.
        private static let maximumPacket = 65_535
        /// The maximum output in bytes before a client reaches for a reader; a client that writes more is not copied.
        private static let maximumWritten = 1 << 20
        /// The time the server may take to start a copy, or to report the end of a copy that was killed.
        private static let longestAnswer = Duration.seconds(20)

        /// Returns the client's own preloaded libraries.
        private static func preloaded(_ command: ClientCommand) -> String {
            command.environment["LD_PRELOAD"] ?? command.surroundings["LD_PRELOAD"] ?? ""
        }

        /// Returns the server's first packet, and the client's output until then; no packet if the client ends first.
        private static func firstPacket(
            _ line: Descriptor, _ child: SpawnedChild, _ streams: ClientStreams, until deadline: ContinuousClock.Instant
        ) -> (String?, written: [(ClientProcess.Stream, [UInt8])]) {
            var written: [(ClientProcess.Stream, [UInt8])] = []
            var ends: [(stream: ClientProcess.Stream, end: Descriptor?)] = [
                (.output, streams.output), (.error, streams.error),
            ]
            while true {
                let ready = Readiness.wait(
                    for: [(line, .reading), (child.exited, .reading)] + ends.map { ($0.end, .reading) },
                    timeout: max(.zero, deadline - .now))
                guard ready.contains(true), written.map(\.1.count).reduce(0, +) < maximumWritten else {
                    return (nil, written)
                }
                for index in ends.indices where ready[2 + index] {
                    switch ends[index].end?.receive(upTo: maximumPacket) {
                    case .bytes(let bytes)?: written.append((ends[index].stream, bytes))
                    case .end?: ends[index].end = nil
                    case .nothingYet?, nil: break
                    }
                }
                if ready[0], case .bytes(let packet) = line.receive(upTo: maximumPacket) {
                    return (String(decoding: packet, as: UTF8.self), written)
                }
                if ready[1] { return (nil, written) }
            }
        }

        /// Starts a copy.
        ///
        /// - Parameter addresses: The addresses of the copy's readers, in the server's order.
        func startCopy(
            _ command: ClientCommand, addresses: [String]
        ) throws(ClientStartError) -> (child: any ClientChild, streams: ClientStreams) {
            try SpawnedChild.withStreams { (streams, ends) throws(ClientStartError) in
                var variables = command.environment
                // Without the library of the fork server.
                variables["LD_PRELOAD"] = Self.preloaded(command)
                let files = ends.map { "/proc/\(getpid())/fd/\($0.number)" }
                let texts = files + addresses + variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                let packet: [UInt8] = texts.flatMap { Array($0.utf8) + [0] }
                guard packet.count <= Self.maximumPacket else {
                    throw ClientStartError(.system, "the client's environment variables are too long for a packet")
                }
                var copy: Int32?
                ProcessGroups.startCopy {
                    guard line.sendToSocket(packet[...]) != nil else { return nil }
                    copy = line.receiveNumbers(1, within: Self.longestAnswer)?[0]
                    return copy
                }
                guard let copy else {
                    giveUp()
                    throw ClientStartError(.system, "the client that is to be copied has ended or does not answer")
                }
                return (Copy(server: self, process: copy), streams)
            }
        }

        /// Ends a silent server: its late answer would be mistaken for the answer to the next request.
        private func giveUp() { child.signalGroup(.kill) }

        private struct Copy: ClientChild {
            let server: ForkServer
            let process: pid_t
            /// The connection to the server, over which the status arrives.
            var exited: Descriptor { server.line }

            func reap() -> ClientOutcome.End? {
                let end = exited.receiveNumbers(2, within: ForkServer.longestAnswer)
                if end == nil { server.giveUp() }
                if end?[1] == 1 { server.strayed.withLock { $0 = true } }
                ProcessGroups.removeCopy(process)
                _ = exited.sendToSocket([0])
                return end.map { ClientOutcome.End(status: $0[0]) }
            }
        }
    }

    extension Descriptor {
        /// Makes a pair of sockets that preserve the bounds of packets.
        fileprivate static func makePacketPair() throws(SystemError) -> (Descriptor, Descriptor) {
            var ends: [Int32] = [-1, -1]
            let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
            guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
                throw SystemError("make a pair of sockets")
            }
            return (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
        }

        /// Receives numbers in the byte order of this machine; `nil` if the other end is closed or stays silent that long.
        fileprivate func receiveNumbers(_ count: Int, within time: Duration) -> [Int32]? {
            guard Readiness.wait(for: [(self, .reading)], timeout: time).contains(true),
                case .bytes(let bytes) = receive(upTo: 4 * count), bytes.count == 4 * count
            else { return nil }
            return unsafe bytes.withUnsafeBytes { bytes in
                (0..<count).map { unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) }
            }
        }
    }
#endif

/// The library that a client must preload to be copied, built for this machine.
public final class ForkLibrary: Sendable {
    private static let compilers = ["cc", "clang", "gcc"]
    private static let limit = Duration.seconds(20)

    let path: String
    private let folder: PrivateDirectory

    /// Builds the library with the machine's C compiler, so that it fits the C library of the machine's programs.
    ///
    /// - Throws: ``ForkServerError`` if there is no compiler.
    public init() throws(ForkServerError) {
        #if os(Linux)
            do {
                folder = try PrivateDirectory()
                path = "\(folder.path)/fork.so"
                let source = "\(folder.path)/preload.c"
                try FileContent.append(Array(unsafe String(cString: fork_server_source()).utf8), to: source)
                guard !path.contains(where: { $0 == ":" || $0 == " " }) else {
                    throw ForkServerError("the loader cannot preload \(path), since it contains a space or a colon")
                }
                try Self.build(path, from: source)
            } catch let error as ForkServerError {
                throw error
            } catch {
                throw ForkServerError("\(error)")
            }
        #else
            throw ForkServerError("the system is not Linux")
        #endif
    }

    private static func build(_ library: String, from source: String) throws(ForkServerError) {
        for compiler in compilers {
            let command = ClientCommand([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"])
            guard let outcome = try? ClientProcess.run(command, limits: ClientLimits(wall: limit)) else { continue }
            guard outcome.end == .exit(0) else {
                throw ForkServerError("\(compiler) cannot build the preload library: \(outcome.standardError.text)")
            }
            return
        }
        throw ForkServerError("there is no C compiler (`cc`) to build the preload library")
    }
}

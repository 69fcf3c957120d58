#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A connected stream socket that one thread uses, until it or another thread ends the connection.
///
/// The descriptor is closed at the latest when nobody holds it any more.
struct SocketStream: Sendable {
    let descriptor: Descriptor
    /// The number of the descriptor: asking it anew costs a lock for each call.
    ///
    /// The stream is not used once its descriptor is shut.
    private let number: Int32

    /// Takes a socket whose calls wait.
    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
        number = descriptor.number
    }

    /// Waits for bytes.
    ///
    /// - Parameters:
    ///   - buffer: Where they go.
    ///   - offset: Where in there they begin; the bytes before stay.
    /// - Returns: How many bytes have come; 0 at the end of the connection.
    func receive(into buffer: inout [UInt8], from offset: Int = 0) -> Int {
        max(0, receiveOnce(&buffer, from: offset, flags: 0))
    }

    /// Takes bytes that have come, without waiting for any.
    ///
    /// - Parameters:
    ///   - buffer: Where they go.
    ///   - offset: Where in there they begin; the bytes before stay.
    /// - Returns: How many bytes there were; 0 at the end of the connection, `nil` if none have come yet.
    func receiveAtOnce(into buffer: inout [UInt8], from offset: Int = 0) -> Int? {
        let count = receiveOnce(&buffer, from: offset, flags: Int32(MSG_DONTWAIT))
        if count >= 0 { return count }
        return SystemError.currentErrno() == EAGAIN ? nil : 0
    }

    private func receiveOnce(_ buffer: inout [UInt8], from offset: Int, flags: Int32) -> Int {
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { buffer in
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[offset...])
                return unsafe recv(number, room.baseAddress, room.count, flags)
            }
            if count >= 0 || SystemError.currentErrno() != EINTR { return count }
        }
    }

    /// Sends bytes, in one piece where the system takes them so.
    ///
    /// - Returns: Whether the other side is still there.
    func send(_ bytes: [UInt8]) -> Bool {
        let count = unsafe bytes.withUnsafeBytes { unsafe sendOnSocket(number, $0) }
        return count == bytes.count || count >= 0 && send(Array(bytes.dropFirst(count)))
    }

    /// Sends a few bytes at once; a peer that has not read what it got before is cut off.
    func offer(_ bytes: [UInt8]) {
        let count = unsafe bytes.withUnsafeBytes { unsafe sendOnSocket(number, $0, flags: Int32(MSG_DONTWAIT)) }
        if count != bytes.count { shutDown() }
    }

    /// Whether the other side has hung up, or says that it sends nothing more and all of it was read.
    ///
    /// What it sent before it hung up hides the end from who reads, but not from who asks for it.
    var isAbandoned: Bool {
        // Linux tells of it unasked, macOS does not.
        var entry = pollfd(fd: number, events: Int16(POLLHUP), revents: 0)
        if unsafe poll(&entry, 1, 0) > 0, Int32(entry.revents) & Int32(POLLHUP) != 0 { return true }
        var byte: UInt8 = 0
        return unsafe recv(number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }

    /// Lets a TCP connection send small messages without waiting for the acknowledgement of those before.
    func sendAtOnce() {
        setOption(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
    }

    /// Acknowledges what was read from a TCP connection, for a sender that goes on only then.
    ///
    /// An answer does that by itself, so this is for what is not answered yet: a message in pieces, or one that needs no
    /// answer. Nothing on other sockets, and where there is no such option.
    func acknowledge() {
        #if canImport(Glibc) || canImport(Musl)
            // With 1, what comes next would also be acknowledged in a packet of its own, before its answer; with an even
            // number above 0 the system acknowledges once. Source: Linux, net/ipv4/tcp.c, __tcp_sock_set_quickack.
            setOption(Int32(IPPROTO_TCP), TCP_QUICKACK, Int32(2))
        #endif
    }

    /// Ends the connection, and with it a call that waits on another thread.
    func shutDown() {
        _ = shutdown(descriptor.number, Int32(SHUT_RDWR))
    }

    /// Sets an option of the socket.
    func setOption<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: Value) {
        var value = value
        _ = unsafe setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Value>.size))
    }
}

/// Writes to a socket once; a closed one raises no signal.
private func sendOnSocket(_ socket: Int32, _ bytes: UnsafeRawBufferPointer, flags: Int32 = 0) -> Int {
    while true {
        #if canImport(Darwin)
            let count = unsafe send(socket, bytes.baseAddress, bytes.count, flags)
        #else
            let count = unsafe send(socket, bytes.baseAddress, bytes.count, flags | Int32(MSG_NOSIGNAL))
        #endif
        guard count < 0, SystemError.currentErrno() == EINTR else { return count }
    }
}

/// Stream sockets with a path in the file system.
enum UnixSocket {
    /// Longest path the system takes, in bytes.
    static let maximumPathLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Connects to whoever listens at a path.
    ///
    /// - Throws: ``SystemError`` if nobody does.
    static func connect(to path: String) throws(SystemError) -> Descriptor {
        let descriptor = try Descriptor.makeSocket(AF_UNIX, .stream, "socket")
        let status = try unsafe call(with: path) { address, length in
            #if canImport(Darwin)
                unsafe Darwin.connect(descriptor.number, address, length)
            #elseif canImport(Musl)
                unsafe Musl.connect(descriptor.number, address, length)
            #else
                unsafe Glibc.connect(descriptor.number, address, length)
            #endif
        }
        guard status == 0 else { throw SystemError("connect to \(path)") }
        return descriptor
    }

    /// Makes a call to the system that takes a path as the address of a socket.
    ///
    /// - Returns: What the call returned.
    /// - Throws: ``SystemError`` if the path is too long to be an address.
    static func call(
        with path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SystemError) -> Int32 {
        let bytes = Array(path.utf8)
        guard bytes.count <= maximumPathLength else {
            throw SystemError(
                "use the socket path \(path), since it has \(bytes.count) bytes and at most \(maximumPathLength) can be",
                errno: ENAMETOOLONG)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// A stream socket that waits for clients at a path of the file system.
final class UnixListener: StreamListener {
    /// How often it is tried to be alone in a folder, and the pause between: a socket is made within a millisecond.
    private static let turnTries = 200
    private static let turnPause = Duration.milliseconds(1)

    let path: String
    /// The socket; ready for reading when a client waits.
    let descriptor: Descriptor

    /// Listens at a path; a socket there on which nobody listens any more is replaced.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - mode: Who may connect, as the mode bits of a file.
    /// - Throws: ``SystemError`` if the path is too long, taken, or in a folder that takes none.
    init(at path: String, mode: mode_t = 0o600) throws(SystemError) {
        self.path = path
        let descriptor = try Descriptor.makeSocket(AF_UNIX, .stream, "socket")
        self.descriptor = descriptor
        // Between `bind` and `listen` a socket looks abandoned, so no other process of ours may look in between.
        let turn = Self.takeTurn(inFolderOf: path)
        defer { turn?.shut() }
        Self.removeAbandoned(path)
        let status = try unsafe UnixSocket.call(with: path) { unsafe bind(descriptor.number, $0, $1) }
        guard status == 0 else {
            let isTaken = SystemError.currentErrno() == EADDRINUSE
            throw SystemError("listen at \(path)\(isTaken ? ", name another path or remove what is there" : "")")
        }
        // Nobody can connect before `listen`, so the rights are set by then.
        guard unsafe chmod(path, mode) == 0, listen(descriptor.number, Self.backlog) == 0 else {
            let error = SystemError("listen at \(path)")
            _ = unsafe unlink(path)
            throw error
        }
        descriptor.setNonBlocking()
        EndingPaths.add(path)
    }

    /// Listens no more and removes the socket from the file system.
    func close() {
        guard descriptor.number >= 0 else { return }
        descriptor.shut()
        _ = unsafe unlink(path)
        EndingPaths.remove(path)
    }

    /// Waits until no other process of ours makes a socket in a folder.
    ///
    /// - Returns: What ends the turn when it is shut; `nil` where the folder cannot be locked, or somebody else keeps
    ///   it locked.
    private static func takeTurn(inFolderOf path: String) -> Descriptor? {
        let folder = path.lastIndex(of: "/").map { path[..<$0] }
        let number = unsafe open(
            folder.map { $0.isEmpty ? "/" : String($0) } ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let descriptor = Descriptor(owning: number)
        for _ in 0..<turnTries {
            if flock(number, LOCK_EX | LOCK_NB) == 0 { return descriptor }
            guard SystemError.currentErrno() == EWOULDBLOCK else { return nil }
            BlockingThread.sleep(until: .now + turnPause)
        }
        return nil
    }

    /// Removes a socket that was left behind by a process that has ended; anything else stays and is in the way.
    private static func removeAbandoned(_ path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        do {
            _ = try UnixSocket.connect(to: path)
        } catch {
            if error.errno == ECONNREFUSED { _ = unsafe unlink(path) }
        }
    }
}

/// A stream socket that waits for clients.
protocol StreamListener: Sendable {
    /// The socket, which does not wait; ready for reading when a client does.
    var descriptor: Descriptor { get }

    /// Listens no more, and leaves nothing in the file system; a second call does nothing.
    func close()
}

extension StreamListener {
    /// How many clients the system lets wait to be accepted.
    static var backlog: Int32 { 128 }

    /// Takes the next client that waits; `nil` if none does, or the system has no descriptor for it.
    func accept() -> Descriptor? {
        #if canImport(Darwin)
            let number = Darwin.accept(descriptor.number, nil, nil)
            // It is as its listener is, unlike on Linux.
            _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK)
        #elseif canImport(Musl)
            let number = Musl.accept(descriptor.number, nil, nil)
        #else
            let number = Glibc.accept(descriptor.number, nil, nil)
        #endif
        guard number >= 0 else { return nil }
        let client = Descriptor(owning: number)
        client.dropSignalOfBrokenPipe()
        return client
    }

    /// Takes clients one after another, until a descriptor becomes readable or its other end is closed.
    func takeClients(until stopped: Descriptor, _ take: (Descriptor) -> Void) {
        while true {
            let ready = Readiness.wait(for: [(descriptor, .reading), (stopped, .reading)], timeout: nil)
            if ready[1] { return }
            guard ready[0] else { continue }
            if let client = accept() {
                take(client)
            } else {
                // The system gives no descriptor, so that the client still waits.
                _ = Readiness.wait(for: [(stopped, .reading)], timeout: .milliseconds(50))
            }
        }
    }
}

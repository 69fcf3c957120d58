#if os(Linux)
    import CLinux
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A connected stream socket used by one thread, until it or another thread ends the connection.
package struct SocketStream: Sendable {
    package let descriptor: Descriptor
    /// A copy of the descriptor's number, since reading the original costs a lock; not used once the descriptor is closed.
    private let number: Int32

    /// Wraps a blocking socket.
    package init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
        number = descriptor.number
    }

    /// Waits for bytes, and writes them into the buffer from an offset on.
    ///
    /// - Returns: The number of bytes that arrived; 0 at the end of the connection.
    package func receive(into buffer: inout [UInt8], from offset: Int = 0) -> Int {
        max(0, receiveOnce(&buffer, from: offset, flags: 0))
    }

    /// Waits for bytes without removing them from the socket.
    ///
    /// - Returns: The first bytes that have arrived; empty at the end of the connection.
    package func peek(upTo count: Int) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let received = receiveOnce(&buffer, from: 0, flags: Int32(MSG_PEEK))
        return Array(buffer.prefix(max(0, received)))
    }

    /// Takes available bytes without waiting.
    ///
    /// - Returns: The number of bytes that arrived; 0 at the end of the connection, `nil` if there are none yet.
    package func receiveAtOnce(into buffer: inout [UInt8]) -> Int? {
        let count = receiveOnce(&buffer, from: 0, flags: Int32(MSG_DONTWAIT))
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

    /// Sends bytes, in one piece if the system accepts that.
    ///
    /// - Returns: `true` if the other side is still connected.
    package func send(_ bytes: [UInt8]) -> Bool {
        let count = unsafe bytes.withUnsafeBytes { unsafe sendOnSocket(number, $0) }
        return count == bytes.count || count >= 0 && send(Array(bytes.dropFirst(count)))
    }

    /// Sends a few bytes without waiting; disconnects a peer that does not read.
    package func offer(_ bytes: [UInt8]) {
        let count = unsafe bytes.withUnsafeBytes { unsafe sendOnSocket(number, $0, flags: Int32(MSG_DONTWAIT)) }
        if count != bytes.count { shutDown() }
    }

    /// A Boolean value that indicates whether the other side has hung up, or has stopped sending and everything was read.
    ///
    /// Unread bytes hide the end of a connection from reading, but not from `poll`.
    package var isAbandoned: Bool {
        // Linux reports it without a request, macOS does not.
        var entry = pollfd(fd: number, events: Int16(POLLHUP), revents: 0)
        if unsafe poll(&entry, 1, 0) > 0, Int32(entry.revents) & Int32(POLLHUP) != 0 { return true }
        var byte: UInt8 = 0
        return unsafe recv(number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }

    /// Makes a TCP connection send small messages without waiting for the acknowledgement of earlier ones.
    package func sendAtOnce() {
        setOption(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
    }

    /// Acknowledges the bytes read from a TCP connection, for a sender that waits for the acknowledgement.
    ///
    /// An answer acknowledges by itself, so this is for unanswered bytes: a message in pieces, or a message that needs no
    /// answer. It has no effect on other sockets and on systems other than Linux.
    package func acknowledge() {
        #if canImport(Glibc) || canImport(Musl)
            // With 1, later bytes would also be acknowledged in a separate packet, before their answer; with an even number
            // above 0 the system acknowledges once. Source: Linux, net/ipv4/tcp.c, __tcp_sock_set_quickack.
            setOption(Int32(IPPROTO_TCP), TCP_QUICKACK, Int32(2))
        #endif
    }

    /// Ends the connection, and the calls on it in which other threads wait.
    package func shutDown() {
        _ = shutdown(descriptor.number, Int32(SHUT_RDWR))
    }

    /// Closes a TCP connection so that the other side's calls fail, as after a crash, and the system keeps no state of it.
    package func reset() {
        setOption(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        descriptor.shut()
    }

    func setOption<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: Value) {
        var value = value
        _ = unsafe setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Value>.size))
    }
}

/// Writes to a socket once; a closed socket raises no signal.
func sendOnSocket(_ socket: Int32, _ bytes: UnsafeRawBufferPointer, flags: Int32 = 0) -> Int {
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
package enum UnixSocket {
    /// The maximum length of a path in bytes.
    static let maximumPathLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// - Throws: ``SystemError`` if no process listens at the path.
    package static func connect(to path: String) throws(SystemError) -> Descriptor {
        let descriptor = try Descriptor.makeSocket(AF_UNIX, .stream, "socket")
        let status = try unsafe call(with: path) { unsafe connectSocket(descriptor.number, $0, $1) }
        guard status == 0 else { throw SystemError("connect to \(path)") }
        return descriptor
    }

    /// Makes a system call whose argument is a path as a socket address.
    ///
    /// - Returns: The result of the call.
    /// - Throws: ``SystemError`` if the path is too long to be an address.
    package static func call(
        with path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SystemError) -> Int32 {
        let bytes = Array(path.utf8)
        guard bytes.count <= maximumPathLength else {
            throw SystemError(
                "use the socket path \(path) of \(bytes.count) bytes (the limit is \(maximumPathLength))",
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

/// A socket or link that this process has created at a path that a user may have chosen.
package struct OwnFile: Sendable {
    private let path: String
    private let identity: Identity?

    /// The identity includes type and time, since a system may reuse the inode of a removed file for the next one.
    private struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t
        let type: mode_t
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { return nil }
            #if canImport(Darwin)
                let modified = status.st_mtimespec
            #else
                let modified = status.st_mtim
            #endif
            (device, inode, type) = (status.st_dev, status.st_ino, status.st_mode & S_IFMT)
            (seconds, nanoseconds) = (modified.tv_sec, modified.tv_nsec)
        }
    }

    init(at path: String) {
        self.path = path
        identity = Identity(path)
    }

    /// Removes the file, unless something else is at the path by now.
    func remove() {
        if let identity, Identity(path) == identity { _ = unsafe unlink(path) }
    }
}

/// A stream socket that waits for clients at a file system path.
package final class UnixListener: StreamListener {
    /// The number of attempts to lock a folder, and the pause between them: creating a socket takes less than a millisecond.
    private static let turnTries = 200
    private static let turnPause = Duration.milliseconds(1)

    package let path: String
    /// Readable when a client waits.
    package let descriptor: Descriptor
    private let socket: OwnFile
    private let cleanup: Int

    /// Listens at a path; replaces an abandoned socket there.
    ///
    /// - Parameter mode: The users who may connect, as the mode bits of a file.
    /// - Throws: ``SystemError`` if the path is too long, taken, or in a folder that cannot hold it.
    package init(at path: String, mode: mode_t = 0o600) throws(SystemError) {
        self.path = path
        let descriptor = try Descriptor.makeSocket(AF_UNIX, .stream, "socket")
        self.descriptor = descriptor
        let folder = Self.folder(of: path)
        // Between `bind` and `listen` a socket looks abandoned, so other TapSim processes must not check it in between. A
        // folder that this process holds contains nothing of other processes, and its lock is taken.
        let turn = PrivateDirectory.isHeld(folder) ? nil : Self.takeTurn(in: folder)
        defer { turn?.shut() }
        Self.removeAbandoned(path)
        (socket, cleanup) = try EndingCleanups.making {
            () throws(SystemError) -> (made: OwnFile, remove: @Sendable () -> Void) in
            let status = try unsafe UnixSocket.call(with: path) { unsafe bind(descriptor.number, $0, $1) }
            guard status == 0 else {
                let isTaken = SystemError.currentErrno() == EADDRINUSE
                let advice = isTaken ? " (use another path or remove the existing file)" : ""
                throw SystemError("listen at \(path)\(advice)")
            }
            let socket = OwnFile(at: path)
            // Clients can connect only after `listen`, so the mode is set by then.
            guard unsafe chmod(path, mode) == 0, listen(descriptor.number, Self.backlog) == 0 else {
                let error = SystemError("listen at \(path)")
                socket.remove()
                throw error
            }
            return (socket, { socket.remove() })
        }
        descriptor.setNonBlocking()
    }

    /// Stops listening and removes the socket from the file system.
    package func close() {
        guard descriptor.number >= 0 else { return }
        descriptor.shut()
        socket.remove()
        EndingCleanups.forget(cleanup)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Waits until no other TapSim process creates a socket in a folder.
    ///
    /// - Returns: The lock, which is released by closing it; `nil` if the folder cannot be locked.
    private static func takeTurn(in folder: String) -> Descriptor? {
        let number = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let descriptor = Descriptor(owning: number)
        for _ in 0..<turnTries {
            if flock(number, LOCK_EX | LOCK_NB) == 0 { return descriptor }
            guard SystemError.currentErrno() == EWOULDBLOCK else { return nil }
            BlockingThread.sleep(until: .now + turnPause)
        }
        return nil
    }

    /// Removes the socket of an ended process, and nothing else.
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
package protocol StreamListener: Sendable {
    /// The non-blocking socket; readable when a client waits.
    var descriptor: Descriptor { get }

    /// Stops listening and removes the socket from the file system; a second call does nothing.
    func close()
}

extension StreamListener {
    static var backlog: Int32 { 128 }

    /// Accepts the next waiting client; returns `nil` if there is none, or the system has no descriptor for it.
    package func accept() -> Descriptor? {
        let number = acceptSocket(descriptor.number)
        guard number >= 0 else { return nil }
        // On macOS the new socket is non-blocking like its listener, on Linux it is not.
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK)
        let client = Descriptor(owning: number)
        client.dropSignalOfBrokenPipe()
        return client
    }

    /// Accepts clients one after another, until `stopped` becomes readable or its other end is closed.
    package func takeClients(until stopped: Descriptor, _ take: (Descriptor) -> Void) {
        admitClients(until: stopped) {
            guard let client = accept() else { return false }
            take(client)
            return true
        }
    }

    /// Waits for clients, until `stopped` becomes readable or its other end is closed.
    ///
    /// - Parameter admit: Accepts a client that waits, and returns whether there was one.
    package func admitClients(until stopped: Descriptor, _ admit: () -> Bool) {
        while true {
            let ready = Readiness.wait(for: [(descriptor, .reading), (stopped, .reading)], timeout: nil)
            if ready[1] { return }
            // If the system gives no descriptor, the client still waits.
            if ready[0], !admit() { _ = Readiness.wait(for: [(stopped, .reading)], timeout: .milliseconds(50)) }
        }
    }
}

/// `accept`, for use where a method of the same name hides it.
private func acceptSocket(_ listener: Int32) -> Int32 {
    #if os(Linux)
        accept_socket(listener, Int32(SOCK_CLOEXEC.rawValue))
    #else
        accept(listener, nil, nil)
    #endif
}

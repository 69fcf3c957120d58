#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

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
        let descriptor = try UnixSocket.open()
        self.descriptor = descriptor
        // Between `bind` and `listen` a socket looks forsaken, so nobody of ours may look meanwhile.
        let turn = Self.takeTurn(inFolderOf: path)
        defer { turn?.shut() }
        Self.removeForsaken(path)
        let status = try unsafe UnixSocket.call(with: path) { unsafe bind(descriptor.number, $0, $1) }
        guard status == 0 else {
            let isTaken = SystemError.currentErrno() == EADDRINUSE
            throw SystemError("listen at \(path)\(isTaken ? ", name another path or remove what is there" : "")")
        }
        // Nobody can connect before `listen`, so nobody meets the socket with other rights.
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
    /// - Returns: What ends the turn when it is shut; nothing where the folder cannot be locked, or somebody else keeps
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
    private static func removeForsaken(_ path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        do {
            _ = try UnixSocket.connect(to: path)
        } catch {
            if error.errno == ECONNREFUSED { _ = unsafe unlink(path) }
        }
    }
}

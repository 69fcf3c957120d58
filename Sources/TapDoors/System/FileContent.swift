#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The bytes of files.
public enum FileContent {
    /// The content of a file; of one that is too large at least a byte more than is allowed.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - limit: Most bytes.
    ///   - isFollowing: Whether the last part of the path may be a symbolic link.
    /// - Throws: ``SystemError`` if it cannot be read.
    public static func bytes(
        of path: String, upTo limit: Int, isFollowing: Bool = true
    ) throws(SystemError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | (isFollowing ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw SystemError("read \(path)") }
        defer { _ = close(descriptor) }
        guard let bytes = bytes(from: descriptor, upTo: limit) else { throw SystemError("read \(path)") }
        return bytes
    }

    /// All that can be read from an open file, at most a little more than is allowed; nothing if reading fails.
    public static func bytes(from descriptor: Int32, upTo limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count == 0 { break }
            if count < 0 {
                if SystemError.currentErrno() == EINTR { continue }
                return nil
            }
            bytes += chunk.prefix(count)
        }
        return bytes
    }

    /// Whether a path leads to a file that lies on a disk: reading a pipe found in a folder would wait for ever.
    public static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}

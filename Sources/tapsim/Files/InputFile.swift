import TapDoors
import TapScenario

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file named on the command line.
enum InputFile {
    /// Reads a file; of one that is too large a little more than is allowed, which its reader then refuses.
    ///
    /// - Throws: ``VerbError`` with ``ExitCode/usage`` if it cannot be read.
    static func load(_ path: String) throws(VerbError) -> SourceFile {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw cannotRead(path) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw VerbError(.usage, "\(path) is a folder; name the files in it")
        }
        do {
            return SourceFile(name: path, bytes: try bytes(of: path, DocumentLimits.scenario.maximumBytes))
        } catch {
            throw cannotRead(path)
        }
    }

    /// Reads standard input to its end, as ``load(_:)`` does a file.
    ///
    /// - Throws: ``VerbError`` with ``ExitCode/usage`` if it cannot be read.
    static func standardInput() throws(VerbError) -> SourceFile {
        guard let bytes = bytes(from: STDIN_FILENO, DocumentLimits.scenario.maximumBytes) else {
            throw VerbError(.usage, "\(SystemError("read standard input"))")
        }
        return SourceFile(name: "standard input", bytes: bytes)
    }

    /// The content of a file; of one that is too large at least a byte more than is allowed.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - maximumBytes: Most bytes.
    ///   - isFollowing: Whether the last part of the path may be a symbolic link.
    static func bytes(
        of path: String, _ maximumBytes: Int, isFollowing: Bool = true
    ) throws(SystemError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | (isFollowing ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw SystemError("read \(path)") }
        defer { _ = close(descriptor) }
        guard let bytes = bytes(from: descriptor, maximumBytes) else { throw SystemError("read \(path)") }
        return bytes
    }

    private static func bytes(from descriptor: Int32, _ maximumBytes: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= maximumBytes {
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
    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func cannotRead(_ path: String) -> VerbError {
        let error = SystemError("read \(path)")
        guard error.errno == ENOENT else { return VerbError(.usage, "\(error)") }
        let start = path.hasPrefix("/") ? "" : "; paths begin at the working directory"
        return VerbError(.usage, "there is no file \(path)\(start)")
    }
}

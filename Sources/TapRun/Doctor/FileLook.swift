import TapDoors

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file that is looked at and not run.
struct FileLook {
    /// Where it is, links followed.
    let path: String
    private let status: stat

    /// Looks at a file, or nothing if there is none.
    init?(_ path: String) {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        var status = stat()
        guard unsafe stat(resolved, &status) == 0 else { return nil }
        self.path = unsafe String(cString: resolved)
        self.status = status
    }

    /// Finds a program as a shell does: by its path, or in `PATH`.
    static func program(_ name: String) -> FileLook? {
        if name.contains("/") { return FileLook(name) }
        let folders = (ProcessEnvironment["PATH"] ?? "").split(separator: ":")
        return folders.lazy.compactMap { FileLook("\($0)/\(name)") }.first { $0.isRunnable }
    }

    /// Whether it is a file with a run bit.
    var isRunnable: Bool { status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o111 != 0 }

    /// Whether running it gives rights that the user who runs it does not have.
    var givesRights: Bool {
        let isOfAnotherUser = status.st_mode & S_ISUID != 0 && status.st_uid != geteuid()
        let isOfAnotherGroup = status.st_mode & S_ISGID != 0 && status.st_gid != getegid()
        return isOfAnotherUser || isOfAnotherGroup
    }

    /// Bytes of the file from an offset on; fewer where it ends.
    func bytes(at offset: Int, count: Int) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, (0...Self.furthestOffset).contains(offset), count > 0 else { return [] }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count < count {
            var chunk = [UInt8](repeating: 0, count: min(count - bytes.count, 1 << 16))
            let length = unsafe pread(descriptor, &chunk, chunk.count, off_t(offset + bytes.count))
            guard length > 0 else { break }
            bytes += chunk.prefix(length)
        }
        return bytes
    }

    /// Whether a text lies in the first megabytes of the file.
    func contains(_ text: String) -> Bool {
        let content = bytes(at: 0, count: Self.longestSearch)
        let wanted = Array(text.utf8)
        guard let first = wanted.first, content.count >= wanted.count else { return false }
        return (0...content.count - wanted.count).contains { start in
            content[start] == first && content[start..<start + wanted.count].elementsEqual(wanted)
        }
    }

    /// No file is longer, and a header may name any offset.
    private static let furthestOffset = 1 << 48
    /// A library of this kind is far smaller.
    private static let longestSearch = 4 << 20
}

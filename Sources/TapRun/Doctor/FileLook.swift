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

    /// Whether it is a program in machine code, not a script.
    var isProgram: Bool { bytes(at: 0, count: 4) == [0x7F, 0x45, 0x4C, 0x46] }

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
        Self.holds(Array(text.utf8), bytes(at: 0, count: Self.longestSearch))
    }

    /// Whether it is a program with Core NFC's shape in it: the name of the module lies there as that of its types.
    var readsByPhone: Bool {
        let wanted = Array("VirtualCoreNFC\0".utf8)
        var offset = 0
        while offset < Self.longestProgram {
            let chunk = bytes(at: offset, count: Self.searchStep + wanted.count)
            if Self.holds(wanted, chunk) { return true }
            guard chunk.count > Self.searchStep else { return false }
            offset += Self.searchStep
        }
        return false
    }

    /// Whether bytes lie in others.
    private static func holds(_ wanted: [UInt8], _ content: [UInt8]) -> Bool {
        unsafe content.withUnsafeBytes { content -> Bool in
            var offset = 0
            // A program is large, and this finds the next candidate as fast as memory is read.
            while content.count - offset >= wanted.count, let start = content.baseAddress {
                let left = content.count - offset
                guard let next = unsafe memchr(start + offset, Int32(wanted[0]), left) else { return false }
                offset = unsafe UnsafeRawPointer(next) - start
                if content.count - offset >= wanted.count, unsafe memcmp(next, wanted, wanted.count) == 0 {
                    return true
                }
                offset += 1
            }
            return false
        }
    }

    /// No file is longer, and a header may name any offset.
    private static let furthestOffset = 1 << 48
    /// A library of this kind is far smaller.
    private static let longestSearch = 4 << 20
    /// Programs with debug information have some hundred megabytes; what lies behind that is not looked at.
    private static let longestProgram = 512 << 20
    /// How much of a program is looked at in one go.
    private static let searchStep = 1 << 20
}

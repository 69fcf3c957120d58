import TapSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The destination of a file that a user names.
enum OutputTarget {
    /// An open descriptor of this process, as `/dev/stdout` and `/dev/fd/3` name one.
    case descriptor(Int32)
    /// A pipe or a character device, which takes what is written and cannot be replaced.
    case stream(String)
    /// A file, with its path after links were followed, and its status if it is there.
    case file(String, stat?)

    /// The most links that are followed, as many as Linux follows.
    private static let maximumLinks = 40

    /// Follows the links at a path.
    ///
    /// - Throws: ``VerbError`` with ``ExitCode/usage`` if nothing can be written there.
    init(_ path: String) throws(VerbError) {
        var target = path
        for _ in 0..<Self.maximumLinks {
            if let number = Self.descriptor(target) {
                self = .descriptor(number)
                return
            }
            var status = stat()
            guard unsafe lstat(target, &status) == 0 else {
                let number = SystemError.currentErrno()
                guard number == ENOENT || number == ENOTDIR else { throw Self.failure(path, number) }
                self = .file(target, nil)
                return
            }
            switch status.st_mode & S_IFMT {
            case S_IFLNK:
                guard let next = RealPath.target(ofLink: target) else {
                    throw Self.failure(path, SystemError.currentErrno())
                }
                target = next.hasPrefix("/") ? next : "\(Self.folder(of: target))/\(next)"
                continue
            case S_IFREG: self = .file(target, status)
            case S_IFIFO, S_IFCHR: self = .stream(target)
            case S_IFDIR: throw Self.failure(path, EISDIR)
            case S_IFBLK: throw VerbError(.usage, "\(path) is a disk, and nothing is written to it; name a file")
            default: throw VerbError(.usage, "\(path) is a socket, and nothing is written to it; name a file or a pipe")
            }
            return
        }
        throw Self.failure(path, ELOOP)
    }

    /// A Boolean value that indicates whether a file is there that writing would replace.
    var isTaken: Bool {
        guard case .file(_, let status) = self else { return false }
        return status != nil
    }

    /// A Boolean value that indicates whether all that is written to it arrives, so that it is written to once.
    var isStream: Bool {
        guard case .file = self else { return true }
        return false
    }

    /// The descriptor of this process that a path names.
    private static func descriptor(_ path: String) -> Int32? {
        guard let name = path.split(separator: "/").last, let number = Int32(name), number >= 0,
            let folder = RealPath.of(folder(of: path)), ["/dev/fd", "/proc/\(getpid())/fd"].contains(folder)
        else { return nil }
        return number
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func failure(_ path: String, _ number: Int32) -> VerbError {
        VerbError(.usage, "\(SystemError("write \(path)", errno: number))")
    }
}

enum OutputFile {
    /// Writes a file: one that is there is replaced atomically, with its mode and owner; links are followed, and pipes,
    /// devices and descriptors are written to.
    ///
    /// - Throws: ``VerbError`` with ``ExitCode/usage`` if it cannot be written; the old file is still there then.
    static func replace(_ path: String, with text: String) throws(VerbError) {
        try replace(path, with: Array(text.utf8))
    }

    static func replace(_ path: String, with bytes: [UInt8]) throws(VerbError) {
        try write(path, with: bytes, isReplacing: true)
    }

    /// Writes a file as ``replace(_:with:)-(_,[UInt8])`` does; one that is there stays, unless `isReplacing`.
    ///
    /// - Throws: ``VerbError`` with ``ExitCode/usage`` if it is there or cannot be written.
    static func write(_ path: String, with bytes: [UInt8], isReplacing: Bool) throws(VerbError) {
        switch try OutputTarget(path) {
        case .descriptor(let number): try send(bytes, to: number, path)
        case .stream(let stream):
            let number = unsafe open(stream, O_WRONLY | O_NOCTTY | O_CLOEXEC)
            guard number >= 0 else { throw failure(path) }
            defer { _ = close(number) }
            try send(bytes, to: number, path)
        case .file(let file, let status):
            guard isReplacing || status == nil else { throw isThereAlready(path) }
            try write(bytes, to: file, over: status, isReplacing: isReplacing)
        }
    }

    /// Why a file that is there is not written.
    static func isThereAlready(_ path: String) -> VerbError {
        VerbError(.usage, "\(path) is there already; --force replaces it")
    }

    /// Refuses a path at which a file is that writing would replace.
    static func checkFree(_ path: String) throws(VerbError) {
        if try OutputTarget(path).isTaken { throw isThereAlready(path) }
    }

    /// Adds text to the end of a file, which is made if it is not there.
    ///
    /// - Throws: ``VerbError`` with ``ExitCode/usage`` if it cannot be written.
    static func append(_ text: String, to path: String) throws(VerbError) {
        let bytes = Array(text.utf8)
        if case .descriptor(let number) = try OutputTarget(path) { return try send(bytes, to: number, path) }
        do { try FileContent.append(bytes, to: path) } catch { throw VerbError(.usage, "\(error)") }
    }

    /// A Boolean value that indicates whether writing to a path would replace a file, or cannot be.
    static func isTaken(_ path: String) -> Bool { (try? OutputTarget(path).isTaken) ?? true }

    /// A Boolean value that indicates whether something can be read at a path.
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0
    }

    /// Makes the folders above a file.
    static func makeFolder(of path: String) throws(VerbError) {
        var folder = ""
        for name in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
            folder += folder.isEmpty && !path.hasPrefix("/") ? name : "/\(name)"
            if folder.isEmpty || folder == "/" { continue }
            if unsafe mkdir(folder, 0o755) != 0, SystemError.currentErrno() != EEXIST {
                throw VerbError(.usage, "\(SystemError("make the folder \(folder)"))")
            }
        }
    }

    private static func write(
        _ bytes: [UInt8], to path: String, over old: stat?, isReplacing: Bool
    ) throws(VerbError) {
        let (temporary, descriptor) = temporaryFile(beside: path, isNew: old == nil)
        guard descriptor >= 0 else { throw failure(path) }
        defer { _ = unsafe unlink(temporary) }
        do throws(VerbError) {
            if let old, !keep(old, on: descriptor) { throw failure(path) }
            try send(bytes, to: descriptor, path)
        } catch {
            _ = close(descriptor)
            throw error
        }
        guard close(descriptor) == 0 else { throw failure(path) }
        // Another program may make the file at any time; a link is made only where nothing is.
        let result = unsafe isReplacing ? rename(temporary, path) : link(temporary, path)
        guard result == 0 else { throw failure(path) }
    }

    /// Gives a new file the owner and mode of the old one; if the group cannot be kept, its members get no more than
    /// everybody.
    private static func keep(_ old: stat, on descriptor: Int32) -> Bool {
        var mode = old.st_mode & 0o777
        if fchown(descriptor, old.st_uid, old.st_gid) != 0, fchown(descriptor, uid_t.max, old.st_gid) != 0 {
            mode &= ~0o070 | (mode & 0o007) << 3
        }
        return fchmod(descriptor, mode) == 0
    }

    /// Makes a uniquely named file, for this user alone if it takes the place of another; a killed run may have left one
    /// behind.
    private static func temporaryFile(beside path: String, isNew: Bool) -> (path: String, descriptor: Int32) {
        var made: (path: String, descriptor: Int32) = ("", -1)
        for number in 0..<maximumAttempts {
            let temporary = "\(path).\(getpid())-\(number).tmp"
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
            made = (temporary, unsafe open(temporary, flags, isNew ? 0o644 : 0o600))
            guard made.descriptor < 0, SystemError.currentErrno() == EEXIST else { break }
        }
        return made
    }

    private static let maximumAttempts = 100

    private static func send(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(VerbError) {
        guard let error = WholeOutput.send(bytes, to: descriptor) else { return }
        throw VerbError(.usage, "\(SystemError("write \(path)", errno: error.errno))")
    }

    private static func failure(_ path: String) -> VerbError {
        guard SystemError.currentErrno() != EEXIST else { return isThereAlready(path) }
        return VerbError(.usage, "\(SystemError("write \(path)"))")
    }
}

import TapSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The destination of an output file that a user names.
enum OutputTarget {
    /// An open descriptor of this process, such as `/dev/stdout` or `/dev/fd/3`.
    case descriptor(Int32)
    /// A named pipe, which accepts output once a program reads it.
    case pipe(String)
    /// A character device, which accepts output and cannot be replaced.
    case device(String)
    /// A file: its path after following links, and its status if it exists.
    case file(String, stat?)

    /// The maximum number of links to follow, the same as in Linux.
    private static let maximumLinks = 40

    /// Follows the links at a path.
    ///
    /// - Throws: ``VerbError`` with ``ExitCode/usage`` if nothing can be written there.
    init(_ path: String, in working: WorkingFolder) throws(VerbError) {
        var target = working.path(to: path)
        for _ in 0..<Self.maximumLinks {
            if let number = Self.descriptor(target) {
                // Any other number is a descriptor that TapSim has opened for itself.
                guard InheritedDescriptors.numbers.contains(number) else { throw Self.failure(path, EBADF) }
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
            case S_IFIFO: self = .pipe(target)
            case S_IFCHR: self = .device(target)
            case S_IFDIR: throw Self.failure(path, EISDIR)
            case S_IFBLK: throw VerbError(.usage, "\(path) is a disk; name a file instead")
            default: throw VerbError(.usage, "\(path) is a socket; name a file or a pipe instead")
            }
            return
        }
        throw Self.failure(path, ELOOP)
    }

    /// A Boolean value that indicates whether writing would replace a file.
    var isTaken: Bool {
        guard case .file(_, let status) = self else { return false }
        return status != nil
    }

    /// A Boolean value that indicates whether this is the standard output of the process, or the file to which it goes.
    var isStandardOutput: Bool {
        switch self {
        case .descriptor(let number): return number == STDOUT_FILENO
        case .pipe, .device, .file(_, nil): return false
        case .file(_, let found?):
            var output = stat()
            return unsafe fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == found.st_dev
                && output.st_ino == found.st_ino
        }
    }

    /// A Boolean value that indicates whether each write adds to the output instead of replacing it, so that it may be
    /// written only once.
    var isStream: Bool {
        guard case .file = self else { return true }
        return false
    }

    /// The descriptor of this process that a path names.
    private static func descriptor(_ path: String) -> Int32? {
        guard let name = path.split(separator: "/").last, let number = Int32(name), number >= 0,
            let folder = RealPath.of(folder(of: path)),
            folder == "/dev/fd" || folder.hasPrefix("/proc/\(getpid())/") && folder.hasSuffix("/fd")
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

/// The descriptors that were open when this process started, provided they are read before it opens its own.
package enum InheritedDescriptors {
    package static let numbers: Set<Int32> = {
        let names = Folder.names(in: "/proc/self/fd") ?? Folder.names(in: "/dev/fd") ?? []
        // The list includes the descriptor that was used to read it.
        return Set(names.compactMap { Int32($0) }.filter { fcntl($0, F_GETFD) >= 0 })
    }()
}

extension WorkingFolder {
    /// Writes a file.
    ///
    /// An existing file is replaced atomically and keeps its mode and owner; links are followed; pipes, devices and
    /// descriptors are written to.
    ///
    /// If the owner cannot be kept, the content of the file is overwritten instead.
    ///
    /// - Throws: ``VerbError`` with ``ExitCode/usage`` if it cannot be written; the old file then still exists.
    func replace(_ path: String, with text: String) throws(VerbError) {
        try replace(path, with: Array(text.utf8))
    }

    func replace(_ path: String, with bytes: [UInt8]) throws(VerbError) {
        try write(path, with: bytes, isReplacing: true)
    }

    /// Writes a file like ``replace(_:with:)-(_,[UInt8])``, but keeps an existing file unless `isReplacing`.
    ///
    /// - Throws: ``VerbError`` with ``ExitCode/usage`` if the file exists or cannot be written.
    func write(_ path: String, with bytes: [UInt8], isReplacing: Bool) throws(VerbError) {
        switch try OutputTarget(path, in: self) {
        case .descriptor(let number): try Self.send(bytes, to: number, path)
        case .pipe(let pipe): try Self.send(bytes, through: pipe, until: .now + Self.patience, path)
        case .device(let device): try Self.send(bytes, through: device, until: .now, path)
        case .file(let file, let status):
            guard isReplacing || status == nil else { throw Self.isThereAlready(path) }
            try Self.write(bytes, to: file, named: path, over: status, isReplacing: isReplacing)
        }
    }

    /// The error for an existing file.
    private static func isThereAlready(_ path: String) -> VerbError {
        VerbError(.usage, "\(path) already exists; use `--force` to replace it")
    }

    /// Rejects a path at which writing would replace a file.
    func checkFree(_ path: String) throws(VerbError) {
        if try OutputTarget(path, in: self).isTaken { throw Self.isThereAlready(path) }
    }

    /// Rejects a path that cannot be written, and changes nothing.
    func checkWritable(_ path: String) throws(VerbError) {
        guard case .file(let file, let status) = try OutputTarget(path, in: self) else { return }
        guard !Self.isProtected(file, status) else { throw Self.failure(path, EACCES) }
        let (temporary, descriptor) = Self.temporaryFile(alongside: file, isNew: true)
        guard descriptor >= 0 else { throw Self.failure(path) }
        _ = close(descriptor)
        _ = unsafe unlink(temporary)
    }

    /// Appends text to a file, which is created if needed.
    ///
    /// - Throws: ``VerbError`` with ``ExitCode/usage`` if the file cannot be written.
    func append(_ text: String, to path: String) throws(VerbError) {
        let bytes = Array(text.utf8)
        guard case .file(let file, _) = try OutputTarget(path, in: self) else { return try replace(path, with: bytes) }
        do { try FileContent.append(bytes, to: file) } catch { throw Self.failure(path, error.errno) }
    }

    /// A Boolean value that indicates whether writing to a path would replace a file or is impossible.
    func isTaken(_ path: String) -> Bool { (try? OutputTarget(path, in: self).isTaken) ?? true }

    /// A Boolean value that indicates whether a path is free; even a dangling link occupies it.
    func isFree(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(self.path(to: path), &status) != 0 && SystemError.currentErrno() == ENOENT
    }

    /// A Boolean value that indicates whether two paths lead to the same file.
    func isSame(_ path: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return unsafe stat(self.path(to: path), &first) == 0 && stat(self.path(to: other), &second) == 0
            && first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Rejects symbolic links on a path that TapSim chooses below a folder, since the user has named only the folder.
    func refuseLinks(on name: String, below folder: String) throws(VerbError) {
        var path = folder
        for part in name.split(separator: "/") {
            path = path == "." ? String(part) : "\(path)/\(part)"
            guard let target = target(ofLink: path) else { continue }
            throw VerbError(
                .usage,
                "\(path) is a symbolic link to \(target), and TapSim writes only through links that you name; "
                    + "remove the link, or choose another folder")
        }
    }

    /// Creates the folders above a file.
    func makeFolder(of path: String) throws(VerbError) {
        var folder = ""
        for name in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
            folder += folder.isEmpty && !path.hasPrefix("/") ? name : "/\(name)"
            if folder.isEmpty || folder == "/" { continue }
            if unsafe mkdir(self.path(to: folder), 0o755) != 0, SystemError.currentErrno() != EEXIST {
                throw VerbError(.usage, "\(SystemError("make the folder \(folder)"))")
            }
        }
    }

    private static func write(
        _ bytes: [UInt8], to file: String, named path: String, over old: stat?, isReplacing: Bool
    ) throws(VerbError) {
        guard !isProtected(file, old) else { throw failure(path, EACCES) }
        let (temporary, descriptor) = temporaryFile(alongside: file, isNew: old == nil)
        guard descriptor >= 0 else { throw failure(path) }
        defer { _ = unsafe unlink(temporary) }
        if let old, !keepOwner(of: old, on: descriptor) {
            _ = close(descriptor)
            return try overwrite(file, named: path, with: bytes, old)
        }
        do throws(VerbError) {
            if let old, !keep(old, on: descriptor) { throw failure(path) }
            try send(bytes, to: descriptor, path)
        } catch {
            _ = close(descriptor)
            throw error
        }
        guard close(descriptor) == 0 else { throw failure(path) }
        // Another program may create the file at any time; `link` fails if it exists.
        let result = unsafe isReplacing ? rename(temporary, file) : link(temporary, file)
        guard result == 0 else { throw failure(path) }
    }

    /// Returns whether a file is one that this user has made read-only, although its folder lets another take its place.
    private static func isProtected(_ file: String, _ status: stat?) -> Bool {
        guard let status, status.st_uid == geteuid() else { return false }
        return unsafe access(file, W_OK) != 0
    }

    /// Gives a new file the owner of the old one, if this user may.
    private static func keepOwner(of old: stat, on descriptor: Int32) -> Bool {
        var new = stat()
        if fchown(descriptor, old.st_uid, gid_t.max) == 0 { return true }
        return unsafe fstat(descriptor, &new) == 0 && new.st_uid == old.st_uid
    }

    /// Gives a new file the group and mode of the old one; if the group cannot be kept, its members get no more than
    /// everybody.
    private static func keep(_ old: stat, on descriptor: Int32) -> Bool {
        var mode = old.st_mode & 0o777
        if fchown(descriptor, uid_t.max, old.st_gid) != 0 { mode &= ~0o070 | (mode & 0o007) << 3 }
        return fchmod(descriptor, mode) == 0
    }

    /// Overwrites the content of another user's file, since a replacement would belong to this user.
    private static func overwrite(
        _ file: String, named path: String, with bytes: [UInt8], _ old: stat
    ) throws(VerbError) {
        let number = unsafe open(file, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else {
            throw VerbError(
                .usage, "\(path) belongs to another user, and replacing it would change its owner; name another file")
        }
        defer { _ = close(number) }
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_dev == old.st_dev, status.st_ino == old.st_ino else {
            throw failure(path, ESTALE)
        }
        try send(bytes, to: number, path)
        guard ftruncate(number, off_t(bytes.count)) == 0 else { throw failure(path) }
    }

    /// Creates a uniquely named file, readable by this user alone if it will replace another file.
    ///
    /// A killed run may have left one with the first names.
    private static func temporaryFile(alongside path: String, isNew: Bool) -> (path: String, descriptor: Int32) {
        var made: (path: String, descriptor: Int32) = ("", -1)
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { path[...$0] } ?? ""
        // A name may be so long that nothing can be added to it.
        let name = (slash.map { path[path.index(after: $0)...] } ?? path[...]).prefix(longestStem)
        for number in 0..<maximumAttempts {
            let temporary = "\(folder)\(name).\(getpid())-\(number).tmp"
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
            made = (temporary, unsafe open(temporary, flags, isNew ? 0o644 : 0o600))
            guard made.descriptor < 0, SystemError.currentErrno() == EEXIST else { break }
        }
        return made
    }

    private static let maximumAttempts = 100
    /// The number of characters of a file's name in that of a temporary file.
    private static let longestStem = 50

    /// The time that a pipe's reader has to start.
    private static let patience = Duration.seconds(5)
    private static let pause = Duration.milliseconds(10)

    /// Writes into a pipe or a device.
    private static func send(
        _ bytes: [UInt8], through stream: String, until end: ContinuousClock.Instant, _ path: String
    ) throws(VerbError) {
        var number: Int32 = -1
        while true {
            // Without O_NONBLOCK, opening a pipe would wait for a reader indefinitely.
            number = unsafe open(stream, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
            guard number < 0, SystemError.currentErrno() == ENXIO, ContinuousClock.now < end else { break }
            BlockingThread.sleep(until: .now + pause)
        }
        guard number >= 0 else { throw failure(path) }
        defer { _ = close(number) }
        try send(bytes, to: number, path)
    }

    private static func send(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(VerbError) {
        guard let error = WholeOutput.send(bytes, to: descriptor) else { return }
        throw VerbError(.usage, "\(SystemError("write \(path)", errno: error.errno))")
    }

    private static func failure(_ path: String, _ number: Int32 = SystemError.currentErrno()) -> VerbError {
        switch number {
        case EEXIST: isThereAlready(path)
        case ENXIO where !FileContent.isRegular(path):
            VerbError(.usage, "no program reads the pipe \(path); start its reader first, or name a file")
        default: VerbError(.usage, "\(SystemError("write \(path)", errno: number))")
        }
    }
}

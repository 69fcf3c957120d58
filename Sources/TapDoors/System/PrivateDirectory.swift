#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A folder that only this user may enter, in the temporary directory, for sockets and short-lived files.
///
/// It is removed with its contents, at the latest with its last reference. If the process is killed before that, the next
/// one that makes such a folder removes it.
public final class PrivateDirectory: Sendable {
    /// How deep folders in it are removed.
    static let maximumDepth = 32
    /// The temporary directory if `TMPDIR` names none.
    private static let defaultParent = "/tmp"
    /// The name of a folder; the system replaces the Xs.
    private static let namePattern = "tapsim-XXXXXX"
    /// The name before it is locked, so that it is not taken for a leftover.
    private static let newNamePattern = "tapsim-new-XXXXXX"
    /// Removes leftovers, once.
    private static let tidying: Void = {
        for parent in Set([parent, defaultParent]) { removeLeft(in: parent) }
    }()

    /// Its path; short, since the paths of sockets have to be.
    public let path: String
    private let isThere = Lock(true)
    private let hold: FolderHold?
    private static let held = Lock<Set<String>>([])

    /// Makes a folder with mode 0700 and a unique name.
    ///
    /// - Throws: ``SystemError`` if the temporary directory cannot hold it.
    public convenience init() throws(SystemError) {
        try self.init(in: Self.parent)
    }

    /// Makes a folder for a socket: in the temporary directory, or in `/tmp` where the path would be too long for it.
    ///
    /// Apps in the iOS simulator have a temporary directory of about 180 bytes.
    ///
    /// - Throws: ``SystemError`` if the directory cannot hold it.
    public convenience init(forSocket socket: String) throws(SystemError) {
        let fits = Self.pathLength(ofFile: socket) <= UnixSocket.maximumPathLength
        try self.init(in: fits ? Self.parent : Self.defaultParent)
    }

    private init(in parent: String) throws(SystemError) {
        _ = Self.tidying
        var template = Array("\(parent)/\(Self.newNamePattern)".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw SystemError("make a folder in \(parent), the temporary directory")
        }
        let new = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        hold = FolderHold(new)
        path = "\(parent)/tapsim-\(new.suffix(6))"
        guard unsafe rename(new, path) == 0 else {
            let error = SystemError("make a folder in \(parent), the temporary directory")
            _ = unsafe rmdir(new)
            throw error
        }
        EndingPaths.add(path)
        if hold != nil { Self.held.withLock { _ = $0.insert(path) } }
    }

    deinit {
        remove()
    }

    /// Whether this process has locked the folder for itself.
    static func isHeld(_ folder: String) -> Bool { held.withLock { $0.contains(folder) } }

    /// Removes leftovers of killed processes, once, in a run that makes no folder.
    public static func tidyUp() { _ = tidying }

    /// Removes the folders of killed processes, and ends the processes started for them.
    static func removeLeft(in parent: String) {
        Leftovers.removeFolders(in: parent) { name in
            name.utf8.count == namePattern.utf8.count && name.hasPrefix("tapsim-")
        }
    }

    /// The temporary directory: `TMPDIR`, or `/tmp`.
    public static var parent: String {
        guard let directory = ProcessEnvironment["TMPDIR"], directory.hasPrefix("/") else { return defaultParent }
        return directory.count > 1 && directory.hasSuffix("/") ? String(directory.dropLast()) : directory
    }

    /// Bytes of the path of a file in such a folder.
    private static func pathLength(ofFile name: String) -> Int {
        "\(parent)/\(namePattern)/\(name)".utf8.count
    }

    /// Removes the folder and the files in it; a second call does nothing.
    public func remove() {
        let wasThere = isThere.withLock { isThere in
            defer { isThere = false }
            return isThere
        }
        guard wasThere else { return }
        Self.held.withLock { _ = $0.remove(path) }
        Folder.removeTree(path, depth: Self.maximumDepth)
        EndingPaths.remove(path)
    }

    /// The content of a file below the folder; `nil` if there is no such file or it is longer than the limit.
    public func contents(of file: String, upTo limit: Int) -> [UInt8]? {
        let number = unsafe open("\(path)/\(file)", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { return nil }
        let descriptor = Descriptor(owning: number)
        var bytes: [UInt8] = []
        while case .bytes(let more) = descriptor.receive(upTo: 1 << 16) {
            bytes += more
            guard bytes.count <= limit else { return nil }
        }
        return bytes
    }
}

/// Sockets and folders to remove when this process ends, by a signal or by itself.
///
/// A signal handler may touch only plain memory and call `unlink` and `rmdir`, hence a fixed table of zero-terminated
/// texts instead of a collection.
@safe
public enum EndingPaths {
    /// How many paths are removed by a signal; more are left behind.
    static let capacity = 256
    /// Bytes of the longest path with its zero; a longer one is left behind.
    static let pathSize = 512

    @safe
    private struct Table: @unchecked Sendable {
        let memory: UnsafeMutablePointer<CChar>

        init() {
            unsafe memory = .allocate(capacity: capacity * pathSize)
            unsafe memory.initialize(repeating: 0, count: capacity * pathSize)
        }
    }

    private static let table = Lock(Table())
    // Written once before a handler is installed, then only read.
    private nonisolated(unsafe) static var handlerMemory: UnsafeMutablePointer<CChar>?

    /// Adds the path of a socket, or of a folder that holds only added sockets.
    static func add(_ path: String) {
        let text = path.utf8CString
        guard text.count <= pathSize else { return }
        table.withLock { table in
            for index in 0..<capacity where unsafe table.memory[index * pathSize] == 0 {
                // The first byte comes last, so that a signal handler finds a whole path or an empty one.
                for offset in text.indices.reversed() { unsafe table.memory[index * pathSize + offset] = text[offset] }
                return
            }
        }
    }

    static func remove(_ path: String) {
        table.withLock { table in
            for index in 0..<capacity where unsafe String(cString: table.memory + index * pathSize) == path {
                unsafe table.memory[index * pathSize] = 0
            }
        }
    }

    /// Removes the paths when this process exits, but not when a forked child that has not exec'd does; a second call
    /// does nothing.
    public static func removeAtExit() {
        _ = exitHandler
    }

    private static let exitHandler: Void = {
        prepareForHandler()
        _ = owner
        atexit {
            if getpid() == owner { removeInHandler() }
        }
    }()

    private static let owner = getpid()

    /// Makes the table known to signal handlers.
    static func prepareForHandler() {
        table.withLock { table in unsafe handlerMemory = unsafe table.memory }
    }

    /// Removes the paths; called in a signal handler.
    static func removeInHandler() {
        guard let memory = unsafe handlerMemory else { return }
        for index in 0..<capacity where unsafe memory[index * pathSize] != 0 {
            _ = unsafe unlink(memory + index * pathSize)
        }
        // The rest are folders, empty by now.
        for index in 0..<capacity where unsafe memory[index * pathSize] != 0 {
            _ = unsafe rmdir(memory + index * pathSize)
        }
    }
}

/// Folders of the file system.
public enum Folder {
    /// Names in a folder, sorted; `nil` if it cannot be read as a folder.
    public static func names(in folder: String, where isWanted: (String) -> Bool = { _ in true }) -> [String]? {
        guard let stream = unsafe opendir(folder) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            if name != "." && name != ".." && isWanted(name) { names.append(name) }
        }
        return names.sorted()
    }

    /// Removes a folder and its contents, as deep as ours are; links are removed, not followed.
    public static func remove(_ path: String) {
        guard unsafe unlink(path) != 0 else { return }
        removeTree(path, depth: PrivateDirectory.maximumDepth)
    }

    /// Removes a folder and its contents; links are removed, not followed.
    static func removeTree(_ path: String, depth: Int) {
        for name in names(in: path) ?? [] {
            let entry = "\(path)/\(name)"
            if unsafe unlink(entry) != 0, depth > 0 { removeTree(entry, depth: depth - 1) }
        }
        _ = unsafe rmdir(path)
    }

    /// The absolute path, for processes with other working directories.
    public static func wholePath(of path: String) -> String {
        path.hasPrefix("/") ? path : working.map { "\($0)/\(path)" } ?? path
    }

    /// The working directory; `nil` if it was removed.
    private static var working: String? {
        guard let path = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}

/// An exclusive lock on a folder, which ends with this process at the latest.
public final class FolderHold: Sendable {
    private let descriptor: Descriptor

    /// Locks a folder of this user; `nil` if another process has locked it, or there is no such folder.
    public init?(_ path: String) {
        let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { return nil }
        descriptor = Descriptor(owning: number)
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_uid == geteuid() else { return nil }
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    /// Whether a folder is locked; false where the file system knows no such locks, or there is no such folder.
    public static func isHeld(_ path: String) -> Bool {
        let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { return false }
        defer { _ = close(number) }
        return flock(number, LOCK_EX | LOCK_NB) != 0 && SystemError.currentErrno() == EWOULDBLOCK
    }
}

/// The bytes of files.
public enum FileContent {
    /// The content of a file; of a larger one at least a byte more than `limit`.
    ///
    /// - Parameter isFollowing: Whether the last part of the path may be a symbolic link.
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

    /// The rest of an open file, at most a little more than `limit`; `nil` if reading fails.
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

    /// Adds bytes to the end of a file, which is made if it is not there; those of one call stay together.
    ///
    /// - Throws: ``SystemError`` if it cannot be written.
    public static func append(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemError("write \(path)") }
        defer { _ = close(descriptor) }
        if WholeOutput.send(bytes, to: descriptor) != nil { throw SystemError("write \(path)") }
    }

    /// Whether a path leads to a regular file: reading a pipe found in a folder would never end.
    public static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}

/// Paths without symbolic links and dots.
package enum RealPath {
    /// `nil` if nothing is at the path.
    package static func of(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Whether a real path lies below a real folder.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        path.hasPrefix(folder == "/" ? folder : "\(folder)/")
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A folder that only this user may enter, in the temporary directory, for sockets and short-lived files.
///
/// It goes away with all that lies in it, at the latest when nobody holds it. Where the process is killed before that,
/// the next one that makes such a folder removes it.
public final class PrivateDirectory: Sendable {
    /// How deep folders in it are removed.
    static let maximumDepth = 32
    /// The temporary directory of a system that names none.
    private static let defaultParent = "/tmp"
    /// The name of a folder; the system replaces the Xs.
    private static let namePattern = "tapsim-XXXXXX"
    /// The name while nobody holds it yet, so that it is not taken for one that was left behind.
    private static let newNamePattern = "tapsim-new-XXXXXX"
    /// Removes what was left behind, once.
    private static let tidying: Void = {
        removeLeft(in: parent)
    }()

    /// Where it is; short, since the paths of sockets have to be.
    public let path: String
    private let isThere = Lock(true)
    private let hold: FolderHold?

    /// Makes a folder with mode 0700 and a name that nobody has.
    ///
    /// - Throws: ``SystemError`` if the temporary directory takes none.
    public convenience init() throws(SystemError) {
        try self.init(in: Self.parent)
    }

    /// Makes a folder for a socket: in the temporary directory, or in `/tmp` where the path would be too long for it.
    ///
    /// Apps in the iOS simulator have a temporary directory of about 180 bytes.
    ///
    /// - Parameter socket: The name of the socket.
    /// - Throws: ``SystemError`` if the directory takes none.
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
    }

    deinit {
        remove()
    }

    /// Removes what killed processes left behind, once, where no folder is made: a run that needs none.
    public static func tidyUp() { _ = tidying }

    /// Removes folders that processes made which were killed, and ends what these had started for them.
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

    /// How many bytes the path of a file in such a folder has.
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
        Folder.removeTree(path, depth: Self.maximumDepth)
        EndingPaths.remove(path)
    }

    /// What a file in it holds.
    ///
    /// - Parameters:
    ///   - file: The path of the file below the folder.
    ///   - limit: Most bytes that are taken.
    /// - Returns: The bytes; `nil` if there is no such file or it is longer.
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

/// Sockets and folders that have to go when this process ends, by a signal or by itself.
///
/// A signal handler may touch only plain memory and call `unlink` and `rmdir`, hence a fixed table of zero-terminated
/// texts instead of a collection.
@safe
public enum EndingPaths {
    /// How many there can be at once; what is beyond stays behind, should a signal come.
    static let capacity = 256
    /// Bytes of the longest path, its zero included; a longer one stays behind.
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

    /// Notes the path of a socket or of a folder with nothing but noted sockets in it.
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

    /// Forgets a path, which is gone.
    static func remove(_ path: String) {
        table.withLock { table in
            for index in 0..<capacity where unsafe String(cString: table.memory + index * pathSize) == path {
                unsafe table.memory[index * pathSize] = 0
            }
        }
    }

    /// Lets what is noted go when this process ends by itself, where nobody closes it: a child of it that has not started
    /// another program leaves everything as it is.
    ///
    /// A second call does nothing.
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

    /// Removes what is noted; called in a signal handler.
    static func removeInHandler() {
        guard let memory = unsafe handlerMemory else { return }
        for index in 0..<capacity where unsafe memory[index * pathSize] != 0 {
            _ = unsafe unlink(memory + index * pathSize)
        }
        // What is left are folders, empty by now.
        for index in 0..<capacity where unsafe memory[index * pathSize] != 0 {
            _ = unsafe rmdir(memory + index * pathSize)
        }
    }
}

/// Folders of the file system.
public enum Folder {
    /// Names in a folder, sorted; `nil` for what is no folder that can be read.
    public static func names(in folder: String) -> [String]? {
        guard let stream = unsafe opendir(folder) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Removes a folder and what is in it; links are removed, not followed.
    static func removeTree(_ path: String, depth: Int) {
        for name in names(in: path) ?? [] {
            let entry = "\(path)/\(name)"
            if unsafe unlink(entry) != 0, depth > 0 { removeTree(entry, depth: depth - 1) }
        }
        _ = unsafe rmdir(path)
    }

    /// A path from the root on, for processes with other working directories.
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

/// A hold on a folder, which ends with this process at the latest: who gets one of a folder knows that nobody else has.
final class FolderHold: Sendable {
    private let descriptor: Descriptor

    /// Takes hold of a folder of this user; `nil` where another process has it, or there is no such folder.
    init?(_ path: String) {
        let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { return nil }
        descriptor = Descriptor(owning: number)
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_uid == geteuid() else { return nil }
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }
}

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

    /// All that can be read from an open file, at most a little more than is allowed; `nil` if reading fails.
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

/// Paths without symbolic links and dots.
package enum RealPath {
    /// The path of what is there, or `nil` if nothing is.
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

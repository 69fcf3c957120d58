#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A folder in the temporary directory that only this user may enter, for sockets and short-lived files.
///
/// The folder and its contents are removed with its last reference at the latest. If the process is killed before that, the
/// next process that creates such a folder removes it.
public final class PrivateDirectory: Sendable {
    /// The temporary directory if `TMPDIR` does not name one.
    private static let defaultParent = "/tmp"
    private static let maximumAttempts = 100
    /// Removes leftovers, once.
    private static let tidying: Void = {
        Leftovers.removeFolders(in: parent)
        if RealPath.of(parent) != RealPath.of(defaultParent) { Leftovers.removeFolders(in: defaultParent) }
    }()

    /// The path; short, since socket paths must be short.
    public var path: String { folder.path }
    private let folder: OwnFolder
    private let cleanup: Int
    private let isThere = Lock(true)
    private static let held = Lock<Set<String>>([])

    /// Creates a folder with mode 0700 and a unique name.
    ///
    /// - Throws: ``SystemError`` if the temporary directory cannot hold it.
    public convenience init() throws(SystemError) {
        try self.init(in: Self.parent)
    }

    /// Creates a folder for a socket: in the temporary directory, or in `/tmp` if the path would be too long for a socket.
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
        (folder, cleanup) = try EndingCleanups.making {
            () throws(SystemError) -> (made: OwnFolder, remove: @Sendable () -> Void) in
            let folder = try Self.make(in: parent)
            return (folder, { _ = folder.remove() })
        }
        let path = folder.path
        Self.held.withLock { _ = $0.insert(path) }
    }

    private static func make(in parent: String) throws(SystemError) -> OwnFolder {
        let action = "make a folder in \(parent), the temporary directory"
        do throws(SystemError) {
            let parent = try OpenFolder(at: parent)
            for _ in 0..<maximumAttempts {
                do throws(SystemError) {
                    return try OwnFolder(named: PrivateDirectoryName.random.text, in: parent, for: .temporary)
                } catch let error where error.errno == EEXIST || error.errno == ENOENT {
                    // The name is taken, or a process in another PID namespace removed the folder before it was locked.
                    continue
                }
            }
        } catch {
            throw SystemError(action, errno: error.errno)
        }
        throw SystemError(action, errno: EEXIST)
    }

    deinit {
        remove()
    }

    /// Returns `true` if this process has locked the folder for itself.
    static func isHeld(_ folder: String) -> Bool { held.withLock { $0.contains(folder) } }

    /// Removes the leftovers of killed processes, once, in a run that creates no folder.
    public static func tidyUp() { _ = tidying }

    public static var parent: String {
        guard let directory = ProcessEnvironment["TMPDIR"], directory.hasPrefix("/") else { return defaultParent }
        return directory.count > 1 && directory.hasSuffix("/") ? String(directory.dropLast()) : directory
    }

    /// Returns the length in bytes of the path of a file in such a folder.
    private static func pathLength(ofFile name: String) -> Int {
        "\(parent)/\(PrivateDirectoryName.random.text)/\(name)".utf8.count
    }

    /// Removes the folder and the files in it; a second call does nothing.
    public func remove() {
        let wasThere = isThere.withLock { isThere in
            defer { isThere = false }
            return isThere
        }
        guard wasThere else { return }
        Self.held.withLock { _ = $0.remove(path) }
        Leftovers.note(folder.remove(), of: folder)
        EndingCleanups.forget(cleanup)
    }

    /// Removes the files in the folder.
    ///
    /// - Returns: `true` if the folder is in its original state; otherwise it has to be replaced.
    public func empty() -> Bool { folder.empty() }

    /// Returns the content of a file below the folder; `nil` if there is no such file or it is longer than the limit.
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

/// The name of a private folder: `tapsim-pNUMBER-sSTART-SUFFIX`, with the number and the start time of its creator.
///
/// A process can be killed after it has created the folder and before it has marked it, or between the removal of the mark and
/// of the folder. The name shows who left such a folder.
struct PrivateDirectoryName {
    private static let prefix = "tapsim"
    private static let suffixLength = 4
    private static let suffixLetters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

    /// A new name for a folder of this process.
    static var random: PrivateDirectoryName {
        let suffix = (0..<suffixLength).map { _ in suffixLetters.randomElement() ?? "0" }
        return PrivateDirectoryName(creator: .own, suffix: String(suffix))
    }

    let creator: ProcessIdentity
    let suffix: String

    init(creator: ProcessIdentity, suffix: String) {
        (self.creator, self.suffix) = (creator, suffix)
    }

    /// Parses a name; returns `nil` if it is anything else.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, let number = pid_t(parts[1].dropFirst()), let start = UInt64(parts[2].dropFirst()),
            parts[3].count == Self.suffixLength,
            parts[3].allSatisfy(Self.suffixLetters.contains)
        else { return nil }
        self.init(creator: ProcessIdentity(number: number, start: start), suffix: String(parts[3]))
        guard self.text == text else { return nil }
    }

    var text: String { "\(Self.prefix)-p\(creator.number)-s\(creator.start)-\(suffix)" }
}

/// Folders of the file system.
public enum Folder {
    /// Returns the names in a folder, sorted; `nil` if it cannot be read as a folder.
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

    /// Returns the absolute path, for processes with other working directories.
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

/// The bytes of files.
public enum FileContent {
    /// Returns the content of a file; for a larger file at least a byte more than `limit`.
    ///
    /// - Parameter isFollowing: A Boolean value that indicates whether the last part of the path may be a symbolic link.
    /// - Throws: ``SystemError`` if the file cannot be read.
    public static func bytes(
        of path: String, upTo limit: Int, isFollowing: Bool = true
    ) throws(SystemError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | (isFollowing ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw SystemError("read \(path)") }
        defer { _ = close(descriptor) }
        guard let bytes = bytes(from: descriptor, upTo: limit) else { throw SystemError("read \(path)") }
        return bytes
    }

    /// Returns the rest of an open file, at most a little more than `limit`; `nil` if reading fails.
    public static func bytes(from descriptor: Int32, upTo limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit, 1 << 16) + 1)
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

    /// Appends bytes to a file, which is created if missing; the bytes of one call stay together.
    ///
    /// - Throws: ``SystemError`` if the file cannot be written.
    public static func append(_ bytes: [UInt8], to path: String) throws(SystemError) {
        // A pipe without a reader is an error, not something to wait for.
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemError("write \(path)") }
        defer { _ = close(descriptor) }
        if WholeOutput.send(bytes, to: descriptor) != nil { throw SystemError("write \(path)") }
    }

    /// Returns `true` if a path leads to a regular file: reading a pipe found in a folder would never end.
    public static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}

/// Paths without symbolic links and dots.
package enum RealPath {
    /// Returns `nil` if nothing exists at the path.
    package static func of(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Returns the target of a symbolic link; `nil` if there is no link at the path.
    package static func target(ofLink path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = unsafe readlink(path, &target, target.count)
        guard length >= 0 else { return nil }
        return String(decoding: target.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns `true` if a real path lies below a real folder.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        path.hasPrefix(folder == "/" ? folder : "\(folder)/")
    }
}

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
    private static let usualParent = "/tmp"
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
        try self.init(in: fits ? Self.parent : Self.usualParent)
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
        guard let directory = ProcessEnvironment["TMPDIR"], directory.hasPrefix("/") else { return usualParent }
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
    /// - Returns: The bytes; nothing if there is no such file or it is longer.
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

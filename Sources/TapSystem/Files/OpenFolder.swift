#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An open folder, whose entries are reached by name through its descriptor, so that no symbolic link leads out of it.
package struct OpenFolder: Sendable {
    /// The path that users know, for messages and for programs that need a path.
    package let path: String
    let descriptor: Descriptor
    /// The flag `O_PATH`, which Swift does not see.
    ///
    /// Source: Linux, include/uapi/asm-generic/fcntl.h.
    private static let pathOnly: Int32 = 0o10_000_000

    /// Opens a folder.
    ///
    /// - Parameters:
    /// - name: The path that users know. Default: the path itself.
    ///   - isFollowing: A Boolean value that indicates whether the last part of the path may be a symbolic link.
    /// - Throws: ``SystemError`` if there is no such folder or this user may not use it.
    package init(at path: String, named name: String? = nil, isFollowing: Bool = true) throws(SystemError) {
        let flags = O_DIRECTORY | O_CLOEXEC | (isFollowing ? 0 : O_NOFOLLOW)
        var number = unsafe open(path, O_RDONLY | flags)
        #if os(Linux)
            // A temporary directory may let users create entries without listing them.
            if number < 0, SystemError.currentErrno() == EACCES { number = unsafe open(path, Self.pathOnly | flags) }
        #endif
        guard number >= 0 else { throw SystemError("open the folder \(path)") }
        self.init(name ?? path, number)
    }

    private init(_ path: String, _ number: Int32) {
        self.path = path
        descriptor = Descriptor(owning: number)
    }

    private func path(of name: String) -> String { path == "." ? name : "\(path)/\(name)" }

    /// Opens a folder in this one; a symbolic link is an error.
    package func folder(_ name: String) throws(SystemError) -> OpenFolder {
        let number = unsafe openat(descriptor.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw SystemError("open the folder \(path(of: name))") }
        return OpenFolder(path(of: name), number)
    }

    /// Creates a folder in this one, or opens the existing folder.
    package func makingFolder(_ name: String) throws(SystemError) -> OpenFolder {
        guard unsafe mkdirat(descriptor.number, name, 0o755) == 0 || SystemError.currentErrno() == EEXIST else {
            throw SystemError("make the folder \(path(of: name))")
        }
        return try folder(name)
    }

    /// Writes a new file in this folder.
    ///
    /// An entry with the same name is removed first, so that nothing is written through a link, a hard link or a pipe that
    /// somebody else put there.
    ///
    /// - Parameter isNew: A Boolean value that indicates whether an existing entry is an error instead.
    package func write(
        _ bytes: [UInt8], to name: String, mode: mode_t = 0o644, isNew: Bool = false
    ) throws(SystemError) {
        if !isNew { removeFile(name) }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = unsafe openat(descriptor.number, name, flags, mode)
        guard number >= 0 else { throw SystemError("write \(path(of: name))") }
        defer { _ = close(number) }
        if let error = WholeOutput.send(bytes, to: number) {
            throw SystemError("write \(path(of: name))", errno: error.errno)
        }
    }

    package func makeLink(_ name: String, to target: String) throws(SystemError) {
        guard unsafe symlinkat(target, descriptor.number, name) == 0 else {
            throw SystemError("make the link \(path(of: name))")
        }
    }

    /// Returns the content of a regular file in this folder, and its status; `nil` if it is something else or longer than the
    /// limit.
    func contents(of name: String, upTo limit: Int) -> (bytes: [UInt8], status: stat)? {
        let number = unsafe openat(descriptor.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return nil }
        defer { _ = close(number) }
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let bytes = FileContent.bytes(from: number, upTo: limit), bytes.count <= limit
        else { return nil }
        return (bytes, status)
    }

    /// Removes a file or a link in this folder.
    @discardableResult
    func removeFile(_ name: String) -> Bool { unsafe unlinkat(descriptor.number, name, 0) == 0 }

    /// Removes an entry of this folder, with its contents if it is a folder.
    @discardableResult
    package func removeTree(_ name: String) -> FolderRemoval {
        var removal = TreeRemoval(below: self)
        removal.remove(Array(name.utf8CString), in: descriptor.number, at: path, depth: 0)
        return removal.result
    }

    var status: stat? {
        var status = stat()
        return unsafe fstat(descriptor.number, &status) == 0 ? status : nil
    }

    /// Returns the number of the mount that the descriptor belongs to; `nil` if the system does not report it.
    ///
    /// A bind mount has the device of its source, so the device alone does not reveal it. Source: proc(5), /proc/PID/fdinfo/FD.
    static func mount(of number: Int32) -> Int? {
        guard let bytes = try? FileContent.bytes(of: "/proc/self/fdinfo/\(number)", upTo: 4096) else { return nil }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("mnt_id:") }
        return line.flatMap { Int($0.dropFirst("mnt_id:".count).drop { $0 == "\t" || $0 == " " }) }
    }

    /// Returns the names of an open folder's entries, as the system stores them; `nil` if the folder cannot be read.
    static func entries(of number: Int32, upTo limit: Int) -> [[CChar]]? {
        // A separate descriptor: reading moves the position of the given one.
        let own = unsafe openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { return nil }
        guard let stream = unsafe fdopendir(own) else {
            _ = close(own)
            return nil
        }
        defer { unsafe closedir(stream) }
        var names: [[CChar]] = []
        while names.count < limit, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                let text = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self)
                return unsafe Array(UnsafeBufferPointer(start: text, count: strlen(text) + 1))
            }
            if name != dot && name != dots { names.append(name) }
        }
        return names
    }

    private static let dot = Array(".".utf8CString)
    private static let dots = Array("..".utf8CString)
}

package enum FolderRemoval: Hashable, Sendable {
    case removed
    /// Part of the folder still exists, with the reason, and whether something is mounted there.
    case left(String, isMounted: Bool = false)
}

/// Removes the contents of a folder that TapSim has created, and nothing else.
///
/// Each step opens one name in an open folder and follows no link. Other file systems and mounts stay, as does everything
/// deeper than the limit.
struct TreeRemoval {
    static let maximumDepth = 32
    /// The maximum number of entries to remove; a browser's profile has some thousands.
    static let maximumEntries = 1_000_000

    private let device: dev_t?
    private let mount: Int?
    private var entryCount = 0
    private var obstacle: String?
    private var isMounted = false
    /// A Boolean value that indicates whether somebody put something into a folder that had been emptied.
    private(set) var isDisturbed = false

    init(below folder: OpenFolder) {
        device = folder.status?.st_dev
        mount = OpenFolder.mount(of: folder.descriptor.number)
    }

    var result: FolderRemoval { obstacle.map { .left($0, isMounted: isMounted) } ?? .removed }

    /// Removes the entries of an open folder.
    ///
    /// - Parameter kept: The name of an entry that stays.
    mutating func empty(_ folder: Int32, at path: String, depth: Int = 0, keeping kept: String? = nil) {
        let limit = Self.maximumEntries - entryCount
        guard let names = OpenFolder.entries(of: folder, upTo: limit + 1) else { return fail("read", path) }
        guard names.count <= limit else { return stop("it contains more than \(Self.maximumEntries) entries") }
        entryCount += names.count
        let kept = kept.map { Array($0.utf8CString) }
        for name in names where name != kept { remove(name, in: folder, at: path, depth: depth) }
    }

    mutating func remove(_ name: [CChar], in folder: Int32, at path: String, depth: Int) {
        let path = "\(path)/\(String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))"
        var status = stat()
        guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return fail("look at", path) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            if unsafe unlinkat(folder, name, 0) != 0 { fail("remove", path) }
            return
        }
        guard depth < Self.maximumDepth else { return stop("\(path) is deeper than \(Self.maximumDepth) folders") }
        let number = unsafe openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { return fail("open", path) }
        defer { _ = close(number) }
        guard unsafe fstat(number, &status) == 0, status.st_dev == device, OpenFolder.mount(of: number) == mount else {
            return stop("\(path) is on another file system", isMounted: true)
        }
        // Entries of a folder without write permission cannot be removed.
        if status.st_mode & 0o300 != 0o300, status.st_uid == geteuid() { _ = fchmod(number, 0o700) }
        empty(number, at: path, depth: depth + 1)
        if unsafe unlinkat(folder, name, AT_REMOVEDIR) != 0 { fail("remove", path) }
    }

    /// Records the first obstacle; an entry that somebody else has just removed does not count.
    private mutating func fail(_ action: String, _ path: String) {
        let error = SystemError("\(action) \(path)")
        guard error.errno != ENOENT else { return }
        if obstacle == nil { isDisturbed = [ENOTEMPTY, EEXIST].contains(error.errno) }
        // A file that is a mount point is busy.
        stop("\(error)", isMounted: error.errno == EBUSY)
    }

    private mutating func stop(_ reason: String, isMounted: Bool = false) {
        guard obstacle == nil else { return }
        (obstacle, self.isMounted) = (reason, isMounted)
    }
}

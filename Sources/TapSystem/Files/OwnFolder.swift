#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A folder that TapSim has created, and may therefore remove.
///
/// The folder has mode 0700, its creator holds a lock on it, and it contains a mark that names the folder's own device and
/// inode. A folder left behind by a killed process is recognised by all of these; if any of them differs, TapSim leaves the
/// folder alone. A copy or an unpacked archive has another inode, so its mark proves nothing. Without a mark, TapSim removes only
/// an empty folder whose name states an ended creator.
package final class OwnFolder: Sendable {
    /// The purpose of a folder, which decides who removes it.
    package enum Kind: String, Sendable {
        /// Sockets and short-lived files in the temporary directory.
        case temporary
        /// A run or campaign that is kept.
        case run
    }

    package static let markName = ".tapsim-folder"
    private static let maximumMark = 1024
    /// The number of attempts to empty a folder while another process writes into it, and the pause between attempts.
    private static let rounds = 50
    private static let pause = Duration.milliseconds(2)

    package var path: String { folder.path }
    package let folder: OpenFolder
    private let parent: OpenFolder
    private let name: String
    private let mark: FolderMark

    /// Creates a folder, locks it and marks it.
    ///
    /// - Throws: ``SystemError`` if the parent cannot hold it; its `errno` is `EEXIST` if the name is taken.
    package init(named name: String, in parent: OpenFolder, for kind: Kind) throws(SystemError) {
        guard unsafe mkdirat(parent.descriptor.number, name, 0o700) == 0 else {
            throw SystemError("make a folder in \(parent.path)")
        }
        do throws(SystemError) {
            let folder = try parent.folder(name)
            guard fchmod(folder.descriptor.number, 0o700) == 0, let status = folder.status else {
                throw SystemError("set up the folder \(folder.path)")
            }
            Self.lock(folder)
            mark = FolderMark(kind, status, .own)
            try mark.write(into: folder)
            (self.folder, self.parent, self.name) = (folder, parent, name)
        } catch {
            parent.removeTree(name)
            throw error
        }
    }

    /// Takes over a folder left behind by an ended process of this user; returns `nil` without proof that it is such a folder.
    package init?(left name: String, in parent: OpenFolder, by kind: Kind) {
        guard let (folder, status) = Self.unlocked(name, in: parent),
            let (bytes, markStatus) = folder.contents(of: Self.markName, upTo: Self.maximumMark),
            markStatus.st_uid == geteuid(), markStatus.st_mode & 0o777 == 0o600,
            let mark = FolderMark(text: String(decoding: bytes, as: UTF8.self)),
            mark == FolderMark(kind, status, mark.creator), !mark.creator.isRunning
        else { return nil }
        (self.folder, self.parent, self.name, self.mark) = (folder, parent, name, mark)
    }

    /// Removes an empty folder whose creator ended before it had marked the folder, or after it had removed the mark.
    ///
    /// - Parameter name: A name that states an ended creator.
    static func removeUnmarked(_ name: String, in parent: OpenFolder) {
        guard let (folder, status) = unlocked(name, in: parent) else { return }
        // The creator may have ended between creating the mark and writing it.
        let onlyMark = [Array(markName.utf8CString)]
        if OpenFolder.entries(of: folder.descriptor.number, upTo: 2) == onlyMark,
            let mark = folder.contents(of: markName, upTo: 0), mark.status.st_uid == geteuid()
        {
            folder.removeFile(markName)
        }
        var found = stat()
        guard unsafe fstatat(parent.descriptor.number, name, &found, AT_SYMLINK_NOFOLLOW) == 0,
            found.st_ino == status.st_ino, found.st_dev == status.st_dev
        else { return }
        // Fails if the folder contains anything. The lock is held until then.
        withExtendedLifetime(folder) { _ = unsafe unlinkat(parent.descriptor.number, name, AT_REMOVEDIR) }
    }

    /// Locks a new folder, for which another process may just be checking the lock.
    ///
    /// If the file system has no locks, the mark still names the creator.
    private static func lock(_ folder: OpenFolder) {
        for _ in 0..<rounds {
            guard flock(folder.descriptor.number, LOCK_EX | LOCK_NB) != 0, SystemError.currentErrno() == EWOULDBLOCK
            else { return }
            BlockingThread.sleep(until: .now + pause)
        }
    }

    /// Opens and locks a folder that could be TapSim's; returns `nil` if it belongs to another user, has another mode or file
    /// system, or is locked.
    private static func unlocked(_ name: String, in parent: OpenFolder) -> (folder: OpenFolder, status: stat)? {
        guard let folder = try? parent.folder(name), let status = folder.status, status.st_uid == geteuid(),
            status.st_mode & 0o777 == 0o700,
            OpenFolder.mount(of: folder.descriptor.number) == OpenFolder.mount(of: parent.descriptor.number),
            flock(folder.descriptor.number, LOCK_EX | LOCK_NB) == 0
        else { return nil }
        return (folder, status)
    }

    /// Removes the folder and its contents, the mark last, so that a later run can try again.
    package func remove() -> FolderRemoval {
        let number = folder.descriptor.number
        var result = FolderRemoval.removed
        for round in 0..<Self.rounds {
            if round > 0 { BlockingThread.sleep(until: .now + Self.pause) }
            // Another folder may be at the path by now.
            guard isInPlace else { return .removed }
            var removal = TreeRemoval(below: folder)
            removal.empty(number, at: path, keeping: Self.markName)
            result = removal.result
            if removal.isDisturbed { continue }
            guard result == .removed else { break }
            folder.removeFile(Self.markName)
            if unsafe unlinkat(parent.descriptor.number, name, AT_REMOVEDIR) == 0 { return .removed }
            let error = SystemError("remove \(path)")
            guard error.errno != ENOENT else { return .removed }
            result = .left("\(error)")
            guard error.errno == ENOTEMPTY || error.errno == EEXIST else { break }
        }
        try? mark.write(into: folder)
        return result
    }

    /// Removes the contents of the folder.
    ///
    /// - Returns: `true` if the folder is in its original state.
    func empty() -> Bool {
        let number = folder.descriptor.number
        guard isInPlace, fchmod(number, 0o700) == 0 else { return false }
        let onlyMark = [Array(Self.markName.utf8CString)]
        if OpenFolder.entries(of: number, upTo: 2) == onlyMark { return true }
        var removal = TreeRemoval(below: folder)
        removal.empty(number, at: path, keeping: Self.markName)
        return OpenFolder.entries(of: number, upTo: 2) == onlyMark
    }

    /// A Boolean value that indicates whether the name still leads to this folder.
    private var isInPlace: Bool {
        var status = stat()
        guard unsafe fstatat(parent.descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
        return mark.names(status)
    }
}

/// The proof that TapSim has created a folder, as text in a file of that folder.
struct FolderMark: Hashable {
    private static let head = "TapSim made this folder and removes it. Format 1."

    private let kind: String
    private let device: UInt64
    private let inode: UInt64
    let creator: ProcessIdentity

    init(_ kind: OwnFolder.Kind, _ status: stat, _ creator: ProcessIdentity) {
        self.kind = kind.rawValue
        (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
        self.creator = creator
    }

    /// Parses a mark; returns `nil` if the text is anything else.
    init?(text: String) {
        let lines = text.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
        guard lines.count == 5, lines.allSatisfy({ $0.count == 2 }) else { return nil }
        let values = lines.map { String($0[1]) }
        guard let device = UInt64(values[1]), let inode = UInt64(values[2]), let number = pid_t(values[3]),
            let start = UInt64(values[4])
        else { return nil }
        kind = values[0]
        (self.device, self.inode) = (device, inode)
        creator = ProcessIdentity(number: number, start: start)
        guard self.text == text else { return nil }
    }

    var text: String {
        """
        \(Self.head)
        kind \(kind)
        device \(device)
        inode \(inode)
        process \(creator.number)
        start \(creator.start)

        """
    }

    func names(_ status: stat) -> Bool {
        device == UInt64(truncatingIfNeeded: status.st_dev) && inode == UInt64(status.st_ino)
    }

    func write(into folder: OpenFolder) throws(SystemError) {
        try folder.write(Array(text.utf8), to: OwnFolder.markName, mode: 0o600, isNew: true)
    }
}

/// A process, distinguished from a later one with the same number by its start time.
struct ProcessIdentity: Hashable {
    let number: pid_t
    /// The start time in ticks since the system started; 0 if the system does not report it.
    let start: UInt64

    static var own: ProcessIdentity {
        ProcessIdentity(number: getpid(), start: ProcessEntry(at: "/proc/self")?.start ?? 0)
    }

    /// A Boolean value that indicates whether the process may still run.
    var isRunning: Bool {
        guard let entry = ProcessEntry(at: "/proc/\(number)") else {
            return ProcessEntry(at: "/proc/self") == nil && kill(number, 0) == 0
        }
        return entry.start == start && !"ZX".utf8.contains(entry.state)
    }
}

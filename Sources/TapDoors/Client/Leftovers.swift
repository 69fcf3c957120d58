#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif
#if os(Linux)
    import CEpoll
#endif

/// What clients and runs leave behind: processes that have left their group, folders of a run that was killed.
///
/// Processes are told by the folder of their run, which is in the environment they began with, and, where this process
/// adopts orphans, by being its children. Only Linux shows either.
public enum Leftovers {
    /// The variable that holds the folder of a run.
    public static let variable = "TAPSIM_RUN_DIR"
    /// How often processes are looked for: one that is ended may just have started another.
    private static let rounds = 20

    private struct Found {
        var adoptsOrphans = false
        var processes: [String: Int] = [:]
        var folders = 0
    }

    private static let found = Lock(Found())

    /// Makes this process the parent of all below it that lose their own: for a program whose only children are clients.
    public static func adoptOrphans() {
        #if os(Linux)
            found.withLock { $0.adoptsOrphans = adopt_orphans() == 0 }
        #endif
    }

    /// What was ended and removed so far, sentences without their stop; none where nothing was left behind.
    public static var sentences: [String] {
        let (processes, folders) = found.withLock { ($0.processes, $0.folders) }
        let names = processes.sorted { $0.key < $1.key }.map {
            $0.value == 1 ? $0.key : "\($0.key) (\($0.value) times)"
        }
        let ended = names.isEmpty ? [] : ["ended what clients left running: \(names.joined(separator: ", "))"]
        return ended + (folders == 0 ? [] : ["removed what a killed run left behind"])
    }

    /// Ends the processes that a client has left behind.
    ///
    /// - Parameter folder: The folder of its run, if it has one.
    static func endProcesses(ofRun folder: String?) {
        var ended: Set<Int32> = []
        for _ in 0..<rounds {
            let entries = ProcessEntry.all
            let adopts = found.withLock { $0.adoptsOrphans } && ProcessGroups.isEmpty
            let left = entries.filter { entry in
                guard entry.number != getpid() else { return false }
                return adopts && entry.parent == getpid() || folder.map { entry.isOfRun($0) } ?? false
            }
            guard !left.isEmpty else { return }
            // One that was ended may be seen once more while it dies.
            for entry in left { end(entry, isNew: ended.insert(entry.number).inserted) }
        }
    }

    private static func end(_ entry: ProcessEntry, isNew: Bool) {
        if entry.state != UInt8(ascii: "Z"), kill(entry.number, SIGKILL) == 0, isNew {
            found.withLock { $0.processes[entry.name, default: 0] += 1 }
        }
        if entry.parent == getpid() { _ = waitpid(entry.number, nil, 0) }
    }

    /// Removes the folders that processes of this user made and did not live to remove, and ends what ran for them.
    static func removeFolders(in parent: String, named isOurs: (String) -> Bool) {
        for name in Folder.names(in: parent) ?? [] where isOurs(name) {
            let path = "\(parent)/\(name)"
            guard let held = FolderHold(path) else { continue }
            endProcesses(ofRun: path)
            Folder.removeTree(path, depth: PrivateDirectory.maximumDepth)
            found.withLock { $0.folders += 1 }
            withExtendedLifetime(held) {}
        }
    }
}

extension ProcessEntry {
    private static let maximumEnvironment = 1 << 21

    /// Whether it began with the folder of a run in its environment.
    fileprivate func isOfRun(_ folder: String) -> Bool {
        let file = "/proc/\(number)/environ"
        guard let bytes = try? FileContent.bytes(of: file, upTo: Self.maximumEnvironment) else { return false }
        let wanted = Array("\(Leftovers.variable)=\(folder)".utf8)
        return bytes.split(separator: 0).contains { $0.elementsEqual(wanted) }
    }
}

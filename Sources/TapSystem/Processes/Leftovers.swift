#if os(Linux)
    import CLinux
#endif
import TapWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The leftovers of clients and runs: processes that have left their group, and folders of a killed run.
///
/// A process belongs to a run if the folder of the run is in its initial environment, or, if this process adopts orphans, if it
/// is a child of this process. Only Linux reports either.
public enum Leftovers {
    /// The variable that contains the folder of a run.
    public static let variable = "TAPSIM_RUN_DIR"
    /// The number of searches for processes: a killed one may just have started another.
    private static let rounds = 20

    private struct Found {
        var adoptsOrphans = false
        var processes: [String: Int] = [:]
        var folders = 0
        var left: [Left] = []
    }

    /// A folder that could not be removed.
    typealias Left = (path: String, reason: String, isMounted: Bool)

    private static let found = Lock(Found())

    /// Makes this process the parent of orphaned descendants, for a program whose only children are clients.
    public static func adoptOrphans() {
        #if os(Linux)
            found.withLock { $0.adoptsOrphans = adopt_orphans() == 0 }
        #endif
    }

    /// A Boolean value that indicates whether a process is running whose parent, a client or a process of one, has ended; `false`
    /// if this process does not adopt orphans.
    package static var hasOrphans: Bool { hasOrphans { $0.state != UInt8(ascii: "Z") } }

    /// A Boolean value that indicates whether such a process wants a processor.
    package static var hasBusyOrphans: Bool { hasOrphans(where: \.isBusy) }

    private static func hasOrphans(where isMatch: (ProcessEntry) -> Bool) -> Bool {
        guard found.withLock({ $0.adoptsOrphans }) else { return false }
        return (ProcessEntry.adopted ?? []).contains {
            !ProcessGroups.holds($0) && ProcessEntry($0).map(isMatch) ?? false
        }
    }

    /// The processes ended and the folders removed so far, as sentences without a full stop.
    public static var sentences: [String] {
        let (processes, folders, left) = found.withLock { ($0.processes, $0.folders, $0.left) }
        let names = processes.sorted { $0.key < $1.key }.map {
            $0.value == 1 ? $0.key : "\($0.key) (\($0.value) times)"
        }
        let ended = names.isEmpty ? [] : ["ended processes that clients left running: \(names.joined(separator: ", "))"]
        let removed = folders == 0 ? [] : ["removed the temporary folders of a killed run"]
        return ended + removed + [sentence(of: left)].compactMap(\.self)
    }

    /// Returns the sentence for folders that could not be removed: the first folder, the reason, and the fix.
    static func sentence(of left: [Left]) -> String? {
        guard let first = left.first else { return nil }
        let others = left.count > 1 ? " and \(CountText.of(left.count - 1, "other folder"))" : ""
        let them = left.count > 1 ? "them" : "it"
        let advice = "\(first.isMounted ? "unmount it first, then " : "")remove \(them) by hand"
        return "could not remove \(first.path)\(others): \(first.reason); \(advice)"
    }

    /// Ends the processes that a client left behind.
    ///
    /// - Parameters:
    ///   - folder: The folder of the client's run, if it has one.
    ///   - isOurs: A Boolean value that indicates whether this process created the run, so that the run's orphans become its
    ///     children if it adopts orphans.
    static func endProcesses(ofRun folder: String?, isOurs: Bool = true) {
        var ended: Set<Int32> = []
        let adoptsOrphans = found.withLock { $0.adoptsOrphans }
        for _ in 0..<rounds {
            let numbers = (adoptsOrphans && isOurs ? ProcessEntry.adopted : nil) ?? ProcessEntry.numbers
            let entries = numbers.filter { $0 != getpid() && !ProcessGroups.holds($0) }.compactMap(ProcessEntry.init)
            let adopts = adoptsOrphans && ProcessGroups.isEmpty
            let left = entries.filter { entry in
                adopts && entry.parent == getpid() || folder.map { entry.isOfRun($0) } ?? false
            }
            guard !left.isEmpty else { return }
            // A killed process may appear once more while it dies.
            for entry in left { end(entry, isNew: ended.insert(entry.number).inserted) }
        }
    }

    private static func end(_ entry: ProcessEntry, isNew: Bool) {
        if entry.state != UInt8(ascii: "Z"), kill(entry.number, SIGKILL) == 0, isNew {
            found.withLock { $0.processes[entry.name, default: 0] += 1 }
        }
        if entry.parent == getpid() { _ = waitpid(entry.number, nil, 0) }
    }

    /// Removes the folders of killed processes of this user, and ends the processes started for them.
    static func removeFolders(in parent: String) {
        guard let folder = try? OpenFolder(at: parent) else { return }
        // The temporary directory may contain thousands of other names; only ours are sorted.
        // A running creator may be about to lock its folder.
        let isLeft = { (name: String) in PrivateDirectoryName(name).map { !$0.creator.isRunning } ?? false }
        for name in Folder.names(in: parent, where: isLeft) ?? [] {
            guard let left = OwnFolder(left: name, in: folder, by: .temporary) else {
                OwnFolder.removeUnmarked(name, in: folder)
                continue
            }
            endProcesses(ofRun: left.path, isOurs: false)
            let result = left.remove()
            note(result, of: left)
            if result == .removed { found.withLock { $0.folders += 1 } }
        }
    }

    /// Records a folder that could not be removed, for the end of the run.
    package static func note(_ result: FolderRemoval, of folder: OwnFolder) {
        guard case .left(let reason, let isMounted) = result else { return }
        found.withLock { $0.left.append((folder.path, reason, isMounted)) }
    }
}

extension ProcessEntry {
    private static let maximumEnvironment = 1 << 21

    /// Returns `true` if the folder of a run is in the process's initial environment.
    fileprivate func isOfRun(_ folder: String) -> Bool {
        let file = "/proc/\(number)/environ"
        guard let bytes = try? FileContent.bytes(of: file, upTo: Self.maximumEnvironment) else { return false }
        let wanted = Array("\(Leftovers.variable)=\(folder)".utf8)
        return bytes.split(separator: 0).contains { $0.elementsEqual(wanted) }
    }
}

/// The process groups of running clients, so that a signal that ends this process ends them too.
public enum ProcessGroups {
    private struct Groups {
        var starting = 0
        var running: Set<pid_t> = []
    }

    private static let groups = Lock(Groups())

    /// Starts a client and records its group; a signal, even from the client itself, cannot end this process in between.
    ///
    /// - Parameter spawn: Returns the process number of the client, or `nil` if it did not start.
    static func start(_ spawn: () -> pid_t?) {
        // The guardian must exist before the client, which may itself kill this process at once.
        let guardian = Guardian.shared
        startCopy {
            let process = spawn()
            if let process { guardian?.watch(process) }
            return process
        }
    }

    /// Starts a copy of a client and records its group, which ends with the client if this process dies of SIGKILL.
    ///
    /// - Parameter spawn: Returns the process number of the copy, or `nil` if it did not start.
    static func startCopy(_ spawn: () -> pid_t?) {
        groups.withLock { $0.starting += 1 }
        let process = spawn()
        groups.withLock { groups in
            groups.starting -= 1
            if let process { groups.running.insert(process) }
        }
    }

    /// The processes that lead the groups of running clients.
    static var leaders: Set<pid_t> { groups.withLock { $0.running } }

    /// A Boolean value that indicates whether no client runs or is about to start.
    static var isEmpty: Bool { groups.withLock { $0.starting == 0 && $0.running.isEmpty } }

    /// Returns `true` if a process is a client that was not removed yet, or the guardian of process groups.
    static func holds(_ process: pid_t) -> Bool {
        groups.withLock { $0.running.contains(process) } || guardian.withLock { $0 == process }
    }

    private static let guardian = Lock<pid_t?>(nil)

    /// Removes a group that was killed; its number may be reused after this.
    static func remove(_ process: pid_t) {
        Guardian.shared?.forget(process)
        removeCopy(process)
    }

    /// Removes the group of a copy that was killed; its number may be reused after this.
    static func removeCopy(_ process: pid_t) {
        groups.withLock { _ = $0.running.remove(process) }
    }

    /// Resets SIGCHLD to its default and unblocks all signals, whatever the parent of this process has chosen.
    ///
    /// If SIGCHLD is ignored, as after `trap '' CHLD`, the system discards exit statuses. Call this before other threads start,
    /// since they inherit the mask.
    public static func resetInheritedSignals() {
        signal(SIGCHLD, SIG_DFL)
        var blocked = sigset_t()
        unsafe sigemptyset(&blocked)
        unsafe pthread_sigmask(SIG_SETMASK, &blocked, nil)
    }

    /// Makes every signal that ends this process first remove sockets and private folders and kill the process groups of all
    /// clients.
    ///
    /// A signal that was ignored when this process started, as under `nohup`, stays ignored.
    public static func endWithThisProcess() {
        let isReady = EndingThread.start { number in
            // A stopped client puts nothing into a folder that is being removed, and its end is not noticed before ours.
            signalAll(SIGSTOP)
            EndingCleanups.run {
                signalAll(SIGKILL)
                EndingThread.end(by: number)
            }
        }
        guard isReady else { return }
        for number in endingSignals { signal(number) { number in ProcessGroups.end(by: number) } }
    }

    /// Performs the end described for ``endWithThisProcess()``; called in a handler.
    static func end(by number: Int32) { EndingThread.ask(number) }

    /// Waits for the end of this process if a signal has requested it, so that the process does not exit by itself first.
    public static func awaitEnd() { EndingThread.awaitEnd() }

    /// Sends a signal to all groups, once no client is about to start.
    private static func signalAll(_ number: Int32) {
        while true {
            let isDone = groups.withLock { groups in
                guard groups.starting == 0 else { return false }
                for group in groups.running { _ = kill(-group, number) }
                return true
            }
            if isDone { return }
            BlockingThread.sleep(until: .now + .milliseconds(1))
        }
    }

    /// The signals that would end this process now, except those for broken pipes and for the process's own errors.
    ///
    /// Computed before any of them gets a handler: a signal that was ignored when this process started stays ignored, and a
    /// signal used by a preloaded library, such as SIGPROF by a profiler, stays with the library.
    static let endingSignals: [Int32] = {
        var numbers = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF]
        numbers += [SIGXCPU, SIGXFSZ]
        #if os(Linux)
            numbers += [SIGIO, SIGPWR, SIGSTKFLT] + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())
        #endif
        return numbers.filter(isDefault)
    }()

    private static func isDefault(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = unsafe action.__sigaction_u.__sa_handler
        #else
            let handler = unsafe action.__sigaction_handler.sa_handler
        #endif
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_DFL, to: Int.self)
    }
}

extension ProcessGroups {
    /// A shell that kills the groups of clients if this process dies of SIGKILL.
    ///
    /// The shell reads lines from a pipe that breaks with this process. Linux has a signal for the death of a parent, but a
    /// program has to request it itself, and its children do not inherit it.
    private struct Guardian {
        /// `nil` without a shell; the next run then cleans up.
        static let shared = Guardian()

        private static let script = #"""
            exec >/dev/null 2>&1
            groups=' '
            while read -r sign group; do
                case $sign in
                    +) groups="$groups$group " ;;
                    -) groups="${groups%% "$group" *} ${groups#* "$group" }" ;;
                esac
            done
            for group in $groups; do
                # Copies of a client lead groups of their own, which it kills itself once they have ended.
                copies=
                read -r copies <"/proc/$group/task/$group/children"
                for copy in $copies; do kill -KILL "-$copy"; done
                kill -KILL "-$group"
            done
            """#

        private let lines: Descriptor

        private init?() {
            guard let (reading, writing) = try? Descriptor.makePipe() else { return nil }
            let command = ClientCommand(["/bin/sh", "-c", Self.script])
            let process = try? SpawnedChild.spawn(command, streams: [reading], isAlone: true) { _ = $0() }
            guard let process else { return nil }
            guardian.withLock { $0 = process }
            lines = writing
        }

        func watch(_ group: pid_t) { tell("+ \(group)") }

        func forget(_ group: pid_t) { tell("- \(group)") }

        private func tell(_ text: String) { _ = lines.send(Array("\(text)\n".utf8)[...]) }
    }
}

/// A process of this machine, as reported by `/proc`.
///
/// Source: proc(5), /proc/PID/stat: NUMBER (NAME) STATE PARENT GROUP SESSION …, where the name may contain anything; the start
/// time is field 22.
struct ProcessEntry: Hashable {
    private static let maximumLine = 4096
    /// The indices of the start time and of the used times, its own and those of its ended children, among the fields after
    /// the name.
    private static let (startField, timeFields) = (19, 11...14)
    /// The maximum length of a list of process numbers: enough for all processes that a machine can have.
    private static let maximumList = 1 << 25

    let number: Int32
    let name: String
    let state: UInt8
    let parent: Int32
    let group: Int32
    /// The start time, in ticks since the system started.
    let start: UInt64
    /// The time that it and its ended children have used, in ticks.
    let used: Int

    /// All processes; empty without `/proc`.
    static var all: [ProcessEntry] { numbers.compactMap(ProcessEntry.init) }

    /// The numbers of all processes; empty without `/proc`.
    static var numbers: [Int32] { (Folder.names(in: "/proc") ?? []).compactMap(Int32.init) }

    /// The numbers of the processes that this process has adopted, besides clients; `nil` if the system does not list them.
    ///
    /// The system gives orphans to the first thread, which lives as long as the process. Source: Linux, kernel/exit.c,
    /// find_new_reaper.
    static var adopted: [Int32]? {
        let file = "/proc/self/task/\(getpid())/children"
        guard let bytes = try? FileContent.bytes(of: file, upTo: maximumList) else { return nil }
        return bytes.split(separator: UInt8(ascii: " ")).compactMap { Int32(text($0)) }
    }

    /// A Boolean value that indicates whether a thread of the process wants a processor or waits for a disk.
    var isBusy: Bool {
        let threads = Folder.names(in: "/proc/\(number)/task") ?? []
        return threads.contains {
            ProcessEntry(at: "/proc/\(number)/task/\($0)")?.isAtWork ?? false
        }
    }

    /// A Boolean value that indicates whether the process or thread wants a processor or waits for a disk.
    var isAtWork: Bool { "RD".utf8.contains(state) }

    /// Reads the entry of a process; `nil` if it has ended.
    init?(_ number: Int32) { self.init(at: "/proc/\(number)") }

    /// Reads the entry of a process or a thread; `nil` if it has ended.
    init?(at folder: String) {
        guard let line = try? FileContent.bytes(of: "\(folder)/stat", upTo: Self.maximumLine),
            let open = line.firstIndex(of: UInt8(ascii: "(")), let close = line.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = line[(close + 1)...].split(separator: UInt8(ascii: " ")).prefix(Self.startField + 1)
            .map(Array.init)
        guard fields.count > Self.startField, let number = Int32(Self.text(line[..<open].dropLast())),
            let parent = Int32(Self.text(fields[1][...])), let group = Int32(Self.text(fields[2][...])), open < close,
            let start = UInt64(Self.text(fields[Self.startField][...]))
        else { return nil }
        self.number = number
        name = Self.text(line[(open + 1)..<close])
        state = fields[0][0]
        (self.parent, self.group, self.start) = (parent, group, start)
        used = fields[Self.timeFields].reduce(0) { $0 + (Int(Self.text($1[...])) ?? 0) }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

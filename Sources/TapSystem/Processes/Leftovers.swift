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

/// Leftovers of clients and runs: processes that have left their group, folders of a run that was killed.
///
/// A process belongs to a run if the folder of the run is in its initial environment, or, where this process adopts
/// orphans, if it is a child. Only Linux shows either.
public enum Leftovers {
    /// The variable that holds the folder of a run.
    public static let variable = "TAPSIM_RUN_DIR"
    /// How often processes are looked for: one that was killed may just have started another.
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

    /// What was ended and removed so far, as sentences without a full stop.
    public static var sentences: [String] {
        let (processes, folders, left) = found.withLock { ($0.processes, $0.folders, $0.left) }
        let names = processes.sorted { $0.key < $1.key }.map {
            $0.value == 1 ? $0.key : "\($0.key) (\($0.value) times)"
        }
        let ended = names.isEmpty ? [] : ["ended what clients left running: \(names.joined(separator: ", "))"]
        let removed = folders == 0 ? [] : ["removed what a killed run left behind"]
        return ended + removed + [sentence(of: left)].compactMap(\.self)
    }

    /// The sentence for folders that could not be removed: the first, why, and what to do.
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
    ///   - folder: The folder of its run, if it has one.
    ///   - isOurs: Whether this process has made the run, so that where it adopts orphans they are its children.
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
            // A killed process may be seen once more while it dies.
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
    static func removeFolders(in parent: String, named isOurs: (String) -> Bool) {
        guard let folder = try? OpenFolder(at: parent) else { return }
        // The temporary directory may hold thousands of other names; only ours are sorted.
        for name in Folder.names(in: parent, where: isOurs) ?? [] {
            guard let left = OwnFolder(left: name, in: folder, by: .temporary) else { continue }
            endProcesses(ofRun: left.path, isOurs: false)
            let result = left.remove()
            note(result, of: left)
            if result == .removed { found.withLock { $0.folders += 1 } }
        }
    }

    /// Notes a folder that could not be removed, for the end of the run.
    package static func note(_ result: FolderRemoval, of folder: OwnFolder) {
        guard case .left(let reason, let isMounted) = result else { return }
        found.withLock { $0.left.append((folder.path, reason, isMounted)) }
    }
}

extension ProcessEntry {
    private static let maximumEnvironment = 1 << 21

    /// Whether the folder of a run is in its initial environment.
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
        /// The number of clients that are about to start.
        var starting = 0
        var running: Set<pid_t> = []
    }

    private static let groups = Lock(Groups())

    /// Starts a client and notes its group; no signal, which the client itself may send, ends this process between the two.
    ///
    /// - Parameter spawn: Returns the process number of the client, or `nil` if it did not start.
    static func start(_ spawn: () -> pid_t?) {
        // There before the client, which may itself kill this process at once.
        let guardian = Guardian.shared
        startCopy {
            let process = spawn()
            if let process { guardian?.watch(process) }
            return process
        }
    }

    /// Starts a copy of a client and notes its group, which ends with the client where this process dies of SIGKILL.
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

    /// Whether no client runs or is about to.
    static var isEmpty: Bool { groups.withLock { $0.starting == 0 && $0.running.isEmpty } }

    /// Returns whether a process is a client that was not removed yet, or the guardian of process groups.
    static func holds(_ process: pid_t) -> Bool {
        groups.withLock { $0.running.contains(process) } || guardian.withLock { $0 == process }
    }

    private static let guardian = Lock<pid_t?>(nil)

    /// Forgets a group that was killed; its number may be used again after this.
    static func remove(_ process: pid_t) {
        Guardian.shared?.forget(process)
        removeCopy(process)
    }

    /// Forgets the group of a copy that was killed; its number may be used again after this.
    static func removeCopy(_ process: pid_t) {
        groups.withLock { _ = $0.running.remove(process) }
    }

    /// Gives SIGCHLD its default and blocks no signal, whatever the parent of this process has chosen.
    ///
    /// Where SIGCHLD is ignored, as after `trap '' CHLD`, the system forgets exit statuses. Call it before other threads
    /// start, since they inherit the mask.
    public static func resetInheritedSignals() {
        signal(SIGCHLD, SIG_DFL)
        var blocked = sigset_t()
        unsafe sigemptyset(&blocked)
        unsafe pthread_sigmask(SIG_SETMASK, &blocked, nil)
    }

    /// Makes every signal that ends this process remove sockets and private folders and kill the process groups of all
    /// clients first.
    ///
    /// A signal that was ignored when this process started, as under `nohup`, stays ignored.
    public static func endWithThisProcess() {
        let isReady = EndingThread.start { number in
            // A stopped client puts nothing into a folder that is being removed, and its end is not seen before ours.
            signalAll(SIGSTOP)
            EndingCleanups.run {
                signalAll(SIGKILL)
                EndingThread.end(by: number)
            }
        }
        guard isReady else { return }
        for number in endingSignals { signal(number) { number in ProcessGroups.end(by: number) } }
    }

    /// Does what ``endWithThisProcess()`` says; called in a handler.
    static func end(by number: Int32) { EndingThread.ask(number) }

    /// Waits for the end of this process if a signal has asked for it, so that it does not exit by itself first.
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

    /// The signals that would end this process now, but for those of a broken pipe and of a mistake of its own.
    ///
    /// Found before one of them gets a handler: one that was ignored when this process started stays ignored, and one that
    /// a preloaded library has taken, such as SIGPROF for a profiler, stays with it.
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
    /// A shell that kills the groups of clients when this process dies of SIGKILL.
    ///
    /// It reads lines from a pipe that breaks with this process. Linux has a signal for the death of a parent, but a
    /// program has to ask for it itself, and its children do not inherit it.
    private struct Guardian {
        /// `nil` without a shell; then the next run cleans up.
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

/// A process of this machine, as `/proc` shows it.
///
/// Source: proc(5), /proc/PID/stat: NUMBER (NAME) STATE PARENT GROUP SESSION …, where the name may hold anything; the start
/// time is field 22.
struct ProcessEntry: Hashable {
    private static let maximumLine = 4096
    /// The place of the start time among the fields that follow the name.
    private static let startField = 19
    /// As long as the numbers of all processes that a machine can have.
    private static let maximumList = 1 << 25

    let number: Int32
    let name: String
    let state: UInt8
    let parent: Int32
    let group: Int32
    /// When it started, in ticks since the system did.
    let start: UInt64

    /// All processes; empty without `/proc`.
    static var all: [ProcessEntry] { numbers.compactMap(ProcessEntry.init) }

    /// The numbers of all processes; empty without `/proc`.
    static var numbers: [Int32] { (Folder.names(in: "/proc") ?? []).compactMap(Int32.init) }

    /// The numbers of the processes that this process has adopted, beside clients; `nil` where the system does not list
    /// them.
    ///
    /// The system gives orphans to the first thread, which lives as long as the process. Source: Linux, kernel/exit.c,
    /// find_new_reaper.
    static var adopted: [Int32]? {
        let file = "/proc/self/task/\(getpid())/children"
        guard let bytes = try? FileContent.bytes(of: file, upTo: maximumList) else { return nil }
        return bytes.split(separator: UInt8(ascii: " ")).compactMap { Int32(text($0)) }
    }

    /// Whether a thread of it wants a processor or waits for a disk.
    var isBusy: Bool {
        let threads = Folder.names(in: "/proc/\(number)/task") ?? []
        return threads.contains {
            ProcessEntry(at: "/proc/\(number)/task/\($0)")?.isAtWork ?? false
        }
    }

    /// Whether it wants a processor or waits for a disk.
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
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

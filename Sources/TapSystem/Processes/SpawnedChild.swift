#if os(Linux)
    import CLinux
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Our ends of a client's standard streams; `nil` once closed.
struct ClientStreams {
    var input: Descriptor?
    var output: Descriptor?
    var error: Descriptor?
}

/// A running client, which leads a process group.
protocol ClientChild: Sendable {
    var process: pid_t { get }
    /// Becomes readable when the client has ended.
    var exited: Descriptor { get }
    var hasEnded: Bool { get }

    /// Collects the exit status of the client, which has ended and whose group was killed.
    ///
    /// - Returns: `nil` if the system does not report it, for example because this process ignores SIGCHLD.
    func reap() -> ClientOutcome.End?
}

enum EndingSignal {
    case terminate
    case kill
}

extension ClientChild {
    func signalGroup(_ signal: EndingSignal) {
        _ = kill(-process, signal == .terminate ? SIGTERM : SIGKILL)
    }

    var hasEnded: Bool { Readiness.wait(for: [(exited, .reading)], timeout: .zero)[0] }

    /// A Boolean value that indicates whether a process of the group wants a processor; `false` if the system does not report
    /// it.
    var isBusy: Bool { ProcessEntry.all.contains { $0.group == process && $0.isBusy } }
}

extension ClientOutcome.End {
    /// - Parameter status: The status returned by wait(2).
    init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
    }
}

/// A client that this process has started.
final class SpawnedChild: ClientChild {
    /// Held while pipes are created and a client is started, so that no client inherits another client's pipes.
    private static let starting = Lock(())

    let process: pid_t
    private let waiter: BlockingThread
    let exited: Descriptor

    /// Starts a client in its own process group.
    ///
    /// - Parameter line: The client's descriptor 3.
    static func start(
        _ command: ClientCommand, line: Descriptor? = nil
    ) throws(ClientStartError) -> (child: SpawnedChild, streams: ClientStreams) {
        try withStreams { (streams, ends) throws(ClientStartError) in
            let process = try spawn(command, streams: ends + [line].compactMap(\.self), ProcessGroups.start)
            return (try SpawnedChild(process: process), streams)
        }
    }

    /// Creates the standard streams of a client, and starts the client with their other ends, which are closed afterwards.
    static func withStreams<Started>(
        _ start: (ClientStreams, _ ends: [Descriptor]) throws(ClientStartError) -> Started
    ) throws(ClientStartError) -> Started {
        // A client may leave its input unread; our write must then fail, not end this process.
        signal(SIGPIPE, SIG_IGN)
        return try starting.withLock { (_) throws(ClientStartError) in
            let (inputReading, input) = try makePipe()
            let (output, outputWriting) = try makePipe()
            let (error, errorWriting) = try makePipe()
            for end in [input, output, error] { end.setNonBlocking() }
            return try start(
                ClientStreams(input: input, output: output, error: error), [inputReading, outputWriting, errorWriting])
        }
    }

    private init(process: pid_t) throws(ClientStartError) {
        self.process = process
        do {
            let (reading, writing) = try Descriptor.makePipe()
            exited = reading
            waiter = try BlockingThread {
                Self.awaitEnd(of: process)
                _ = writing.send([0])
            }
        } catch {
            _ = kill(-process, SIGKILL)
            ProcessGroups.remove(process)
            _ = waitpid(process, nil, 0)
            throw ClientStartError(error)
        }
    }

    /// Returns `true` if clients are ended with this signal.
    static func isOurs(_ number: Int32) -> Bool { number == SIGTERM || number == SIGKILL }

    /// Asks the system, since the waiting thread may not have run yet.
    var hasEnded: Bool {
        var information = unsafe siginfo_t()
        let flags = WEXITED | WNOWAIT | WNOHANG
        return unsafe waitid(P_PID, id_t(process), &information, flags) == 0 && information.si_signo == SIGCHLD
    }

    func reap() -> ClientOutcome.End? {
        waiter.join()
        // The number may be reused for another group after this.
        ProcessGroups.remove(process)
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard SystemError.currentErrno() == EINTR else { return nil }
        }
        return ClientOutcome.End(status: status)
    }
}

extension SpawnedChild {
    private static func makePipe() throws(ClientStartError) -> (reading: Descriptor, writing: Descriptor) {
        do { return try Descriptor.makePipe() } catch { throw ClientStartError(error) }
    }

    /// Waits without collecting the exit status: the client stays a zombie, so the number of its group is not reused.
    private static func awaitEnd(of process: pid_t) {
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0 {
            guard SystemError.currentErrno() == EINTR else { return }
        }
    }

    /// The number of attempts to start a program that somebody is writing, and the pause between them.
    ///
    /// A program that was written a moment ago may still be open in a process that is just starting another program.
    private static let busyAttempts = 50
    private static let busyPause = Duration.milliseconds(10)

    /// - Parameters:
    ///   - streams: The client's descriptors from 0 on.
    ///   - isAlone: A Boolean value that indicates whether the client inherits no other descriptors. For programs that may
    ///     outlive a run: Foundation's `Process` waits as long as anybody has the descriptors it gave its own child.
    ///   - start: Calls its argument, which returns the number of the process, or `nil` if it did not start.
    static func spawn(
        _ command: ClientCommand, streams: [Descriptor], isAlone: Bool = false, _ start: (() -> pid_t?) -> Void
    ) throws(ClientStartError) -> pid_t {
        guard let program = command.arguments.first, !program.isEmpty else {
            throw ClientStartError(.notFound, "no client given; write its command after `--`")
        }
        var actions = unsafe FileActions()
        var attributes = SpawnAttributes()
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe prepare(&actions, &attributes, streams, isAlone)
        let surroundings = command.surroundings
        if let folder = surroundings.folder.path {
            #if os(Linux)
                _ = unsafe begin_in_folder(&actions, folder)
            #elseif os(macOS)
                unsafe posix_spawn_file_actions_addchdir_np(&actions, folder)
            #endif
        }
        // The system searches the PATH of this process, and may look for a relative path in this process's folder.
        let file = surroundings == Surroundings() ? program : surroundings.program(program) ?? program
        var process: pid_t = 0
        let status = unsafe withCStrings(command.arguments) { arguments in
            unsafe withCStrings(environment(adding: command.variables)) { environment in
                var status: Int32 = 0
                start {
                    for _ in 0..<busyAttempts {
                        status = unsafe posix_spawnp(&process, file, &actions, &attributes, arguments, environment)
                        guard status == ETXTBSY else { break }
                        BlockingThread.sleep(until: .now + busyPause)
                    }
                    return status == 0 ? process : nil
                }
                return status
            }
        }
        guard status == 0 else { throw startError(program, status, in: surroundings.folder) }
        return process
    }

    #if canImport(Darwin)
        private typealias FileActions = posix_spawn_file_actions_t?
        private typealias SpawnAttributes = posix_spawnattr_t?
    #else
        private typealias FileActions = posix_spawn_file_actions_t
        private typealias SpawnAttributes = posix_spawnattr_t
    #endif

    private static func prepare(
        _ actions: inout FileActions, _ attributes: inout SpawnAttributes, _ streams: [Descriptor],
        _ isAlone: Bool
    ) {
        unsafe posix_spawn_file_actions_init(&actions)
        for (number, stream) in streams.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, stream.number, Int32(number))
        }
        unsafe posix_spawnattr_init(&attributes)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD] { unsafe sigaddset(&defaults, signal) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        // The client inherits the signal mask of the thread that starts it, and pool threads block signals that end the client.
        var blocked = sigset_t()
        unsafe sigemptyset(&blocked)
        unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
        var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        if isAlone {
            #if canImport(Darwin)
                flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
            #else
                // Linux has no such flag, and ignores numbers that are not open. Few programs have descriptors beyond these.
                for number in Int32(streams.count)..<1024 {
                    unsafe posix_spawn_file_actions_addclose(&actions, number)
                }
            #endif
        }
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    private static func startError(_ program: String, _ status: Int32, in folder: WorkingFolder) -> ClientStartError {
        let text = SystemError.text(status)
        return switch status {
        case ENOENT:
            notFound(program, in: folder)
        case EACCES where kind(of: folder.path(to: program)) == S_IFDIR:
            ClientStartError(.notExecutable, "`\(program)` is a folder; give the path of a program in it")
        case EACCES, ENOEXEC:
            ClientStartError(
                .notExecutable,
                "cannot run `\(program)`: \(text); make it executable (`chmod +x`), or run its interpreter")
        default: ClientStartError(.system, "cannot start `\(program)`: \(text)")
        }
    }

    private static func notFound(_ program: String, in folder: WorkingFolder) -> ClientStartError {
        guard program.contains("/") else {
            return ClientStartError(
                .notFound,
                "there is no program `\(program)` in PATH; check the spelling, or give its path with a slash")
        }
        guard kind(of: folder.path(to: program)) != nil else {
            return ClientStartError(.notFound, "there is no program `\(program)`; check the path")
        }
        // The file exists, so its interpreter, named by the file's first line or the program header, is missing.
        return ClientStartError(
            .notExecutable,
            "the interpreter of `\(program)` is missing; install it, or fix the first line of the script")
    }

    /// Returns the kind of file at a path; `nil` if there is none.
    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    private static func environment(adding variables: [String: String]) -> [String] {
        var merged = ProcessEnvironment.current.filter { variables[$0.name] == nil }
        for name in variables.keys.sorted() { merged.append((name, variables[name] ?? "")) }
        return merged.map { "\($0.name)=\($0.value)" }
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
        return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
            // The array contains at least the final `nil`, so there is a base address.
            unsafe body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }
}

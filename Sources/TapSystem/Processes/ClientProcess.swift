#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Runs a client to its end and cleans up after it.
///
/// The client leads its own process group. When the client ends or times out, the rest of its group is killed, and so are
/// processes that have left the group, as far as ``Leftovers`` finds them. Both output streams are read to their end, so a
/// client that floods them neither blocks nor fills the memory.
public struct ClientProcess {
    public enum Stream: Hashable, Sendable {
        case output
        case error
    }

    /// The time an output stream may stay open after the client has ended: only a process that left the group holds it.
    private static let drainTime = Duration.milliseconds(500)
    private static let chunk = 1 << 16

    private let child: any ClientChild
    private let limits: ClientLimits
    /// The folder of the client's run, which identifies processes that have left the client's group.
    private let folder: String?
    private let observer: ((Stream, [UInt8]) -> Void)?
    private let attendant: (any ClientAttendant)?
    private let bell: Bell?
    private let started = ContinuousClock.now
    private var streams: ClientStreams
    private var output: CapturedOutput
    private var error: CapturedOutput
    private var input: ArraySlice<UInt8>
    private var mayWriteMore = false

    /// Starts a client and waits for its end.
    ///
    /// - Parameters:
    ///   - observer: Called with output as it arrives.
    ///   - attendant: Looks after the client while it runs.
    ///   - bell: Asks the attendant for orders when rung.
    ///   - origin: The file or the fork server that starts the client.
    /// - Throws: ``ClientStartError`` if the client cannot be started, or the system does not report how it ended.
    public static func run(
        _ command: ClientCommand, limits: ClientLimits, observer: ((Stream, [UInt8]) -> Void)? = nil,
        attendant: (any ClientAttendant)? = nil, bell: Bell? = nil, from origin: ClientOrigin = .file
    ) throws(ClientStartError) -> ClientOutcome {
        let (child, streams) = try origin.start(command)
        var process = ClientProcess(
            child, streams, limits: limits, observer: observer, attendant: attendant, bell: bell, command)
        for (stream, bytes) in origin.written { process.note(bytes, from: stream) }
        guard let outcome = process.runToEnd() else { throw .unknownEnd(of: command) }
        return outcome
    }

    private init(
        _ child: any ClientChild, _ streams: ClientStreams, limits: ClientLimits,
        observer: ((Stream, [UInt8]) -> Void)?, attendant: (any ClientAttendant)?, bell: Bell?, _ command: ClientCommand
    ) {
        self.child = child
        self.streams = streams
        self.limits = limits
        self.observer = observer
        self.attendant = attendant
        self.bell = bell
        output = CapturedOutput(limit: limits.outputBytes)
        error = CapturedOutput(limit: limits.outputBytes)
        folder = command.environment[Leftovers.variable]
        input = command.input[...]
    }

    /// The reason why the pump stopped.
    private enum Pause {
        case ended
        case outOfTime
        case toEnd
    }

    /// - Returns: `nil` if the exit status is unknown.
    private mutating func runToEnd() -> ClientOutcome? {
        var pause = pump(until: limits.wall.map { started + $0 }, attendedBy: attendant)
        // If the client ended before it was asked to, its own end counts.
        if child.hasEnded { pause = .ended }
        if pause != .ended {
            mayWriteMore = false
            child.signalGroup(.terminate)
            if pump(until: ContinuousClock.now + limits.grace) != .ended {
                child.signalGroup(.kill)
                _ = pump(until: nil)
            }
        }
        attendant?.ended()
        let wall = ContinuousClock.now - started
        child.signalGroup(.kill)
        let end = child.reap()
        Leftovers.endProcesses(ofRun: folder)
        drain()
        guard let end else { return nil }
        return ClientOutcome(end: Self.end(end, after: pause), standardOutput: output, standardError: error, wall: wall)
    }

    /// Returns the outcome for an end after a pause; a signal that we did not send is a crash.
    private static func end(_ end: ClientOutcome.End, after pause: Pause) -> ClientOutcome.End {
        switch (pause, end) {
        case (.ended, _): end
        case (.outOfTime, .exit(let code)): .timeLimit(exit: code)
        case (.outOfTime, .signal(let number)) where !SpawnedChild.isOurs(number): .timeLimit(crash: number)
        case (.outOfTime, _): .timeLimit()
        case (.toEnd, .exit(let code)): .dismissed(exit: code)
        case (.toEnd, .signal(let number)) where !SpawnedChild.isOurs(number): end
        case (.toEnd, _): .dismissed(exit: nil)
        }
    }

    /// Moves input and output until the client has ended, the deadline has passed, or the attendant ends the client.
    private mutating func pump(
        until deadline: ContinuousClock.Instant?, attendedBy attendant: (any ClientAttendant)? = nil
    ) -> Pause {
        while true {
            let now = ContinuousClock.now
            var wake = deadline
            if let orders = attendant?.orders(at: now - started, isBusy: { child.isBusy }) {
                if orders.isToEnd { return .toEnd }
                input += orders.input
                mayWriteMore = orders.mayWriteMore
                if let again = orders.nextCheck { wake = min(started + again, deadline ?? started + again) }
            }
            closeInputIfDone()
            if let deadline, deadline <= now { return .outOfTime }
            let ready = Readiness.wait(
                for: [
                    (streams.output, .reading), (streams.error, .reading), (child.exited, .reading),
                    (input.isEmpty ? nil : streams.input, .writing), (attendant == nil ? nil : bell?.rung, .reading),
                ],
                timeout: wake.map { max(.zero, $0 - now) })
            if ready[0] { receive(.output) }
            if ready[1] { receive(.error) }
            if ready[3] { send() }
            if ready[4] { bell?.still() }
            if ready[2] { return .ended }
        }
    }

    /// Reads the rest of the streams after the end of the client.
    private mutating func drain() {
        let deadline = ContinuousClock.now + Self.drainTime
        while streams.output != nil || streams.error != nil {
            let remaining = deadline - ContinuousClock.now
            guard remaining > .zero else { return }
            let ready = Readiness.wait(
                for: [(streams.output, .reading), (streams.error, .reading)], timeout: remaining)
            if ready[0] { receive(.output) }
            if ready[1] { receive(.error) }
        }
    }

    private mutating func receive(_ stream: Stream) {
        guard let end = stream == .output ? streams.output : streams.error else { return }
        switch end.receive(upTo: Self.chunk) {
        case .nothingYet: break
        case .end:
            if stream == .output { streams.output = nil } else { streams.error = nil }
        case .bytes(let bytes): note(bytes, from: stream)
        }
    }

    private mutating func note(_ bytes: [UInt8], from stream: Stream) {
        if stream == .output { output.append(bytes) } else { error.append(bytes) }
        observer?(stream, bytes)
        attendant?.wrote(bytes, to: stream)
    }

    private mutating func send() {
        guard let end = streams.input else { return }
        if let taken = end.send(input.prefix(Self.chunk)) {
            input = input.dropFirst(taken)
        } else {
            input = []
        }
    }

    private mutating func closeInputIfDone() {
        guard input.isEmpty, !mayWriteMore, let end = streams.input else { return }
        end.shut()
        streams.input = nil
    }
}

public enum ClientOrigin: Sendable {
    case file
    /// A copy made by the server, with the addresses of its readers in the server's order.
    case server(ForkServer, addresses: [String])

    fileprivate func start(
        _ command: ClientCommand
    ) throws(ClientStartError) -> (child: any ClientChild, streams: ClientStreams) {
        #if os(Linux)
            if case .server(let server, let addresses) = self {
                return try server.startCopy(command, addresses: addresses)
            }
        #endif
        return try SpawnedChild.start(command)
    }

    fileprivate var written: [(stream: ClientProcess.Stream, bytes: [UInt8])] {
        if case .server(let server, _) = self { server.written } else { [] }
    }
}

/// A program under test and the way it is started.
public struct ClientCommand: Hashable, Sendable {
    /// The program and its arguments; a program without a slash is looked up in `PATH`.
    public var arguments: [String]
    /// The variables set for the client; they override those of its surroundings.
    public var environment: [String: String]
    /// The client's standard input.
    public var input: [UInt8]
    /// The client's working directory and the rest of its environment.
    public var surroundings: Surroundings

    public init(
        _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [],
        in surroundings: Surroundings = Surroundings()
    ) {
        self.arguments = arguments
        self.environment = environment
        self.input = input
        self.surroundings = surroundings
    }

    /// All variables in which the client's environment differs from this process's.
    var variables: [String: String] { surroundings.variables.merging(environment) { $1 } }
}

/// Bounds of a client's run.
public struct ClientLimits: Hashable, Sendable {
    /// The maximum time the client may run, by the clock; `nil` for no limit.
    public var wall: Duration?
    /// The time the client may take to end once it is asked to.
    public var grace: Duration
    /// The number of bytes kept of each output stream; the rest is read and counted.
    public var outputBytes: Int

    public init(wall: Duration? = .seconds(60), grace: Duration = .seconds(2), outputBytes: Int = 1 << 20) {
        self.wall = wall
        self.grace = grace
        self.outputBytes = outputBytes
    }
}

/// The result of a client's run.
public struct ClientOutcome: Hashable, Sendable {
    public enum End: Hashable, Sendable {
        case exit(Int32)
        case signal(Int32)
        /// The client reached its time limit and was asked to end; its exit code, or the signal that ended it if we did not
        /// send it.
        case timeLimit(exit: Int32? = nil, crash: Int32? = nil)
        /// The client's attendant ended it; its exit code if it ended without a signal.
        case dismissed(exit: Int32?)
    }

    public let end: End
    public let standardOutput: CapturedOutput
    public let standardError: CapturedOutput
    /// The client's running time, by the clock.
    public let wall: Duration
}

/// The output of a client to one stream, up to a bound.
public struct CapturedOutput: Hashable, Sendable {
    public private(set) var bytes: [UInt8] = []
    /// The number of bytes after those kept.
    public private(set) var droppedBytes = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func append(_ more: [UInt8]) {
        let kept = more.prefix(max(0, limit - bytes.count))
        bytes.append(contentsOf: kept)
        droppedBytes += more.count - kept.count
    }

    /// The bytes as text; invalid UTF-8 becomes U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// The reason why a client could not be started, or why its end is unknown.
public struct ClientStartError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        case notFound
        case notExecutable
        /// The system provided no process, pipe, thread or exit status.
        case system
    }

    public let code: Code
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    init(_ error: SystemError) {
        self.init(.system, error.description)
    }

    static func unknownEnd(of command: ClientCommand) -> ClientStartError {
        ClientStartError(
            .system,
            "the exit status of `\(command.arguments.first ?? "")` is unknown; start it in a process that does not ignore "
                + "SIGCHLD or collect the exit status of every child")
    }
}

/// Looks after a client while it runs: sees its output and gives orders.
///
/// Calls come from the thread that runs the client.
public protocol ClientAttendant: AnyObject {
    /// The client has written to a stream.
    func wrote(_ bytes: [UInt8], to stream: ClientProcess.Stream)

    /// Gives orders for a running client.
    ///
    /// Called after the client has started, after each output, when the bell is rung, and at the time that the previous orders
    /// requested.
    ///
    /// - Parameters:
    ///   - elapsed: The time for which the client has been running.
    ///   - isBusy: Returns `true` if a process of the client's group wants a processor right now, if the system reports that.
    func orders(at elapsed: Duration, isBusy: () -> Bool) -> ClientOrders

    /// The client has ended; called before cleaning up.
    func ended()
}

public struct ClientOrders: Hashable, Sendable {
    /// Bytes for its standard input.
    public var input: [UInt8]
    /// A Boolean value that indicates whether more input may follow, so that the client's standard input stays open.
    public var mayWriteMore: Bool
    /// A Boolean value that indicates whether to end the client: it is asked to end, then killed.
    public var isToEnd: Bool
    /// The time to ask again, since the start of the client; `nil` asks only after events.
    public var nextCheck: Duration?

    /// Creates orders; by default the client just runs on.
    public init(input: [UInt8] = [], mayWriteMore: Bool = false, isToEnd: Bool = false, nextCheck: Duration? = nil) {
        self.input = input
        self.mayWriteMore = mayWriteMore
        self.isToEnd = isToEnd
        self.nextCheck = nextCheck
    }
}

/// The environment variables of this process, and its number.
public enum ProcessEnvironment {
    public static var current: [(name: String, value: String)] {
        var variables: [(name: String, value: String)] = []
        #if canImport(Darwin)
            var entry = unsafe _NSGetEnviron().pointee
        #else
            var entry = unsafe environ
        #endif
        while let text = unsafe entry.pointee {
            let parts = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables.append((String(parts[0]), String(parts[1]))) }
            unsafe entry += 1
        }
        return variables
    }

    public static subscript(name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// Sets a variable for this process and its children.
    public static func set(_ name: String, to value: String) {
        unsafe setenv(name, value, 1)
    }

    public static var processNumber: Int32 { getpid() }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Runs a client to its end and leaves nothing of it behind.
///
/// The client leads a process group of its own. When it ends, or its time is over, what is left of the group is killed,
/// and what has left the group as far as ``Leftovers`` finds it.
/// Both output streams are read to their end, so a client that floods them neither blocks nor fills memory.
public struct ClientProcess {
    /// A stream of the client, for who wants to see output as it comes.
    public enum Stream: Hashable, Sendable {
        /// Standard output.
        case output
        /// Standard error.
        case error
    }

    /// How long an output stream may stay open after the end of the client: only a process that left the group can
    /// hold it.
    private static let drainTime = Duration.milliseconds(500)
    private static let chunk = 1 << 16

    private let child: SpawnedChild
    private let limits: ClientLimits
    /// The folder of its run, by which processes are known that have left its group.
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
    ///   - command: What to start.
    ///   - limits: Its bounds.
    ///   - observer: Told of output as it comes.
    ///   - attendant: Looks after it while it runs.
    ///   - bell: Makes the attendant be asked, if there is one.
    /// - Returns: How it ended and what it wrote.
    /// - Throws: ``ClientStartError`` if it cannot be started.
    public static func run(
        _ command: ClientCommand, limits: ClientLimits, observer: ((Stream, [UInt8]) -> Void)? = nil,
        attendant: (any ClientAttendant)? = nil, bell: Bell? = nil
    ) throws(ClientStartError) -> ClientOutcome {
        let (child, streams) = try SpawnedChild.start(command)
        var process = ClientProcess(
            child, streams, limits: limits, observer: observer, attendant: attendant, bell: bell, command)
        return process.runToEnd()
    }

    private init(
        _ child: SpawnedChild, _ streams: ClientStreams, limits: ClientLimits,
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

    /// Why input and output were last moved no more.
    private enum Pause {
        case ended
        case outOfTime
        case toEnd
    }

    private mutating func runToEnd() -> ClientOutcome {
        let pause = pump(until: limits.wall.map { started + $0 }, attendedBy: attendant)
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
        return ClientOutcome(
            end: Self.end(end, after: pause), standardOutput: output, standardError: error, wall: wall)
    }

    /// What an end is if the client had to be ended: a signal that was not ours is still a crash, unless it was late.
    private static func end(_ end: ClientOutcome.End, after pause: Pause) -> ClientOutcome.End {
        switch (pause, end) {
        case (.ended, _): end
        case (.outOfTime, .exit(let code)): .timeLimit(exit: code)
        case (.outOfTime, _): .timeLimit(exit: nil)
        case (.toEnd, .exit(let code)): .dismissed(exit: code)
        case (.toEnd, .signal(let number)) where !SpawnedChild.isOurs(number): end
        case (.toEnd, _): .dismissed(exit: nil)
        }
    }

    /// Moves input and output until the client has ended, the deadline is there, or the client is to end.
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
                if let again = orders.askAgain { wake = min(started + again, deadline ?? started + again) }
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

    /// Reads what the streams still hold after the end of the client.
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
        case .bytes(let bytes):
            if stream == .output { output.append(bytes) } else { error.append(bytes) }
            observer?(stream, bytes)
            attendant?.wrote(bytes, to: stream)
        }
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

/// A program under test, as it is started.
public struct ClientCommand: Hashable, Sendable {
    /// Program and arguments; a program without a slash is looked up in `PATH`.
    public var arguments: [String]
    /// Variables set for the client, in place of those of the same name in our own environment.
    public var environment: [String: String]
    /// What it reads from standard input.
    public var input: [UInt8]

    public init(_ arguments: [String], environment: [String: String] = [:], input: [UInt8] = []) {
        self.arguments = arguments
        self.environment = environment
        self.input = input
    }
}

/// Bounds of a client's run.
public struct ClientLimits: Hashable, Sendable {
    /// How long it may run, by the clock; `nil` for as long as it likes.
    public var wall: Duration?
    /// How long it may take to end after it was asked to.
    public var grace: Duration
    /// How much is kept of each output stream; what is beyond is read and counted.
    public var outputBytes: Int

    public init(wall: Duration? = .seconds(60), grace: Duration = .seconds(2), outputBytes: Int = 1 << 20) {
        self.wall = wall
        self.grace = grace
        self.outputBytes = outputBytes
    }
}

/// How a client's run ended.
public struct ClientOutcome: Hashable, Sendable {
    /// How the process ended.
    public enum End: Hashable, Sendable {
        /// It left with an exit code.
        case exit(Int32)
        /// A signal ended it.
        case signal(Int32)
        /// It was still running when its time was over, and was ended; its exit code if no signal was needed for that.
        case timeLimit(exit: Int32?)
        /// Who looked after it had it ended; its exit code if no signal was needed for that.
        case dismissed(exit: Int32?)
    }

    /// How the process ended.
    public let end: End
    /// What it wrote to standard output.
    public let standardOutput: CapturedOutput
    /// What it wrote to standard error.
    public let standardError: CapturedOutput
    /// How long it ran, by the clock.
    public let wall: Duration
}

/// What a client wrote to one stream, up to a bound.
public struct CapturedOutput: Hashable, Sendable {
    /// The first bytes.
    public private(set) var bytes: [UInt8] = []
    /// How many bytes came after those kept.
    public private(set) var droppedBytes = 0
    private let limit: Int

    /// Creates an empty capture that keeps at most `limit` bytes.
    public init(limit: Int) {
        self.limit = limit
    }

    /// Adds bytes.
    public mutating func append(_ more: [UInt8]) {
        let kept = more.prefix(max(0, limit - bytes.count))
        bytes.append(contentsOf: kept)
        droppedBytes += more.count - kept.count
    }

    /// The bytes as text; what is no UTF-8 becomes U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// Why a client could not be started.
public struct ClientStartError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// There is no such program.
        case notFound
        /// There is such a file, but it cannot be run.
        case notExecutable
        /// The system gave no process, pipe or thread.
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
}

/// Looks after a client while it runs: is told what it writes, and says what is to be done about it.
///
/// All calls come on the thread that runs the client.
public protocol ClientAttendant: AnyObject {
    /// Takes what the client has written to a stream.
    func wrote(_ bytes: [UInt8], to stream: ClientProcess.Stream)

    /// Says what is to be done now.
    ///
    /// It is asked when the client has started, after whatever it writes, when the bell was rung, and at the time the
    /// orders before name.
    ///
    /// - Parameters:
    ///   - elapsed: How long the client has been running.
    ///   - isBusy: Whether a process of its group wants a processor right now, where the system tells that.
    func orders(at elapsed: Duration, isBusy: () -> Bool) -> ClientOrders

    /// Takes note that the client has ended, before anything else is done about that.
    func ended()
}

/// What is to be done about a client that runs.
public struct ClientOrders: Hashable, Sendable {
    /// What it is to read from its standard input next.
    public var input: [UInt8]
    /// Whether more input may follow, so that its standard input stays open.
    public var mayWriteMore: Bool
    /// Whether it is to be ended: asked to first, then killed.
    public var isToEnd: Bool
    /// When to ask again, since the start of the client; `nil` if only what happens is of interest.
    public var askAgain: Duration?

    /// Creates orders; by default the client is let alone.
    public init(input: [UInt8] = [], mayWriteMore: Bool = false, isToEnd: Bool = false, askAgain: Duration? = nil) {
        self.input = input
        self.mayWriteMore = mayWriteMore
        self.isToEnd = isToEnd
        self.askAgain = askAgain
    }
}

/// The environment variables of this process, and its number.
public enum ProcessEnvironment {
    /// All variables, in the order of the system.
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

    /// The value of a variable.
    public static subscript(name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// Sets a variable for this process and those it starts.
    public static func set(_ name: String, to value: String) {
        unsafe setenv(name, value, 1)
    }

    /// The number by which the system knows this process.
    public static var processNumber: Int32 { getpid() }
}

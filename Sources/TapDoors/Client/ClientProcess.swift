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

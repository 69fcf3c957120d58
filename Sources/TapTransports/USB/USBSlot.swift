import TapHost
import TapSystem
import TapField
import TapReaders
import TapWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A reader on the bus with its threads: one that works for it, one that admits programs, and one for each open file.
final class USBSlot: Sendable {
    /// The minimum time of a search that finds no card, so that a program that only searches leaves the machine time; real
    /// readers take longer.
    private static let searchTime = Duration.milliseconds(5)
    /// The time a program waits for a block before its connection is checked.
    private static let pollPeriod = Duration.milliseconds(100)
    /// The number of bytes to read from a connection at once.
    private static let chunk = 4096

    private struct State {
        var port: USBPort
        var node: USBNode?
        var streams: [Int: SocketStream] = [:]
        var nextFile = 0
        /// A Boolean value that indicates whether cards may have arrived or left since the reader last looked.
        var mayLook = false
        var isWaiting = false
        /// The number of programs that wait for a block in their request.
        var reaperCount = 0
        var wasUsed = false
        var isClosed = false

        mutating func reportReadiness() { node?.setReady(port.hasFinished) }
    }

    /// The thread that admits programs while the reader is plugged in, and its socket.
    private struct Entrance {
        let listener: UnixListener
        let serving: ServingThread
    }

    private enum Task {
        case job(USBPort.Job)
        case look
        case giveUp
    }

    /// The number of the reader in the world.
    let number: Int
    let device: USBDevice
    private let place: USBLocation
    private let tree: USBTree
    private let host: FieldHost
    private let model: any USBReader
    private let state: Condition<State>
    private let entrance = Lock<Entrance?>(nil)
    private let threads = ClientThreads()
    private let worker = Lock<BlockingThread?>(nil)

    init(_ model: any USBReader, at number: Int, _ place: USBLocation, in tree: USBTree, on host: FieldHost) {
        (self.model, self.number, self.place, self.tree, self.host) = (model, number, place, tree, host)
        device = model.device
        state = Condition(State(port: USBPort(model.device)))
    }

    var wasUsed: Bool { state.withLock { $0.wasUsed } }
    var openCount: Int { threads.count }
    var activity: TransportActivity { TransportActivity(isSearching: state.withLock { $0.isWaiting }) }
    var isPlugged: Bool { entrance.withLock { $0 != nil } }

    /// The files that show a program that the reader is present.
    var samples: [String] { ["/sys/bus/usb/devices/\(place.name)/idVendor", place.node] }
    var sampleContents: [UInt8] {
        USBDevice.hex(device.vendor).utf8 + [0x0A] + device.descriptors
    }

    /// Resets ``wasUsed`` after a test of the transport itself.
    func forgetUse() { state.withLock { $0.wasUsed = false } }

    func rescan() {
        state.withLock { state in
            state.mayLook = state.port.isOpen
            self.state.wakeAll()
        }
    }

    /// Puts the reader on the bus and lets programs open it.
    ///
    /// - Throws: ``SystemError`` if the folder cannot hold its files, or the system provides no socket or thread.
    func plug() throws(SystemError) {
        try entrance.withLock { entrance throws(SystemError) in
            guard entrance == nil, !state.withLock({ $0.isClosed }) else { return }
            do throws(SystemError) {
                entrance = try open()
            } catch {
                tree.remove(device, at: place)
                throw error
            }
            tree.announce(.add, device, at: place)
        }
    }

    private func open() throws(SystemError) -> Entrance {
        try tree.add(device, at: place)
        let node = try USBNode("\(tree.root)\(place.node)")
        state.withLock { state in
            state.port.plug()
            state.node = node
            state.reportReadiness()
        }
        try worker.withLock { worker throws(SystemError) in
            if worker == nil { worker = try BlockingThread { [self] in work() } }
        }
        let listener = try UnixListener(at: tree.socket(of: place))
        do throws(SystemError) {
            let serving = try ServingThread { [self] stopped in
                listener.takeClients(until: stopped) { serve($0) }
            }
            return Entrance(listener: listener, serving: serving)
        } catch {
            listener.close()
            throw error
        }
    }

    /// Takes the reader off the bus; programs that have it open get an error when they use it.
    func unplug() {
        entrance.withLock { entrance in
            guard let open = entrance else { return }
            entrance = nil
            open.serving.end()
            open.listener.close()
            // Copied clients learn from the deleted node that the reader is gone.
            tree.removeNode(of: place)
            state.withLock { state in
                state.port.unplug()
                state.reportReadiness()
                self.state.wakeAll()
            }
            tree.announce(.remove, device, at: place)
            tree.remove(device, at: place)
        }
    }

    /// Stops admitting programs, and ends the connections and the threads.
    func close() {
        entrance.withLock { entrance in
            entrance?.serving.end()
            entrance?.listener.close()
            entrance = nil
            state.withLock { $0.isClosed = true }
        }
        state.withLock { state in
            for stream in state.streams.values { stream.shutDown() }
            self.state.wakeAll()
        }
        threads.joinAll()
        worker.withLock { $0 }?.join()
    }
}

/// The programs' side.
extension USBSlot {
    private func serve(_ descriptor: Descriptor) {
        let stream = SocketStream(descriptor)
        let file: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            // A program that has ended leaves nothing, even if its thread has not noticed yet.
            for (file, stream) in state.streams where stream.isAbandoned { forget(file, &state) }
            state.nextFile += 1
            state.streams[state.nextFile] = stream
            state.port.open(state.nextFile)
            state.wasUsed = true
            return state.nextFile
        }
        guard let file else { return }
        let isServed = threads.start(file, of: descriptor.peerProcess) { [self] in
            answer(stream, of: file)
            stream.shutDown()
            dismiss(file)
        }
        if !isServed { dismiss(file) }
    }

    private func dismiss(_ file: Int) {
        state.withLock { forget(file, &$0) }
    }

    private func forget(_ file: Int, _ state: inout State) {
        state.streams[file] = nil
        state.port.close(file)
        state.reportReadiness()
        self.state.wakeAll()
    }

    /// Answers a program until it closes its file or sends an invalid request.
    private func answer(_ stream: SocketStream, of file: Int) {
        var session = UsbfsSession(file, address: UInt8(place.address))
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        while true {
            let count = stream.receive(into: &buffer)
            guard count > 0 else { return }
            let output = state.withLock { state in
                defer { changed(&state) }
                return session.receive(buffer[..<count], &state.port)
            }
            guard let output else { return }
            // A program that does not read a few orders has stopped.
            if !output.isEmpty { stream.offer(output) }
            if session.isReaping, !awaitBlock(&session, stream) { return }
        }
    }

    /// Waits until a block can be reaped, for a program that waits for one.
    ///
    /// - Returns: `true` if the program is still connected.
    private func awaitBlock(_ session: inout UsbfsSession, _ stream: SocketStream) -> Bool {
        state.withLock { $0.reaperCount += 1 }
        defer { state.withLock { $0.reaperCount -= 1 } }
        while true {
            let limit = ContinuousClock.now + Self.pollPeriod
            let output: [UInt8]? = state.waitUntilDone { state in
                guard !state.isClosed else { return .done(nil) }
                let output = session.reapWaiting(&state.port)
                if !output.isEmpty || ContinuousClock.now >= limit {
                    changed(&state)
                    return .done(output)
                }
                return .wait(until: limit)
            }
            guard let output, !stream.isAbandoned else { return false }
            if !output.isEmpty { stream.offer(output) }
            if !session.isReaping { return true }
        }
    }

    /// Tells programs whether they can reap a block, and wakes the threads that wait for one.
    private func changed(_ state: inout State) {
        state.reportReadiness()
        if state.port.hasJobs || state.reaperCount > 0 { self.state.wakeAll() }
    }
}

/// The reader's side.
extension USBSlot {
    /// The state of the reader's thread.
    private struct Work {
        var reader: any USBReader
        /// The time to give up an open command.
        var deadline: ContinuousClock.Instant?
        /// The presence count of the field when the reader last worked.
        var seen: Int
        /// A Boolean value that indicates whether the reader has not worked since it started over.
        var isNew = true
    }

    private func work() {
        var work = Work(reader: model, seen: presenceCount)
        while let task = awaitTask(until: work.deadline) {
            switch task {
            case .job(.begin): work = Work(reader: model, seen: work.seen)
            case .job(.transfer(let bytes, let endpoint)):
                work.deadline = nil
                note(bytes, on: endpoint)
                work.reader.receive(bytes, at: endpoint)
            case .job(.look): work.reader.rescan()
            case .look:
                guard presenceCount != work.seen else { continue }
                work.reader.rescan()
            case .giveUp:
                work.deadline = nil
                work.reader.giveUp()
            }
            state.withLock { $0.isWaiting = false }
            while let action = work.reader.next() { carryOut(action, &work) }
        }
    }

    private var presenceCount: Int { host.perform(plansAhead: false, at: number) { $0.presenceCount } }

    private func carryOut(_ action: USBAction, _ work: inout Work) {
        switch action {
        case .send(let bytes, let endpoint):
            note(bytes, on: endpoint)
            change { $0.send(bytes, on: endpoint) }
        case .drop(let endpoint): change { $0.drop(endpoint) }
        case .work:
            let isPlugged = host.perform(plansAhead: false, at: number) { world in
                work.seen = world.presenceCount
                guard world.isPlugged(reader: number) else { return false }
                // Card states left by the last program are cleared.
                if work.isNew { world.switchField(on: false) }
                work.isNew = false
                work.reader.work(in: &world)
                work.seen = world.presenceCount
                return true
            }
            // A reader that was just unplugged sends nothing more.
            if !isPlugged { work.reader = model }
        case .rest: rest()
        case .wait(let limit):
            work.deadline = limit.map { .now + $0 }
            state.withLock { $0.isWaiting = true }
        }
    }

    /// Waits for the next task; returns `nil` once the transport is closed.
    private func awaitTask(until deadline: ContinuousClock.Instant?) -> Task? {
        state.waitUntilDone { state in
            guard !state.isClosed else { return .done(nil) }
            if let job = state.port.takeJob() {
                changed(&state)
                return .done(.job(job))
            }
            if state.mayLook {
                state.mayLook = false
                return .done(.look)
            }
            if let deadline, deadline <= .now { return .done(.giveUp) }
            return .wait(until: deadline)
        }
    }

    private func change(_ body: (inout USBPort) -> Void) {
        state.withLock { state in
            body(&state.port)
            changed(&state)
        }
    }

    private func rest() {
        let end = ContinuousClock.now + Self.searchTime
        state.waitUntilDone { $0.isClosed || ContinuousClock.now >= end ? .done(()) : .wait(until: end) }
    }

    /// Records a transfer, in the order in which the reader takes and sends transfers.
    private func note(_ bytes: [UInt8], on endpoint: UInt8) {
        let call =
            USBEndpoint.isIn(endpoint)
            ? HostCall(.usb(endpoint: endpoint), [], .answer(bytes))
            : HostCall(.usb(endpoint: endpoint), bytes, .answer([]))
        host.note(at: number) { $0.noteHost(since: $0.rfCount, call) }
    }
}

/// The node of a device: a FIFO, which programs can wait for.
///
/// A USB node is writable when a block can be reaped; a FIFO is writable while it is not full.
struct USBNode: Sendable {
    /// The command that sets the size of a FIFO; Linux, `include/uapi/linux/fcntl.h`.
    private static let setSize: Int32 = 1031
    private static let size: Int32 = 4096

    private let descriptor: Descriptor
    private var isReady = true

    /// - Throws: ``SystemError`` if the system creates no FIFO.
    init(_ path: String) throws(SystemError) {
        guard unsafe mkfifo(path, 0o600) == 0 else { throw SystemError("make \(path)") }
        let number = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw SystemError("open \(path)") }
        descriptor = Descriptor(owning: number)
        _ = fcntl(number, Self.setSize, Self.size)
    }

    mutating func setReady(_ wanted: Bool) {
        guard wanted != isReady else { return }
        isReady = wanted
        if wanted {
            while case .bytes = descriptor.receive(upTo: Int(Self.size)) {}
        } else {
            let filler = [UInt8](repeating: 0, count: Int(Self.size))
            while let count = descriptor.send(filler[...]), count > 0 {}
        }
    }
}

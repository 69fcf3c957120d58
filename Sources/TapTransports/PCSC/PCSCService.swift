import TapHost
import TapSystem
import TapField
import TapReaders
import TapWire

/// The resource manager shared by the sessions of its clients, and its readers.
///
/// The manager's lock is never held while a reader works.
final class PCSCService: Sendable {
    /// The time a client waits for a reader before its connection is checked (pcsc-lite, PCSCLITE_LOCK_POLL_RATE).
    static let pollPeriod = Duration.milliseconds(100)
    struct State {
        var manager = ResourceManager()
        var slots: [ReaderID: ReaderSlot] = [:]
        var streams: [ClientID: SocketStream] = [:]
        var nextNumber = 0
        var waitingCount = 0
        var isClosed = false
        /// A Boolean value that indicates whether clients may only finish what they have begun.
        var isRetired = false
        var wasUsed = false

        mutating func takeNumber() -> Int {
            defer { nextNumber += 1 }
            return nextNumber
        }
    }

    let host: FieldHost
    let state = Condition(State())
    let threads = ClientThreads()
    /// The readers that the world plugs in and unplugs; locked while they are updated.
    let followed = Lock<[FollowedReader]>([])
    /// The service's watcher number at the host, set when its readers start to look for cards; locked while they start.
    let watcher = Lock<Int?>(nil)

    /// A Boolean value that indicates whether connections to readers are reported to the world.
    let reportsConnections: Bool

    init(host: FieldHost, reportsConnections: Bool = false) {
        self.host = host
        self.reportsConnections = reportsConnections
        if reportsConnections { state.withLock { $0.manager.connections = [] } }
    }

    /// A Boolean value that indicates whether a client has established a context.
    var wasUsed: Bool { state.withLock { $0.wasUsed } }

    /// The number of connections that clients have not closed.
    var connectionCount: Int { state.withLock { state in state.streams.values.count { !$0.isAbandoned } } }

    var usage: ServiceUsage { state.withLock { $0.manager.usage } }
    var activity: TransportActivity { state.withLock { $0.manager.transportActivity } }

    /// Serves a client on a thread, until it disconnects or the service is closed.
    func serve(_ descriptor: Descriptor) {
        let stream = SocketStream(descriptor)
        guard let client = admit(stream) else { return }
        let isServed = threads.start(client, of: descriptor.peerProcess) { [self] in
            var session = PCSCSession(client, stream, of: self)
            session.serve()
        }
        if !isServed { dismiss(client) }
    }

    private func admit(_ stream: SocketStream) -> ClientID? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let client = state.takeNumber()
            state.streams[client] = stream
            state.manager.admit(client)
            return client
        }
    }

    /// Releases everything a disconnected client had.
    func dismiss(_ client: ClientID) {
        _ = run { $0.dismiss(client) }
        reportConnections()
        state.withLock { $0.streams[client] = nil }
    }

    /// Closes all connections and accepts no new ones; the threads then dismiss their clients.
    func close() {
        state.withLock { state in
            state.isClosed = true
            for stream in state.streams.values { stream.shutDown() }
            self.state.wakeAll()
        }
        if let watcher = watcher.withLock({ $0 }) { host.forget(watcher) }
    }

    /// Rejects from now on every request that begins something, and ends what clients wait for.
    func retire() {
        state.withLock { state in
            state.isRetired = true
            for client in state.manager.waiting { state.manager.endWaiting(of: client, with: .noService) }
            deliver(&state)
            self.state.wakeAll()
        }
        if let watcher = watcher.withLock({ $0 }) { host.forget(watcher) }
    }

    /// Uses the manager exclusively, sends the resulting notices and wakes waiting threads.
    func withManager<Result>(_ body: (inout ResourceManager) -> Result) -> Result {
        state.withLock { state in
            let result = body(&state.manager)
            deliver(&state)
            return result
        }
    }

    /// Sends notices under the lock, so that they stay in order; sending never blocks.
    func deliver(_ state: inout State) {
        if !state.manager.notices.isEmpty {
            for (client, bytes) in state.manager.notices { state.streams[client]?.offer(bytes) }
            state.manager.notices = []
        }
        if state.waitingCount > 0 { self.state.wakeAll() }
    }
}

extension PCSCService {
    /// Adds a reader at the first free position.
    ///
    /// - Parameter number: The reader's number in the world.
    /// - Returns: The reader's number in the service; `nil` if all positions are taken.
    func plug(_ reader: any PCSCReader, at number: Int = 0) -> ReaderID? {
        let slot = ReaderSlot(reader, at: number, on: host)
        let plugged: (id: ReaderID, isUsed: Bool)? = state.withLock { state in
            let id = state.takeNumber()
            guard state.manager.plug(id, model: slot.name) else { return nil }
            state.slots[id] = slot
            return (id, state.wasUsed)
        }
        if let plugged, plugged.isUsed { start(plugged.id, slot) }
        return plugged?.id
    }

    func unplug(_ id: ReaderID) {
        state.withLock { state in
            state.slots[id] = nil
            state.manager.unplug(id)
            deliver(&state)
        }
    }

    /// The name of a reader as clients see it.
    func name(of id: ReaderID) -> String? { state.withLock { $0.manager.readers[id]?.state.name } }

    /// Lets the readers look for cards, now and whenever cards arrive or leave.
    func start() {
        watcher.withLock { watcher in
            let slots: [ReaderID: ReaderSlot]? = state.withLock { state in
                guard !state.wasUsed else { return nil }
                state.wasUsed = true
                return state.slots
            }
            guard let slots else { return }
            // If there is no thread for it, cards are still seen whenever a client uses a reader.
            watcher = try? host.watch { [weak self] in self?.refresh() }
            for (id, slot) in slots.sorted(by: { $0.key < $1.key }) { start(id, slot) }
        }
    }

    private func start(_ id: ReaderID, _ slot: ReaderSlot) {
        slot.follow { [weak self] slot in self?.withManager { $0.follow(id, slot) } }
    }

    /// Takes over reader and card changes from the world, in the order of the readers; no reader looks for cards before a
    /// client has established a context.
    ///
    /// - Parameter retrying: A Boolean value that indicates whether time passes for a client that looks for a card, so that
    ///   readers poll again and find a card that faults have hidden. They also do so while a client waits.
    func refresh(retrying: Bool = false) {
        follow()
        let (slots, isAwaited) = state.withLock { ($0.wasUsed ? $0.slots : [:], !$0.manager.waiting.isEmpty) }
        for (_, slot) in slots.sorted(by: { $0.key < $1.key }) {
            slot.refresh()
            if retrying || isAwaited && host.isDisturbed { slot.retry() }
        }
    }
}

extension ReaderSlot {
    func change(_ change: PowerChange) -> State {
        switch change {
        case .reset: return reset()
        case .down: return powerDown()
        case .cycle:
            powerDown()
            return reset()
        }
    }
}

extension PCSCService {
    /// Returns the answer to a request, possibly empty; `nil` if the connection is to be closed.
    func answer(to request: ServiceRequest, from client: ClientID, _ stream: SocketStream) -> [UInt8]? {
        let begun: (work: Work, isMisuse: Bool)? = state.withLock { state in
            guard !state.isRetired else { return nil }
            let work = state.perform { $0.perform(request, for: client) }
            deliver(&state)
            return (work, state.manager.usage.hasMisuseOutsideExchanges)
        }
        guard let begun else { return request.farewell }
        if begun.isMisuse { placeMisuses() }
        var work = begun.work
        while true {
            switch run(work) {
            case .answer(let bytes):
                // Reported before the client gets its answer, so that the field changes first.
                if request.isOnConnections { reportConnections() }
                return bytes
            case .wait(let refusal):
                work = wait(with: request, from: client)
                guard case .wait = work.step else { continue }
                if stream.isAbandoned { return nil }
                if let refusal { return refusal }
            default: return nil
            }
        }
    }

    /// Records the number of exchanges so far for new misuses; the field is not accessed under the lock.
    private func placeMisuses() {
        let count = host.snapshot.exchangeCount
        state.withLock { $0.manager.usage.placeMisuses(afterExchanges: count) }
    }

    /// Retries a request after each change, for one poll period.
    private func wait(with request: ServiceRequest, from client: ClientID) -> Work {
        let deadline = ContinuousClock.now + Self.pollPeriod
        state.withLock { $0.waitingCount += 1 }
        defer { state.withLock { $0.waitingCount -= 1 } }
        return state.waitUntilDone { state in
            guard !state.isClosed else { return .done(Work(step: .close)) }
            guard !state.isRetired else {
                return .done(Work(step: request.farewell.map(ServiceStep.answer) ?? .close))
            }
            let work = state.perform { $0.perform(request, for: client) }
            guard case .wait = work.step, ContinuousClock.now < deadline else {
                deliver(&state)
                return .done(work)
            }
            return .wait(until: deadline)
        }
    }

    /// Lets readers work until the step is an answer, a wait or a close.
    func run(_ body: (inout ResourceManager) -> ServiceStep) -> ServiceStep { run(take(body)) }

    private func run(_ first: Work) -> ServiceStep {
        var work = first
        while true {
            if case .start(let then) = work.step {
                start()
                work = take(then)
            } else if let then = work.step.work(by: work.slot) {
                work = take(then)
            } else {
                return work.step
            }
        }
    }

    private func take(_ body: (inout ResourceManager) -> ServiceStep) -> Work {
        state.withLock { state in
            defer { deliver(&state) }
            return state.perform(body)
        }
    }
}

/// A step of the manager, with the slot of the reader that performs it.
private struct Work {
    let step: ServiceStep
    /// `nil` once the reader is unplugged.
    var slot: ReaderSlot?
}

extension PCSCService.State {
    fileprivate mutating func perform(_ body: (inout ResourceManager) -> ServiceStep) -> Work {
        let step = body(&manager)
        return Work(step: step, slot: step.reader.flatMap { slots[$0] })
    }
}

extension ServiceStep {
    var reader: ReaderID? {
        switch self {
        case .power(let id, _, _), .transmit(let id, _, _, _), .control(let id, _, _, _), .attribute(let id, _, _): id
        case .answer, .close, .wait, .start: nil
        }
    }

    /// Lets the reader perform its part of the step.
    ///
    /// - Parameter slot: The reader's slot; `nil` once it is unplugged.
    /// - Returns: The manager's continuation with the result; `nil` for a step that needs no reader.
    func work(by slot: ReaderSlot?) -> ((inout ResourceManager) -> ServiceStep)? {
        switch self {
        case .answer, .close, .wait, .start: return nil
        case .power(_, let change, let then):
            let outcome = slot?.change(change) ?? .init(content: .empty, changes: 0)
            return { then(&$0, outcome) }
        case .transmit(_, let command, let changes, let then):
            let answer = slot?.transmit(command, afterChanges: changes) ?? .failed
            return { then(&$0, answer) }
        case .control(_, let code, let data, let then):
            let answer = slot?.control(code, data) ?? .failed
            return { then(&$0, answer) }
        case .attribute(_, let attribute, let then):
            let value = slot?.attribute(attribute.rawValue)
            return { then(&$0, value) }
        }
    }
}

/// A reader of the world, which clients see while it is plugged in.
struct FollowedReader {
    /// The number of the reader in the world.
    let number: Int
    /// The model, in its state after plugging in.
    let model: any PCSCReader
    /// The reader's number in the service, while it is plugged in.
    var id: ReaderID?
}

/// Events between the world and the service.
extension PCSCService {
    /// Adds readers of the world, with their numbers there; from now on the world plugs them in and unplugs them.
    func follow(_ readers: [(number: Int, model: any PCSCReader)]) {
        followed.withLock { $0 += readers.map { FollowedReader(number: $0.number, model: $0.model) } }
        follow()
    }

    /// Plugs in and unplugs readers to match the world.
    func follow() {
        followed.withLock { followed in
            for (index, reader) in followed.enumerated() {
                let isPlugged = host.perform(plansAhead: false) { $0.isPlugged(reader: reader.number) }
                if isPlugged, reader.id == nil {
                    followed[index].id = plug(reader.model, at: reader.number)
                } else if !isPlugged, let id = reader.id {
                    unplug(id)
                    followed[index].id = nil
                }
            }
        }
    }

    func name(ofReader number: Int) -> String? {
        followed.withLock { $0.first { $0.number == number } }?.id.flatMap(name(of:))
    }

    /// Reports new and ended connections to the world, if a trigger waits for them; blocks while a reader works.
    func reportConnections() {
        guard reportsConnections else { return }
        let connections = state.withLock { state in
            let connections = state.manager.connections ?? []
            state.manager.connections = []
            return connections.map { (reader: state.slots[$0.to]?.number, isNew: $0.isNew) }
        }
        for (reader, isNew) in connections {
            host.perform(at: reader ?? 0) { $0.note(isNew ? ReaderEvent.connected : .disconnected) }
        }
    }
}

/// Recording of functions in the trace.
extension PCSCService {
    /// Returns the world's number for the reader whose connection a function ends or changes.
    func place(of request: ServiceRequest) -> Int? {
        request.isRecorded ? request.card.flatMap(place(ofConnection:)) : nil
    }

    private func place(ofConnection card: Int32) -> Int? {
        state.withLock { state in state.manager.cards[card].flatMap { state.slots[$0.reader]?.number } }
    }

    /// Records a function that the trace shows, before its client continues.
    func record(_ request: ServiceRequest, answeredWith answer: [UInt8], at place: Int?) {
        guard let result = request.result(in: answer), request.isRecorded || result != .success else { return }
        let card = request.connection(in: answer) ?? request.card
        note(request, result, at: place ?? card.flatMap(self.place(ofConnection:)) ?? 0)
    }

    private func note(_ request: ServiceRequest, _ result: PCSCReturnCode, at place: Int) {
        guard let call = request.call else { return }
        // A client must not wait for another client's reader.
        host.note(at: place) {
            $0.noteFunction(.pcsc(call), result.entry?.name ?? "\(result)", carrying: request.data)
        }
    }
}

extension PCSCService {
    /// Returns the answer to a request, with the faults of its call injected; `nil` if the connection is to be closed.
    ///
    /// Faults triggered by the call are injected before the call runs; faults triggered by an RF command, after the call that
    /// carried the command.
    func disturbedAnswer(to request: ServiceRequest, from client: ClientID, _ stream: SocketStream) -> [UInt8]? {
        // All clients know which cards have come or gone, however the system schedules the threads.
        refresh()
        guard let call = request.call else { return answer(to: request, from: client, stream) }
        // If a card comes after the library's first query, the library asks again within the same call.
        let isSameCall = request == .waitForChange && withManager { $0.clients[client]?.isInsideWait ?? false }
        let before = host.perform { world in
            if !isSameCall { world.called(call) }
            return world.takeTransportFaults()
        }
        var refusalOfWaiting: PCSCReturnCode?
        for fault in before {
            switch fault {
            case .refusal(let code):
                guard let refusal = request.refusal(code) else {
                    refusalOfWaiting = code
                    continue
                }
                withManager { $0.excuseRefused(request, of: client) }
                return refusal
            // Sent once the client waits.
            case .spuriousEvent: continue
            default: inject(fault, request)
            }
        }
        // The answer to a wait request has no return code; the notice that ends the wait has one.
        if request == .waitForChange { withManager { $0.clients[client]?.refusal = refusalOfWaiting } }
        guard var answer = answer(to: request, from: client, stream) else { return nil }
        if let refusalOfWaiting { note(request, refusalOfWaiting, at: 0) }
        if request.looksForCard { refresh(retrying: true) }
        let after = host.perform { $0.takeTransportFaults() }
        for fault in before.filter({ $0 == .spuriousEvent }) + after { inject(fault, request) }
        for fault in before + after {
            fault.change(&answer, of: request)
            if fault.isUndelivered { withManager { $0.excuseUndelivered(request, of: client) } }
        }
        return answer
    }

    /// Sleeps for a time, or until the service is closed.
    private func rest(for time: Duration) {
        let end = ContinuousClock.now + time
        state.withLock { $0.waitingCount += 1 }
        defer { state.withLock { $0.waitingCount -= 1 } }
        state.waitUntilDone { state in
            state.isClosed || ContinuousClock.now >= end ? .done(()) : .wait(until: end)
        }
    }

    /// Injects a fault; changing the answer is not part of it.
    private func inject(_ fault: TransportFault, _ request: ServiceRequest) {
        switch fault {
        case .removal(let gap):
            host.perform { $0.takeCardsAway(for: gap) }
            refresh()
        case .reset: withManager { manager in manager.reader(of: request).map { manager.raise(.reset, on: $0) } }
        case .unplugging:
            if let reader = withManager({ $0.reader(of: request) }) { unplug(reader) }
        case .end:
            withManager { $0.excuses.isStopped = true }
            close()
        case .delay(let time): rest(for: time)
        case .spuriousEvent: withManager { $0.reportChange() }
        case .lostEvent: withManager { $0.losesNextEvent = true }
        case .refusal, .lostAnswer, .cutAnswer: break
        }
    }
}

extension TransportFault {
    /// A Boolean value that indicates whether the client does not learn the result.
    fileprivate var isUndelivered: Bool {
        switch self {
        case .refusal, .lostAnswer, .cutAnswer: true
        default: false
        }
    }

    fileprivate func change(_ answer: inout [UInt8], of request: ServiceRequest) {
        switch self {
        case .refusal(let code), .lostAnswer(let code): answer = request.refusal(code) ?? answer
        case .cutAnswer(let count): answer = request.cut(answer, by: count)
        default: break
        }
    }
}

extension ResourceManager {
    /// Returns the reader of a request, or the first reader if the request names none.
    fileprivate func reader(of request: ServiceRequest) -> ReaderID? {
        request.card.flatMap { cards[$0]?.reader } ?? readers.keys.min()
    }
}

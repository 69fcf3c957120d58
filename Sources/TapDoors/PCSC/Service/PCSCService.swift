import TapReaders

/// The resource manager shared by the threads of its clients, and the readers it manages.
///
/// The lock of the manager is never held while a reader works.
final class PCSCService: Sendable {
    /// How long a client is kept waiting for a reader before it is looked after.
    ///
    /// Source: pcsc-lite, PCSCLITE_LOCK_POLL_RATE.
    static let pollPeriod = Duration.milliseconds(100)

    private struct State {
        var manager = ResourceManager()
        var slots: [ReaderID: ReaderSlot] = [:]
        var channels: [ClientID: RequestChannel] = [:]
        var nextNumber = 0
        var waitingCount = 0
        var isClosed = false
        var wasUsed = false

        mutating func takeNumber() -> Int {
            defer { nextNumber += 1 }
            return nextNumber
        }
    }

    private let host: FieldHost
    private let state = Condition(State())
    /// The number by which the host knows the service, once its readers look for cards; held while they begin to.
    private let watcher = Lock<Int?>(nil)

    init(host: FieldHost) {
        self.host = host
    }

    /// Whether a client has established a context.
    var wasUsed: Bool { state.withLock { $0.wasUsed } }

    /// Serves a client until it is gone or the service is closed.
    func serve(_ channel: RequestChannel) {
        guard let client = admit(channel) else { return }
        while let request = channel.next(), let answer = answer(to: request, from: client, channel),
            answer.isEmpty || channel.send(answer)
        {}
        // What it sends from now on is nobody's.
        channel.end()
        _ = run(withManager { $0.dismiss(client) })
        state.withLock { $0.channels[client] = nil }
    }

    private func admit(_ channel: RequestChannel) -> ClientID? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let client = state.takeNumber()
            state.channels[client] = channel
            state.manager.admit(client)
            return client
        }
    }

    /// Breaks all connections and takes no new ones.
    func close() {
        state.withLock { state in
            state.isClosed = true
            for channel in state.channels.values { channel.end() }
            self.state.wakeAll()
        }
        if let watcher = watcher.withLock({ $0 }) { host.forget(watcher) }
    }
}

extension PCSCService {
    /// The answer to a request, empty if none is due; nothing if the connection is to be broken.
    private func answer(to request: ServiceRequest, from client: ClientID, _ channel: RequestChannel) -> [UInt8]? {
        var step = withManager { $0.perform(request, for: client) }
        while true {
            switch run(step) {
            case .answer(let bytes): return bytes
            case .wait(let refusal):
                step = wait(with: request, from: client)
                guard case .wait = step else { continue }
                if channel.isAbandoned { return nil }
                if let refusal { return refusal }
            default: return nil
            }
        }
    }

    /// Asks again and again for a poll period, whenever somebody has done something.
    private func wait(with request: ServiceRequest, from client: ClientID) -> ServiceStep {
        let deadline = ContinuousClock.now + Self.pollPeriod
        state.withLock { $0.waitingCount += 1 }
        defer { state.withLock { $0.waitingCount -= 1 } }
        return state.waitUntilDone { state in
            guard !state.isClosed else { return .done(.close) }
            let step = state.manager.perform(request, for: client)
            guard case .wait = step, ContinuousClock.now < deadline else {
                deliver(&state)
                return .done(step)
            }
            return .wait(until: deadline)
        }
    }

    /// Lets readers work until an answer, a wait or an end is left.
    private func run(_ first: ServiceStep) -> ServiceStep {
        var step = first
        while true {
            switch step {
            case .answer, .close, .wait: return step
            case .start(let then):
                start()
                step = withManager { then(&$0) }
            case .power(let id, let change, let then):
                let content = slot(id)?.change(change) ?? .empty
                step = withManager { then(&$0, content) }
            case .transmit(let id, let command, let changes, let then):
                let answer = slot(id)?.transmit(command, afterChanges: changes) ?? .failed
                step = withManager { then(&$0, answer) }
            case .control(let id, let code, let data, let then):
                let answer = slot(id)?.control(code, data) ?? .failed
                step = withManager { then(&$0, answer) }
            case .attribute(let id, let attribute, let then):
                let value = slot(id)?.attribute(attribute.rawValue)
                step = withManager { then(&$0, value) }
            }
        }
    }

    private func slot(_ id: ReaderID) -> ReaderSlot? { state.withLock { $0.slots[id] } }

    /// Uses the manager alone, sends the notices that come of it and wakes who waits.
    private func withManager<Result>(_ body: (inout ResourceManager) -> Result) -> Result {
        state.withLock { state in
            let result = body(&state.manager)
            deliver(&state)
            return result
        }
    }

    /// Notices go out while the lock is held, so that they keep their order; none of them waits.
    private func deliver(_ state: inout State) {
        for (client, bytes) in state.manager.notices { state.channels[client]?.offer(bytes) }
        state.manager.notices.removeAll(keepingCapacity: true)
        if state.waitingCount > 0 { self.state.wakeAll() }
    }
}

extension PCSCService {
    /// Takes a reader in, at the first free place.
    ///
    /// - Returns: Its number, or nothing if there is no place.
    func plug(_ reader: any PCSCReader) -> ReaderID? {
        let slot = ReaderSlot(reader, on: host)
        let plugged: ReaderID? = state.withLock { state in
            let id = state.takeNumber()
            guard state.manager.plug(id, model: slot.name) else { return nil }
            state.slots[id] = slot
            return id
        }
        guard let id = plugged else { return nil }
        slot.onChange { [weak self] in self?.follow(id, slot) }
        if wasUsed { look(id, slot) }
        return id
    }

    /// Lets a reader go, with whatever clients do with it.
    func unplug(_ id: ReaderID) {
        state.withLock { state in
            guard let slot = state.slots.removeValue(forKey: id) else { return }
            slot.onChange {}
            state.manager.unplug(id)
            deliver(&state)
        }
    }

    /// The name of a reader as clients see it.
    func name(of id: ReaderID) -> String? { state.withLock { $0.manager.readers[id]?.state.name } }

    /// Lets the readers look for cards, now and whenever cards come or go.
    private func start() {
        watcher.withLock { watcher in
            let slots: [ReaderID: ReaderSlot]? = state.withLock { state in
                guard !state.wasUsed else { return nil }
                state.wasUsed = true
                return state.slots
            }
            guard let slots else { return }
            // Without a thread for it, cards are still seen whenever a client uses a reader.
            watcher = try? host.watch { [weak self] in self?.refresh() }
            for (id, slot) in slots.sorted(by: { $0.key < $1.key }) { look(id, slot) }
        }
    }

    private func look(_ id: ReaderID, _ slot: ReaderSlot) {
        slot.refresh()
        withManager { $0.start(id, slot.current) }
    }

    private func refresh() {
        for slot in state.withLock({ $0.slots }).values { slot.refresh() }
    }

    private func follow(_ id: ReaderID, _ slot: ReaderSlot) {
        withManager { $0.follow(id, slot.current) }
    }
}

extension ReaderSlot {
    /// Changes the power of the card.
    ///
    /// - Returns: What the slot holds then.
    fileprivate func change(_ change: PowerChange) -> SlotContent {
        switch change {
        case .reset: return reset()
        case .down:
            powerDown()
            return current.content
        case .cycle:
            powerDown()
            return reset()
        }
    }
}

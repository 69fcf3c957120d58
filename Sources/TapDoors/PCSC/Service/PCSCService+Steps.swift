import TapField
import TapReaders

extension PCSCService {
    /// The answer to a request, empty if none is due; nothing if the connection is to be broken.
    func answer(to request: ServiceRequest, from client: ClientID, _ stream: SocketStream) -> [UInt8]? {
        var (step, isMisuse) = withManager { manager in
            let step = manager.perform(request, for: client)
            return (step, manager.usage.hasUnplacedMisuse)
        }
        if isMisuse { placeMisuses() }
        while true {
            switch run(step) {
            case .answer(let bytes):
                // Before the client hears of it, so that what follows in the field comes first.
                if request.isOnConnections { tellOfConnections() }
                return bytes
            case .wait(let refusal):
                step = wait(with: request, from: client)
                guard case .wait = step else { continue }
                if stream.isAbandoned { return nil }
                if let refusal { return refusal }
            default: return nil
            }
        }
    }

    /// Says of new misuses how many exchanges there were; the field is not asked under the lock.
    private func placeMisuses() {
        let count = host.snapshot.exchangeCount
        state.withLock { $0.manager.usage.placeMisuses(afterExchanges: count) }
    }

    /// Asks again and again for a poll period, whenever somebody has done something.
    private func wait(with request: ServiceRequest, from client: ClientID) -> ServiceStep {
        threads.stepAside(from: client)
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
    func run(_ first: ServiceStep) -> ServiceStep {
        var step = first
        while true {
            switch step {
            case .answer, .close, .wait: return step
            case .start(let then):
                start()
                step = withManager { then(&$0) }
            case .power(let id, let change, let then):
                let outcome = slot(id)?.change(change) ?? .init(content: .empty, changes: 0)
                step = withManager { then(&$0, outcome) }
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
}

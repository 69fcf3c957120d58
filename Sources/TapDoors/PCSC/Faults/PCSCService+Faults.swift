import TapField
import TapReaders
import TapWire

extension PCSCService {
    /// The answer to a request with what goes wrong in its call; nothing if the connection is to be broken.
    ///
    /// A fault that waits for the call strikes before it is carried out; one that waits for a command on air strikes
    /// when the call that carried the command is done.
    func disturbedAnswer(
        to request: ServiceRequest, from client: ClientID, _ stream: SocketStream
    ) -> [UInt8]? {
        guard let call = request.call else { return answer(to: request, from: client, stream) }
        let before = host.perform { world in
            world.called(call)
            return world.takeDoorFaults()
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
            // Told once the client waits.
            case .spuriousEvent: continue
            default: strike(fault, request)
            }
        }
        guard var answer = answer(to: request, from: client, stream) else { return nil }
        // The answer to a request to wait has no return code; the word that ends the waiting has.
        if let refusalOfWaiting { withManager { _ = $0.endWaiting(of: client, with: refusalOfWaiting) } }
        let after = host.perform { $0.takeDoorFaults() }
        for fault in before.filter({ $0 == .spuriousEvent }) + after { strike(fault, request) }
        for fault in before + after {
            fault.change(&answer, of: request)
            if fault.isUntold { withManager { $0.excuseUntold(request, of: client) } }
        }
        return answer
    }

    /// Lets the calling thread sleep for a time, or until the service is closed.
    private func rest(for time: Duration) {
        let end = ContinuousClock.now + time
        state.withLock { $0.waitingCount += 1 }
        defer { state.withLock { $0.waitingCount -= 1 } }
        state.waitUntilDone { state in
            state.isClosed || ContinuousClock.now >= end ? .done(()) : .wait(until: end)
        }
    }

    /// Lets a fault strike that changes more than an answer.
    private func strike(_ fault: DoorFault, _ request: ServiceRequest) {
        switch fault {
        case .removal(let gap): host.perform { $0.takeCardsAway(for: gap) }
        case .reset: withManager { manager in manager.reader(of: request).map { manager.raise(.reset, on: $0) } }
        case .unplugging:
            if let reader = withManager({ $0.reader(of: request) }) { unplug(reader) }
        case .end:
            withManager { $0.excuses.isStopped = true }
            close()
        case .delay(let time): rest(for: time)
        case .spuriousEvent: withManager { $0.tellChange() }
        case .lostEvent: withManager { $0.losesNextEvent = true }
        case .refusal, .lostAnswer, .cutAnswer: break
        }
    }
}

extension DoorFault {
    /// Whether the client is not told what was carried out.
    fileprivate var isUntold: Bool {
        switch self {
        case .refusal, .lostAnswer, .cutAnswer: true
        default: false
        }
    }

    /// Changes the answer to a request that was carried out.
    fileprivate func change(_ answer: inout [UInt8], of request: ServiceRequest) {
        switch self {
        case .refusal(let code), .lostAnswer(let code): answer = request.refusal(code) ?? answer
        case .cutAnswer(let count): answer = request.cut(answer, by: count)
        default: break
        }
    }
}

extension ResourceManager {
    /// The reader that a request is about; the first one where it names none.
    fileprivate func reader(of request: ServiceRequest) -> ReaderID? {
        request.card.flatMap { cards[$0]?.reader } ?? readers.keys.min()
    }
}

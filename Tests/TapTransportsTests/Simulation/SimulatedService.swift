import TapHost
import TapField
import TapReaders
import TapWire

@testable import TapTransports

@testable import TapSystem

/// The PC/SC service under a scheduler: manager, slots and readers are real, and sessions perform one step at a time.
///
/// A step is the work of a service thread between two points at which others may act: read a request and ask the manager, let a
/// reader work, report to the manager, check again for an awaited condition.
///
/// Every answer and every notice is compared with the model.
struct SimulatedService {
    /// The next step of a session.
    enum Phase {
        case reading
        /// A reader works; without a request, for the end of the client.
        case working(ServiceRequest?, ServiceStep)
        case worked(ServiceRequest?, Work)
        case waiting(ServiceRequest, orAnswer: [UInt8]?, until: Duration)
        /// Notices are held back until the client requests the states.
        case holding(until: Duration)
        case ended
    }

    /// The result of a reader's work.
    struct Work {
        let then: (inout ResourceManager) -> ServiceStep
        var outcome: ReaderSlot.State?
        var isDown = false
        /// The card's expected answer to the command.
        var answer: [UInt8]?
        var transmitted: PCSCReturnCode?
    }

    struct Session {
        var phase = Phase.reading
        /// Bytes that the client has sent.
        var input: [UInt8] = []
        /// A Boolean value that indicates whether the client still exists.
        var isConnected = true
        /// The messages to the client, and the request of each; `nil` for notices.
        var output: [(request: ServiceRequest?, bytes: [UInt8])] = []

        var isIdle: Bool {
            switch phase {
            case .reading: true
            case .ended: true
            default: false
            }
        }
        var isWaiting: Bool { if case .waiting = phase { true } else { false } }
        /// A Boolean value that indicates whether nothing happens before the client sends something.
        var isQuiet: Bool { isIdle && isConnected && input.isEmpty }
        var hasEnded: Bool { if case .ended = phase { true } else { false } }
    }

    static let pollPeriod = PCSCService.pollPeriod
    static let statesPatience = Duration.seconds(1)

    var manager = ResourceManager()
    var model = ServiceModel()
    private(set) var sessions: [ClientID: Session] = [:]
    private var slots: [ReaderID: ReaderSlot] = [:]
    /// The plugged-in readers of the world that the service follows: world number to service number.
    private var followed: [Int: ReaderID] = [:]
    private let numbers: [Int]
    private var nextNumber = 0
    /// The slots with a change that the manager does not know about yet.
    private let unheard = Lock<[ReaderID: ReaderSlot.State]>([:])

    init(_ numbers: [Int], _ field: SimulatedField) throws {
        self.numbers = numbers
        for number in numbers { try follow(number, field) }
    }

    var clients: [ClientID] { sessions.keys.sorted() }

    private mutating func takeNumber() -> Int {
        nextNumber += 1
        return nextNumber
    }

    mutating func connect() -> ClientID {
        let client = takeNumber()
        sessions[client] = Session()
        manager.admit(client)
        model.admit(client)
        return client
    }

    mutating func send(_ bytes: ArraySlice<UInt8>, from client: ClientID) { sessions[client]?.input += bytes }
    mutating func hangUp(_ client: ClientID) { sessions[client]?.isConnected = false }
    mutating func takeOutput(of client: ClientID) -> [(request: ServiceRequest?, bytes: [UInt8])] {
        defer { sessions[client]?.output = [] }
        return sessions[client]?.output ?? []
    }
    mutating func forget(_ client: ClientID) { sessions[client] = nil }
}

/// Readers.
extension SimulatedService {
    /// Performs a step of the thread that follows the world: readers are plugged in and unplugged, and one slot is checked.
    mutating func follow(_ number: Int, _ field: SimulatedField) throws {
        let isPlugged = field.host.perform(plansAhead: false) { $0.isPlugged(reader: number) }
        if !isPlugged, let id = followed.removeValue(forKey: number) {
            slots[id] = nil
            manager.unplug(id)
            model.unplug(id)
            try checkNotices()
        } else if isPlugged, followed[number] == nil {
            try plug(number, field)
        }
        guard let slot = followed[number].flatMap({ slots[$0] }) else { return }
        slot.refresh()
        try hear()
    }

    private mutating func plug(_ number: Int, _ field: SimulatedField) throws {
        let id = takeNumber()
        let slot = ReaderSlot(SimulatedField.models[number].makeReader(), at: number, on: field.host)
        guard manager.plug(id, model: slot.name) else { throw SimulationProblem("there is no place for a reader") }
        followed[number] = id
        slots[id] = slot
        slot.follow { [unheard] state in unheard.withLock { $0[id] = state } }
        let state = unheard.withLock { $0.removeValue(forKey: id) } ?? ReaderSlot.State()
        manager.follow(id, state)
        let name = manager.readers[id]?.state.name ?? ""
        model.plug(id, name, manager.readers[id]?.place ?? 0, state)
        try checkNotices()
    }

    /// Reports the changes seen by slots.
    private mutating func hear() throws {
        let reports = unheard.withLock { reports in
            defer { reports = [:] }
            return reports.sorted { $0.key < $1.key }
        }
        for (id, slot) in reports where slots[id] != nil {
            manager.follow(id, slot)
            model.hear(id, slot)
            try checkNotices()
        }
    }
}

/// Sessions.
extension SimulatedService {
    /// Performs the next step of a session's thread.
    mutating func step(_ client: ClientID, at now: Duration, _ field: inout SimulatedField) throws {
        guard let session = sessions[client] else { return }
        switch session.phase {
        case .reading, .holding: try read(client, session, at: now)
        case .working(let request, let step): try work(client, request, step, &field)
        case .worked(let request, let work):
            try hear()
            let step = work.then(&manager)
            let expected = model.end(
                request, of: client, work.outcome, isDown: work.isDown, transmitted: work.transmitted)
            try go(on: step, expected, request, client, at: now, data: work.answer)
        case .waiting(let request, let refusal, let until):
            let step = manager.perform(request, for: client)
            let expected = model.begin(request, of: client)
            guard case .wait = step, now >= until else {
                return try go(on: step, expected, request, client, at: now, until: until)
            }
            guard session.isConnected else { return try dismiss(client, at: now) }
            guard let refusal else {
                sessions[client]?.phase = .waiting(request, orAnswer: nil, until: now + Self.pollPeriod)
                return
            }
            try answer(refusal, expecting: .sharingViolation, request, client, at: now)
        case .ended: break
        }
    }

    private mutating func read(_ client: ClientID, _ session: Session, at now: Duration) throws {
        let found: (request: ServiceRequest, length: Int)?
        do { found = try ServiceRequest.first(in: session.input[...]) } catch { return try dismiss(client, at: now) }
        if case .holding(let until) = session.phase {
            if session.input.isEmpty, session.isConnected, now < until { return }
            sessions[client]?.phase = .reading
            if session.input.isEmpty, session.isConnected {
                manager.advance(client, .goOn)
                model.stopHolding(client)
                return try checkNotices()
            }
        }
        guard let (request, length) = found else {
            return session.isConnected ? () : try dismiss(client, at: now)
        }
        sessions[client]?.input.removeFirst(length)
        let step = manager.perform(request, for: client)
        try go(on: step, model.begin(request, of: client), request, client, at: now)
    }

    /// Continues with the manager's outcome.
    private mutating func go(
        on first: ServiceStep, _ expected: ServiceModel.Outcome, _ request: ServiceRequest?, _ client: ClientID,
        at now: Duration, until: Duration? = nil, data: [UInt8]? = nil
    ) throws {
        var step = first
        while case .start(let then) = step { step = then(&manager) }
        switch (step, expected) {
        case (.answer(let bytes), .answer(let code)):
            try answer(bytes, expecting: code, request, client, at: now, data: data)
        case (.wait(let refusal), .waits):
            guard let request else { throw SimulationProblem("client \(client) waits with nothing to wait for") }
            try checkNotices()
            sessions[client]?.phase = .waiting(request, orAnswer: refusal, until: until ?? now + Self.pollPeriod)
        case (.close, .closes):
            try checkNotices()
            if request == nil { sessions[client]?.phase = .ended } else { try dismiss(client, at: now) }
        case (.power, .works), (.transmit, .works), (.control, .works):
            try checkNotices()
            sessions[client]?.phase = .working(request, step)
        default:
            throw SimulationProblem(
                "client \(client) is to get \(expected) for \(request?.summary ?? "its end"), gets \(step.summary)")
        }
    }

    private mutating func answer(
        _ bytes: [UInt8], expecting code: PCSCReturnCode?, _ request: ServiceRequest?, _ client: ClientID,
        at now: Duration, data: [UInt8]? = nil
    ) throws {
        guard let request else { throw SimulationProblem("client \(client) is answered and is gone") }
        try check(bytes, code, request, client, data)
        try checkNotices()
        guard sessions[client]?.isConnected == true else { return try dismiss(client, at: now) }
        if !bytes.isEmpty || code == nil { sessions[client]?.output.append((request, bytes)) }
        let isHolding = request == .waitForChange && manager.clients[client]?.waiting.isBeforeQuery == true
        sessions[client]?.phase = isHolding ? .holding(until: now + Self.statesPatience) : .reading
    }

    private mutating func dismiss(_ client: ClientID, at now: Duration) throws {
        sessions[client]?.isConnected = false
        let step = manager.dismiss(client)
        try go(on: step, model.dismiss(client), nil, client, at: now)
    }

    /// Lets a reader work, and finds out the expected answer of its card.
    private mutating func work(
        _ client: ClientID, _ request: ServiceRequest?, _ step: ServiceStep, _ field: inout SimulatedField
    ) throws {
        guard let then = step.work(by: step.reader.flatMap { slots[$0] }) else {
            throw SimulationProblem("\(step.summary) is no work")
        }
        var work = Work(then: then)
        switch step {
        case .power(let id, let change, _):
            work.isDown = change == .down
            let state = slots[id]?.refresh() ?? ReaderSlot.State()
            work.outcome = state
        case .transmit(let id, let command, let changes, _):
            guard let slot = slots[id] else {
                work.transmitted = .notTransacted
                break
            }
            guard slot.refresh().changes == changes, let card = field.card(at: slot.number) else {
                work.transmitted = .noSmartCard
                break
            }
            work.transmitted = .success
            work.answer = field.answer(of: card, toAPDU: command)
        default: work.transmitted = step.reader.flatMap { slots[$0] } == nil ? .notTransacted : .success
        }
        sessions[client]?.phase = .worked(request, work)
    }
}

extension ServiceStep {
    fileprivate var summary: String {
        switch self {
        case .answer(let bytes): "an answer, \(Hex.text(Array(bytes.prefix(32))))"
        case .close: "the end of its connection"
        case .wait: "a wait"
        default: "work of a reader"
        }
    }
}

/// Answers to clients.
extension SimulatedService {
    private mutating func check(
        _ bytes: [UInt8], _ code: PCSCReturnCode?, _ request: ServiceRequest, _ client: ClientID, _ data: [UInt8]?
    ) throws {
        guard let code else {
            if [.readerStates, .readerArray].contains(request), !bytes.isEmpty { try checkStates(bytes[...]) }
            return
        }
        let told = request.code(in: bytes)
        guard told == code else {
            throw SimulationProblem("client \(client) is to get \(code) for \(request.summary), gets \(told as Any)")
        }
        guard code == .success else { return }
        switch request {
        case .establish: model.open(EstablishMessage(parsing: bytes[...]).context, of: client)
        case .connect(let message): model.open(ConnectMessage(parsing: bytes[...]).card, of: client, message)
        case .transmit(_, let command):
            let answer = Array(bytes[TransmitMessage.size...])
            // If the card is silent, the reader returns a status word.
            guard data.map({ answer == $0 }) ?? (answer.count == StatusWord.length) else {
                throw SimulationProblem(
                    "to \(Hex.text(command)) client \(client) is told \(Hex.text(answer)), the card says "
                        + (data.map { Hex.text($0) } ?? "nothing"))
            }
        default: break
        }
    }

    /// Sends notices and checks that they are due.
    private mutating func checkNotices() throws {
        let notices = manager.notices
        manager.notices = []
        var due = model.takeNotices()
        for (client, bytes) in notices {
            guard var codes = due[client], !codes.isEmpty else {
                throw SimulationProblem("client \(client) is told something that it does not wait for")
            }
            var rest = bytes[...]
            if codes.first == .some(nil) {
                codes.removeFirst()
                try checkStates(rest.prefix(ReaderState.places * ReaderState.size))
                rest = rest.dropFirst(ReaderState.places * ReaderState.size)
            }
            if !rest.isEmpty {
                guard let code = codes.first, CountMessage(parsing: rest).result == code else {
                    throw SimulationProblem("client \(client) is told \(Hex.text(Array(rest))), \(codes) was due")
                }
                codes.removeFirst()
            }
            due[client] = codes.isEmpty ? nil : codes
            if sessions[client]?.isConnected == true { sessions[client]?.output.append((nil, bytes)) }
        }
        if let (client, codes) = due.first { throw SimulationProblem("client \(client) is not told \(codes)") }
    }

    private func checkStates(_ bytes: ArraySlice<UInt8>) throws {
        for place in 0..<ReaderState.places {
            let state = ReaderState(parsing: bytes.dropFirst(place * ReaderState.size).prefix(ReaderState.size))
            let reader = model.readers.values.first { $0.place == place }
            let sharing = reader.map { $0.isExclusive ? -1 : Int32($0.shares) } ?? 0
            let isRight =
                state.name == reader?.name ?? "" && state.sharing == sharing
                && state.flags.contains(.present) == (reader?.hasCard ?? false)
            guard isRight else { throw SimulationProblem("place \(place) is told as \(state), it is \(reader as Any)") }
        }
    }
}

extension ServiceRequest {
    /// The return code in an answer.
    func code(in answer: [UInt8]) -> PCSCReturnCode? {
        func code<Message: ResultMessage>(_: Message) -> PCSCReturnCode? {
            answer.count >= Message.size ? Message(parsing: answer[...]).result : nil
        }
        return switch self {
        case .transmit(let message, _): code(message)
        case .control(let message, _): code(message)
        case .status(let message): code(message)
        case .cancel(let message): code(message)
        case .getAttribute(let message), .setAttribute(let message): code(message)
        case .version: answer.count >= ProtocolVersion.size ? ProtocolVersion(parsing: answer[...]).result : nil
        default: result(in: answer)
        }
    }
}

extension SimulatedField {
    /// The reader's answer to an APDU with an unshared card in its slot: the identifier or pages, and 9000; `nil` if the card
    /// rejects the command or is silent.
    mutating func answer(of card: String, toAPDU command: [UInt8]) -> [UInt8]? {
        let answer: [UInt8]?
        switch command[1] {
        case 0xCA: return identifier(of: card) + [0x90, 0x00]
        case 0xB0: answer = self.answer(of: card, to: [0x30, command[3]])
        case 0xD6: answer = self.answer(of: card, to: [0xA2, command[3]] + command[5...])
        default: answer = nil
        }
        guard let answer, answer.count > 1 || answer == [0x0A] else { return nil }
        return (answer == [0x0A] ? [] : answer) + [0x90, 0x00]
    }
}

import TapReaders
import TapWire
import TestSupport

@testable import TapTransports

/// Transports, their clients and a user with cards under one scheduler: a random choice decides who performs the next step, and
/// time is a number.
///
/// The same seed gives the same run, except for handles, which the service draws on its own.
struct TransportSimulation {
    /// The maximum number of simultaneous clients.
    private static let crowd = 6
    /// The number of final rounds in which all activity ends, each ``Duration/milliseconds(50)`` long.
    private static let rounds = 100

    private var random: TestRandom
    private var field: SimulatedField
    private var service: SimulatedService
    private var line = SimulatedLine(3)
    private var bus: SimulatedBus
    private var clients: [ClientID: SimulatedClient] = [:]
    private var now = Duration.zero
    /// The events so far, the newest last.
    private(set) var log: [String] = []

    init(seed: UInt64) throws {
        random = TestRandom(seed: seed)
        field = try SimulatedField()
        service = try SimulatedService([0, 1, 2], field)
        bus = try SimulatedBus(4)
    }

    private mutating func note(_ line: @autoclosure () -> String) {
        log.append(line())
        if log.count > 40 { log.removeFirst(20) }
    }

    /// Performs a number of steps, and then lets all activity end.
    mutating func run(steps: Int) throws {
        for _ in 0..<steps { try step() }
        try end()
    }

    private mutating func step() throws {
        switch random.number(below: 64) {
        case 0 where random.oneIn(2):
            let line = field.happen(&random)
            note(line)
        case 1...4: try service.follow(random.number(below: 3), field)
        case 5: now += .milliseconds(random.number(0...(random.oneIn(4) ? 2_000 : 300)))
        case 6: if clients.count < Self.crowd { comeIn() }
        case 7: if random.oneIn(3), let client = anyClient() { die(client) }
        case 8...11: line.speak(&random)
        case 12...19: try line.step(at: now, &field)
        case 20...24: try bus.speak(&random)
        case 25...29: try bus.step(&field)
        case 30: bus.follow(field)
        case 31...42: if let client = anyClient() { speak(client) }
        default:
            let clients = service.clients.filter { service.sessions[$0]?.isQuiet == false }
            if !clients.isEmpty { try serve(random.pick(clients)) }
        }
    }

    private mutating func anyClient() -> ClientID? { clients.isEmpty ? nil : random.pick(clients.keys.sorted()) }

    private mutating func comeIn() {
        let id = service.connect()
        clients[id] = SimulatedClient(id)
        note("client \(id) comes")
    }

    /// Ends a client in any state: inside a transaction, waiting, with half a message sent.
    private mutating func die(_ client: ClientID) {
        note("client \(client) dies")
        clients[client] = nil
        service.hangUp(client)
    }

    /// Makes a client make a call, or continue sending its current call.
    private mutating func speak(_ id: ClientID) {
        guard var client = clients[id] else { return }
        if !client.isBusy || random.oneIn(40) {
            let others = clients.values.sorted { $0.id < $1.id }
            let names = service.manager.readers.sorted { $0.key < $1.key }.map(\.value.state.name)
            let request = client.next(&random, readers: names.isEmpty ? [""] : names, others: others)
            note("client \(id): \(request.summary)")
            client.ask(request)
        }
        service.send(client.takeBytes(&random), from: id)
        clients[id] = client
    }

    private mutating func serve(_ id: ClientID) throws {
        try service.step(id, at: now, &field)
        try clients[id]?.receive(service.takeOutput(of: id))
        guard let session = service.sessions[id] else { return }
        // The service has closed the connection, for example because of another client's handle.
        if !session.isConnected { clients[id] = nil }
        if session.hasEnded { service.forget(id) }
    }
}

/// The end of all activity.
extension TransportSimulation {
    private mutating func end() throws {
        field.settle()
        try line.settle(now, &field)
        try bus.settle(&field)
        try speakUp()
        try freeReaders()
        try everybodyGetsOn()
        for id in clients.keys.sorted() { die(id) }
        try settle()
        let manager = service.manager
        guard manager.clients.isEmpty, manager.cards.isEmpty, manager.waiting.isEmpty, service.sessions.isEmpty else {
            throw SimulationProblem(
                "all clients are gone, but the service still has \(manager.clients), \(manager.cards), \(manager.waiting)"
            )
        }
        for reader in manager.readers.values where reader.sharing != .free || reader.lockHolder != 0 {
            throw SimulationProblem("all are gone, and \(reader) is not free")
        }
    }

    /// Lets everybody act repeatedly while time passes.
    private mutating func settle() throws {
        for _ in 0..<Self.rounds {
            for number in 0..<3 { try service.follow(number, field) }
            for client in service.clients { try serve(client) }
            now += .milliseconds(50)
        }
        for (id, session) in service.sessions where !session.isIdle && !session.isWaiting {
            throw SimulationProblem("the session of client \(id) comes to no end: \(session.phase)")
        }
    }

    /// Only clients that hold a reader make others wait, and only as long as they exist.
    private mutating func freeReaders() throws {
        for _ in 0...clients.count where service.sessions.values.contains(where: \.isWaiting) {
            let holders = service.model.holders
            guard !holders.isEmpty else { throw SimulationProblem("a client waits for a reader that nobody holds") }
            for holder in holders { die(holder) }
            try settle()
        }
        for (id, session) in service.sessions where session.isWaiting {
            throw SimulationProblem("client \(id) waits on and on: \(session.phase)")
        }
    }

    /// Every client gets an answer to its call.
    private mutating func everybodyGetsOn() throws {
        for id in clients.keys.sorted() {
            let isWaiting = clients[id]?.isWaiting == true
            clients[id]?.ask(isWaiting ? .stopWaiting : .readerStates)
        }
        try speakUp()
        for (id, client) in clients where client.isBusy || client.isWaiting {
            throw SimulationProblem("client \(id) is not answered: \(client.open.map(\.summary))")
        }
    }

    /// The service receives all data that clients have begun to send.
    private mutating func speakUp() throws {
        for id in clients.keys.sorted() {
            guard var client = clients[id] else { continue }
            service.send(client.takeBytes(&random, all: true), from: id)
            clients[id] = client
        }
        try settle()
    }
}

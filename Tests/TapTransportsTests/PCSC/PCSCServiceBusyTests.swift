import TapField
import TapWire
import Testing

@testable import TapTransports

@testable import TapHost

@testable import TapSystem

/// A reader may take time, at the pace of the card, and makes only its own users wait.
@Suite(.timeLimit(.minutes(20))) struct `While a reader works` {
    @Test func `other clients can list, connect, get the state, wait and cancel`() throws {
        let gate = Gate()
        let field = try ServiceField(pace: .card, meanwhile: { gate.pass() })
        defer { gate.open() }
        let (busy, other) = (try RawClient(field.transport), try RawClient(field.transport))
        let (first, second) = (try busy.connect().card, try other.connect().card)
        busy.send(busy.question(to: first).bytes)
        rest(while: !field.log.take().contains("transmit"))
        #expect(try other.states().count == 1)
        #expect(try other.status(second) == .success)
        _ = try other.states(.waitForChange)
        let third = try RawClient(field.transport)
        let cancel = ContextMessage(context: other.context)
        #expect(try third.ask(.cancel(cancel), ContextMessage.self).result == .success)
        #expect(try other.receive(8) == CountMessage(result: .cancelled).bytes)
        #expect(try third.connect().result == .success)
        #expect(try other.begin(second) == .success)
        #expect(try other.end(second) == .success)
        #expect(busy.isQuiet())
        gate.open()
        #expect(try busy.receiveNumber() == [0, 0x90, 0x00])
    }
}

/// The world is locked while an observer handles an event; a stopped terminal keeps it locked.
@Suite(.timeLimit(.minutes(20))) struct `While an observer of the field is slow` {
    private final class SlowObserver: TraceObserver {
        let gate = Gate()
        private let isTold = Lock(false)

        var wasTold: Bool { isTold.withLock { $0 } }

        func observe(_ event: TraceEvent, answering command: RFFrame?) {
            guard case .card(_, isPresent: false) = event.kind else { return }
            isTold.withLock { $0 = true }
            gate.pass()
        }
    }

    @Test func `other clients can get the state, wait and cancel`() throws {
        let observer = SlowObserver()
        let field = try ServiceField(observer: observer)
        defer { observer.gate.open() }
        let (busy, other, third) = (
            try RawClient(field.transport), try RawClient(field.transport), try RawClient(field.transport)
        )
        let card = try busy.connect().card
        let removal: [UInt8] = [0xFF, 0xE3, 0, 0]
        let message = TransmitMessage(card: card, sendLength: UInt32(removal.count), receiveLength: 258)
        busy.send(ServiceRequest.transmit(message, removal).bytes)
        rest(while: !observer.wasTold)
        _ = try other.states(.waitForChange)
        let cancel = ContextMessage(context: other.context)
        #expect(try third.ask(.cancel(cancel), ContextMessage.self).result == .success)
        #expect(try other.receive(8) == CountMessage(result: .cancelled).bytes)
        #expect(busy.isQuiet())
        observer.gate.open()
        #expect(TransmitMessage(parsing: try busy.receive(TransmitMessage.size)[...]).result != .success)
    }
}

/// Several threads look for cards: one sees a card leave while another has a command for that card.
@Suite struct `While a removal is reported` {
    @Test func `a command waits and is then rejected because of the removal`() throws {
        let host = FieldHost(try World.withTwoCards())
        defer { host.close() }
        host.perform { $0.tap("ntag") }
        let service = PCSCService(host: host)
        // Nothing watches the field except the threads of clients.
        service.state.withLock { $0.wasUsed = true }
        let log = ReaderLog()
        let id = try #require(service.plug(LoggedReader(log: log)))
        service.withManager { $0.admit(0) }
        func ask<Message: ServiceMessage>(_ request: ServiceRequest, _: Message.Type) throws -> Message {
            let step = service.run { $0.perform(request, for: 0) }
            guard case .answer(let bytes) = step else { throw SimulationProblem("\(request) has no answer") }
            return Message(parsing: bytes[...])
        }
        let context = try ask(.establish(EstablishMessage(scope: 2)), EstablishMessage.self).context
        let connect = ConnectMessage(
            context: context, reader: try #require(service.name(of: id)), shareMode: .shared, protocols: [.t0, .t1])
        let card = try ask(.connect(connect), ConnectMessage.self).card
        let slot = try #require(service.state.withLock { $0.slots[id] })
        host.perform { $0.remove("ntag") }
        _ = log.take()
        let looking = try service.state.withLock { state in
            let thread = try BlockingThread { slot.refresh() }
            // While the lock of the manager is held, the thread sees the removal but cannot report it.
            rest(while: !log.take().contains("look"))
            return thread
        }
        let transmit = TransmitMessage(card: card, sendProtocol: .t1, sendLength: 5, receiveLength: 258)
        let answer = try ask(.transmit(transmit, [0xFF, 0xCA, 0, 0, 0]), TransmitMessage.self)
        #expect(answer.result == .removedCard)
        looking.join()
    }
}

/// Clients that wait for the end of a transaction do not make others wait.
@Suite(.timeLimit(.minutes(20))) struct `While a reader is in a transaction` {
    @Test func `other clients are answered before those that wait for the reader`() throws {
        let field = try ServiceField()
        let (holder, other) = (try RawClient(field.transport), try RawClient(field.transport))
        let card = try holder.connect().card
        let waiting = try (0..<20).map { _ in
            let client = try RawClient(field.transport)
            return (client, try client.connect().card)
        }
        #expect(try holder.begin(card) == .success)
        var wasAnsweredFirst = false
        // Each client waits a tenth of a second, which may pass on a busy machine before the other client has sent its request.
        for _ in 0..<20 where !wasAnsweredFirst {
            for (client, card) in waiting {
                client.send(ServiceRequest.beginTransaction(CardMessage(card: card)).bytes)
            }
            #expect(try other.states().count == 1)
            wasAnsweredFirst = waiting.contains { !$0.0.hasAnswer }
            for (client, _) in waiting {
                #expect(CardMessage(parsing: try client.receive(CardMessage.size)[...]).result == .sharingViolation)
            }
        }
        #expect(wasAnsweredFirst)
        #expect(try holder.end(card) == .success)
        for (client, card) in waiting {
            #expect(try client.begin(card) == .success)
            #expect(try client.end(card) == .success)
        }
    }
}

/// With a thread for each client, the service handles any number of clients.
@Suite(.timeLimit(.minutes(20))) struct `Sixty-four clients` {
    @Test func `are answered immediately, and none is left after the transport closes`() throws {
        let field = try ServiceField()
        let clients = try (0..<64).map { _ in
            let client = try RawClient(field.transport)
            return (client, try client.connect().card)
        }
        #expect(field.transport.clientCount == 64)
        for _ in 0..<10 {
            for (client, card) in clients { client.send(client.question(to: card).bytes) }
            for (client, _) in clients { #expect(try client.receiveNumber() == [0, 0x90, 0x00]) }
        }
        field.transport.close()
        #expect(field.transport.clientCount == 0)
        for (client, _) in clients { #expect(client.isBroken()) }
    }
}

/// A reader that blocks the calling thread, which no reader should, shows that no other client waits for it.
@Suite(.timeLimit(.minutes(20))) struct `While a client keeps a thread busy` {
    @Test func `another client is answered, however much the first has sent`() throws {
        let gate = Gate()
        let field = try ServiceField(meanwhile: { gate.pass() })
        defer { gate.open() }
        let (greedy, other) = (try RawClient(field.transport), try RawClient(field.transport))
        let card = try greedy.connect().card
        let requests = [ServiceRequest](repeating: .readerEvents, count: 16) + [greedy.question(to: card)]
        greedy.send(requests.flatMap(\.bytes))
        rest(while: !field.log.take().contains("transmit"))
        #expect(try other.states().count == 1)
        gate.open()
        _ = try greedy.receive(16 * CountMessage.size)
        #expect(try greedy.receiveNumber() == [0, 0x90, 0x00])
    }

    @Test func `another client that sent something before is answered while two threads are busy`() throws {
        let gates = [Gate(), Gate()]
        let count = Lock(0)
        let field = try ServiceField(meanwhile: {
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            gates[number].pass()
        })
        defer { for gate in gates { gate.open() } }
        let (busy, greedy, other) = (
            try RawClient(field.transport), try RawClient(field.transport), try RawClient(field.transport)
        )
        let (first, second) = (try busy.connect().card, try greedy.connect().card)
        busy.send(busy.question(to: first).bytes)
        rest(while: !field.log.take().contains("transmit"))
        let requests = [ServiceRequest](repeating: .readerEvents, count: 16) + [greedy.question(to: second)]
        greedy.send(requests.flatMap(\.bytes))
        other.send(ServiceRequest.readerStates.bytes)
        gates[0].open()
        #expect(try busy.receiveNumber() == [0, 0x90, 0x00])
        rest(while: count.withLock { $0 } < 2)
        #expect(try other.receiveStates().count == 1)
        gates[1].open()
        _ = try greedy.receive(16 * CountMessage.size)
        #expect(try greedy.receiveNumber() == [0, 0x90, 0x00])
    }

    @Test(arguments: [false, true])
    func `the last requests of another client are read to the end`(readsOn: Bool) throws {
        let gate = Gate()
        let field = try ServiceField(meanwhile: { gate.pass() })
        defer { gate.open() }
        let (busy, leaving) = (try RawClient(field.transport), try RawClient(field.transport))
        let card = try busy.connect().card
        busy.send(busy.question(to: card).bytes)
        rest(while: !field.log.take().contains("transmit"))
        // Its request and its disconnection may arrive together.
        leaving.send(ServiceRequest.readerStates.bytes)
        if readsOn { leaving.sendNothingMore() } else { leaving.close() }
        gate.open()
        #expect(try busy.receiveNumber() == [0, 0x90, 0x00])
        if readsOn {
            #expect(try leaving.receiveStates().count == 1)
            #expect(leaving.isBroken())
        }
        // A client that is never released must fail the test, not hang it.
        for _ in 0..<20_000 where field.transport.clientCount > 1 {
            BlockingThread.sleep(until: .now + .milliseconds(1))
        }
        #expect(field.transport.clientCount == 1)
    }
}

extension RawClient {
    /// Asks for the number of the card.
    fileprivate func question(to card: Int32) -> ServiceRequest {
        let command: [UInt8] = [0xFF, 0xCA, 0, 0, 0]
        return .transmit(TransmitMessage(card: card, sendLength: UInt32(command.count), receiveLength: 258), command)
    }

    /// The card's answer to it.
    fileprivate func receiveNumber() throws -> ArraySlice<UInt8> { try receive(TransmitMessage.size + 3).suffix(3) }
}

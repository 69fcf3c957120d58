import TapField
import TapReaders
import TapWire
import Testing

@testable import TapTransports

@testable import TapSystem

@Suite(.timeLimit(.minutes(20))) struct `The PC/SC service over its socket` {
    @Test(arguments: [4, 5, 6] as [Int32])
    func `serves a whole session in each version`(minor: Int32) throws {
        let field = try ServiceField()
        let client = try RawClient(field.transport, minor: minor)
        if minor == 6 {
            client.send(ServiceRequest.readerCount.bytes)
            #expect(try client.receive(4) == [16, 0, 0, 0])
        }
        let states = try client.states(minor == 6 ? .readerArray : .readerStates)
        #expect(states.map(\.name) == ["TapSim Test Reader 00 00"])
        #expect(states[0].atr == StorageCardATR.ntag)
        if minor > 4 {
            #expect(try client.ask(.readerEvents, CountMessage.self).count == 2)
        }
        let card = try client.connect()
        #expect(card.result == .success)
        #expect(card.activeProtocol == .t1)
        #expect(try client.begin(card.card) == .success)
        #expect(try client.transmit(card.card, [0xFF, 0xCA, 0, 0, 0]) == (.success, [0, 0x90, 0x00]))
        #expect(try client.end(card.card) == .success)
        let long = try client.transmit(card.card, [0xFF, 0xE0, 0xFF, 0xFF])
        #expect(long.code == .success)
        #expect(long.answer.count == 65_537)
        #expect(try client.disconnect(card.card) == .success)
        let release = ContextMessage(context: client.context)
        #expect(try client.ask(.release(release), ContextMessage.self).result == .success)
    }

    @Test func `reports its version to an older client and rejects it`() throws {
        let field = try ServiceField()
        let client = try RawClient(field.transport, minor: nil)
        let answer = try client.ask(.version(ProtocolVersion(minor: 3)), ProtocolVersion.self)
        #expect(answer.minor == 4)
        #expect(answer.result == .serviceStopped)
        #expect(!field.transport.wasUsed)
        // As with pcscd, the client may continue as it likes.
        #expect(try client.ask(.version(ProtocolVersion(minor: 4)), ProtocolVersion.self).result == .success)
    }

    @Test func `looks for cards only once there is a context`() throws {
        let field = try ServiceField()
        let client = try RawClient(field.transport, minor: nil)
        _ = try client.states()
        #expect(field.log.take() == [])
        #expect(!field.transport.wasUsed)
        _ = try client.ask(.establish(EstablishMessage(scope: 2)), EstablishMessage.self)
        #expect(field.log.take() == ["look"])
        #expect(field.transport.wasUsed)
        #expect(try client.states()[0].eventCounter == 0)
    }

    @Test func `after retiring only lets clients finish what they have begun`() throws {
        let field = try ServiceField()
        let (client, waiting) = (try RawClient(field.transport), try RawClient(field.transport))
        let card = try client.connect().card
        #expect(try client.begin(card) == .success)
        _ = try waiting.states(.waitForChange)
        field.transport.retire()
        field.transport.retire()
        // Waiting clients learn that there is nothing to wait for.
        #expect(CountMessage(parsing: try waiting.receive(CountMessage.size)[...]).result == .noService)
        #expect(try client.transmit(card, [0xFF, 0xCA, 0, 0, 0]).code == .noService)
        #expect(try client.connect().result == .noService)
        #expect(try client.end(card) == .success)
        #expect(try client.disconnect(card) == .success)
        #expect(field.transport.clientCount == 2)
        let release = ContextMessage(context: client.context)
        #expect(try client.ask(.release(release), ContextMessage.self).result == .success)
        // A request without a return code ends the connection, as if there were no service.
        client.send(ServiceRequest.readerStates.bytes)
        #expect(client.isBroken())
        #expect(throws: SystemError.self) { try RawClient(field.transport) }
    }

    @Test func `accepts a request in pieces and several requests at once`() throws {
        let field = try ServiceField()
        let client = try RawClient(field.transport)
        let card = try client.connect().card
        let command: [UInt8] = [0xFF, 0xCA, 0, 0, 0]
        let request = ServiceRequest.transmit(
            TransmitMessage(card: card, sendLength: UInt32(command.count), receiveLength: 258), command
        ).bytes
        for byte in request { client.send([byte]) }
        let answer = try client.receive(TransmitMessage.size + 3)
        client.send(request + request + request)
        #expect(try client.receive(3 * answer.count) == answer + answer + answer)
        // The longest request, which is larger than the initial buffer.
        let longest = command + [UInt8](repeating: 0, count: ServiceRequest.maximumData - command.count)
        let message = TransmitMessage(card: card, sendLength: UInt32(longest.count), receiveLength: 258)
        var pieces = ServiceRequest.transmit(message, longest).bytes[...]
        while !pieces.isEmpty {
            client.send(Array(pieces.prefix(1_000)))
            pieces = pieces.dropFirst(1_000)
        }
        #expect(try client.receive(answer.count).suffix(3) == answer.suffix(3))
    }

    @Test(arguments: [4, 5, 6] as [Int32])
    func `notifies a waiting client of insertion and removal`(minor: Int32) throws {
        let field = try ServiceField(card: nil)
        let client = try RawClient(field.transport, minor: minor)
        for (step, flags) in [ReaderState.Flags.ready, .absent, .ready].enumerated() {
            client.send(ServiceRequest.waitForChange.bytes)
            if minor == 6 {
                client.send(ServiceRequest.readerCount.bytes + ServiceRequest.readerArray.bytes)
                #expect(try client.receive(4) == [16, 0, 0, 0])
            }
            _ = try client.receiveStates()
            #expect(client.isQuiet())
            if flags == .ready { field.tap("felica") } else { field.remove("felica") }
            #expect(try client.receive(8) == CountMessage(result: .success).bytes)
            let state = try client.states()[0]
            #expect(state.flags == flags)
            #expect(state.eventCounter == UInt32(step + 1))
        }
    }

    @Test func `ends a wait on request, with exactly one message`() throws {
        let field = try ServiceField()
        let client = try RawClient(field.transport)
        _ = try client.states(.waitForChange)
        client.send(ServiceRequest.stopWaiting.bytes)
        #expect(try client.receive(8) == CountMessage(result: .success).bytes)
        _ = try client.states(.waitForChange)
        field.remove("ntag")
        #expect(try client.receive(8) == CountMessage(result: .success).bytes)
        client.send(ServiceRequest.stopWaiting.bytes)
        #expect(client.isQuiet())
        #expect(try client.states()[0].flags == .absent)
    }

    @Test func `notifies all waiting clients, and cancels one of them`() throws {
        let field = try ServiceField()
        let clients = try (0..<8).map { _ in try RawClient(field.transport) }
        for client in clients { _ = try client.states(.waitForChange) }
        let canceller = try RawClient(field.transport, minor: nil)
        let cancel = ContextMessage(context: clients[3].context)
        #expect(try canceller.ask(.cancel(cancel), ContextMessage.self).result == .success)
        #expect(try clients[3].receive(8) == CountMessage(result: .cancelled).bytes)
        #expect(try canceller.ask(.cancel(cancel), ContextMessage.self).result == .invalidHandle)
        field.remove("ntag")
        for (index, client) in clients.enumerated() where index != 3 {
            #expect(try client.receive(8) == CountMessage(result: .success).bytes)
        }
        #expect(clients[3].isQuiet())
    }

    @Test func `lets a transaction wait for the end of another`() throws {
        let field = try ServiceField()
        let (one, other) = (try RawClient(field.transport), try RawClient(field.transport))
        let (first, second) = (try one.connect().card, try other.connect().card)
        #expect(try one.begin(first) == .success)
        // One poll interval passes without an end.
        #expect(try other.begin(second) == .sharingViolation)
        other.send(
            ServiceRequest.connect(
                ConnectMessage(
                    context: other.context, reader: "TapSim Test Reader 00 00", shareMode: .shared, protocols: .t1)
            ).bytes)
        #expect(other.isQuiet())
        #expect(other.isQuiet())
        #expect(try one.end(first) == .success)
        #expect(ConnectMessage(parsing: try other.receive(ConnectMessage.size)[...]).result == .success)
        #expect(try other.begin(second) == .success)
    }

    @Test func `plugs readers in and out while clients look`() throws {
        let field = try ServiceField()
        let client = try RawClient(field.transport, minor: 5)
        _ = try client.states(.waitForChange)
        let added = try #require(field.transport.plug(LoggedReader()))
        #expect(field.transport.readerName(added) == "TapSim Test Reader 01 00")
        #expect(try client.receive(8) == CountMessage(result: .success).bytes)
        #expect(try client.states().map(\.flags) == [.ready, .ready])
        let card = try client.connect(reader: "TapSim Test Reader 01 00").card
        _ = try client.states(.waitForChange)
        field.transport.unplug(added)
        #expect(try client.receive(8) == CountMessage(result: .success).bytes)
        #expect(try client.states().count == 1)
        #expect(try client.transmit(card, [0]).code == .invalidValue)
        #expect(try client.ask(.readerEvents, CountMessage.self).count == 4)
        for _ in 0..<15 { #expect(field.transport.plug(ScriptedReader()) != nil) }
        #expect(field.transport.plug(ScriptedReader()) == nil)
    }

    @Test func `shows a change of cards to the next call after following the world`() throws {
        let field = try ServiceField(card: nil)
        let client = try RawClient(field.transport)
        for _ in 0..<200 {
            field.tap("ntag")
            field.transport.follow()
            let card = try client.connect()
            #expect(card.result == .success)
            #expect(try client.disconnect(card.card) == .success)
            field.remove("ntag")
            field.transport.follow()
            #expect(try client.connect().result == .noSmartCard)
        }
    }

    @Test func `keeps volatile card state only where pcscd does`() throws {
        let field = try ServiceField()
        let client = try RawClient(field.transport)
        var card = try client.connect().card
        func mark() throws -> [UInt8] { try client.transmit(card, [0xFF, 0xE2, 0, 0]).answer }
        _ = try client.transmit(card, [0xFF, 0xE1, 0, 0])
        #expect(try mark() == [1, 0x90, 0x00])
        #expect(try client.disconnect(card) == .success)
        card = try client.connect().card
        #expect(try mark() == [1, 0x90, 0x00])
        #expect(try client.disconnect(card, .reset) == .success)
        card = try client.connect().card
        #expect(try mark() == [0, 0x90, 0x00])
    }
}

import TapCards
import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

@testable import TapTransports

@testable import TapHost

@testable import TapSystem

/// The results of calls with a fault for clients of the service, over its socket.
@Suite(.timeLimit(.minutes(20))) struct `Faults of the PC/SC service` {
    private static let getData: [UInt8] = [0xFF, 0xCA, 0, 0, 0]

    /// A service with an NTAG215 and a fault in a call.
    private final class Field {
        let host: FieldHost
        let transport: PCSCTransport

        init(_ name: String, _ values: [String: FaultValue] = [:], at call: PCSCCall, nth: Int = 1) throws {
            let fault = Fault(try #require(FaultCatalogue.named(name)), values)
            let trigger = EventTrigger(.call(call), nth: nth)
            var world = World(seed: 1, plan: FaultPlan([.init(fault, when: trigger)]))
            world.followMeasuredClock()
            world.add(NTAGCard(SampleTags.t0()), named: "tag")
            world.tap("tag")
            host = FieldHost(world)
            transport = try PCSCTransport(host: host, readers: [StorageCardReader(name: "TapSim Test Reader")])
        }

        deinit {
            transport.close()
            host.close()
        }

        var wasInjected: Bool { host.snapshot.plan.unmet.isEmpty }
    }

    private static let code: [String: FaultValue] = ["code": .keyword("SCARD_E_TIMEOUT")]

    /// The return codes of a session: establish, connect, begin, transmit, status, end, disconnect, release.
    private func session(_ field: Field) throws -> [PCSCReturnCode] {
        let client = try RawClient(field.transport, minor: nil)
        _ = try client.ask(.version(ProtocolVersion(minor: 4)), ProtocolVersion.self)
        let context = try client.ask(.establish(EstablishMessage(scope: 2)), EstablishMessage.self)
        let connection = try client.ask(
            .connect(
                ConnectMessage(
                    context: context.context, reader: "TapSim Test Reader 00 00", shareMode: .shared,
                    protocols: [.t0, .t1])), ConnectMessage.self)
        guard connection.result == .success else { return [context.result, connection.result] }
        let card = connection.card
        let codes = [
            context.result, connection.result, try client.begin(card), try client.transmit(card, Self.getData).code,
            try client.status(card), try client.end(card), try client.disconnect(card),
        ]
        let release = ContextMessage(context: context.context)
        return codes + [try client.ask(.release(release), ContextMessage.self).result]
    }

    @Test(arguments: [
        (PCSCCall.beginTransaction, 2), (.transmit, 3), (.status, 4), (.endTransaction, 5), (.disconnect, 6),
        (.releaseContext, 7),
    ])
    func `make any call return a code`(call: PCSCCall, place: Int) throws {
        let field = try Field("pcsc.return_code", Self.code, at: call)
        let codes = try session(field)
        #expect(codes[place] == .timeout)
        #expect(codes[..<place].allSatisfy { $0 == .success })
        #expect(field.wasInjected)
    }

    @Test func `end a wait for changes with a return code`() throws {
        let field = try Field("pcsc.return_code", Self.code, at: .getStatusChange)
        let client = try RawClient(field.transport)
        client.send(ServiceRequest.waitForChange.bytes)
        _ = try client.receiveStates()
        #expect(CountMessage(parsing: try client.receive(CountMessage.size)[...]).result == .timeout)
        #expect(field.wasInjected)
    }

    @Test(arguments: [false, true])
    func `end every polling wait with a return code`(isCardRemoved: Bool) throws {
        let field = try Field("pcsc.return_code", Self.code, at: .getStatusChange)
        let client = try RawClient(field.transport)
        client.send(ServiceRequest.waitForChange.bytes)
        _ = try client.receiveStates()
        if isCardRemoved { field.host.perform { $0.remove("tag") } }
        for _ in 0..<2 {
            client.send(ServiceRequest.stopWaiting.bytes)
            #expect(CountMessage(parsing: try client.receive(CountMessage.size)[...]).result == .timeout)
        }
        client.send(ServiceRequest.waitForChange.bytes)
        _ = try client.receiveStates()
        client.send(ServiceRequest.stopWaiting.bytes)
        #expect(CountMessage(parsing: try client.receive(CountMessage.size)[...]).result == .success)
    }

    @Test func `count a wait for changes as one call, regardless of the number of changes`() throws {
        let field = try Field("pcsc.return_code", Self.code, at: .getStatusChange, nth: 2)
        let client = try RawClient(field.transport)
        func wait() throws {
            client.send(ServiceRequest.waitForChange.bytes)
            _ = try client.receiveStates()
        }
        for _ in 0..<2 {
            try wait()
            field.host.perform { $0.remove("tag") }
            #expect(CountMessage(parsing: try client.receive(CountMessage.size)[...]).result == .success)
            try wait()
            field.host.perform { $0.tap("tag") }
            #expect(CountMessage(parsing: try client.receive(CountMessage.size)[...]).result == .success)
        }
        try wait()
        client.send(ServiceRequest.stopWaiting.bytes)
        #expect(CountMessage(parsing: try client.receive(CountMessage.size)[...]).result == .success)
        #expect(!field.wasInjected)
        try wait()
        #expect(CountMessage(parsing: try client.receive(CountMessage.size)[...]).result == .timeout)
        #expect(field.wasInjected)
    }

    @Test func `reject connections`() throws {
        let field = try Field("pcsc.return_code", ["code": .keyword("SCARD_E_NO_SMARTCARD")], at: .connect)
        #expect(try session(field) == [.success, .noSmartCard])
    }

    @Test(arguments: [PCSCCall.endTransaction, .disconnect, .releaseContext])
    func `do not count as leaks of a client whose call was rejected`(call: PCSCCall) throws {
        let field = try Field("pcsc.return_code", Self.code, at: call)
        _ = try session(field)
        field.transport.close()
        #expect(field.transport.usage.contexts == 0)
        #expect(field.transport.usage.cards == 0)
        #expect(field.transport.usage.transactions == 0)
    }

    @Test func `do not count as leaks of a client that got no answer to its disconnection and asks again`() throws {
        let field = try Field("pcsc.lost_answer", Self.code, at: .disconnect)
        let client = try RawClient(field.transport)
        let card = try client.connect().card
        #expect(try client.disconnect(card) == .timeout)
        client.send(ServiceRequest.disconnect(DispositionMessage(card: card, disposition: .leave)).bytes)
        #expect(client.isBroken())
        field.transport.close()
        #expect(field.transport.usage == ServiceUsage())
    }

    @Test func `do not delay the end of the transport with slow calls`() throws {
        let slow: [String: FaultValue] = ["by": .time(.duration(.seconds(3_600)))]
        let field = try Field("pcsc.slow", slow, at: .transmit)
        let client = try RawClient(field.transport)
        let card = try client.connect().card
        let message = TransmitMessage(card: card, sendLength: UInt32(Self.getData.count), receiveLength: 258)
        client.send(ServiceRequest.transmit(message, Self.getData).bytes)
        while !field.wasInjected {}
        field.transport.close()
    }

    @Test func `remove the card inside a call, and bring it back`() throws {
        let back: [String: FaultValue] = ["back_in": .time(.duration(.milliseconds(5)))]
        let field = try Field("pcsc.removed_inside", back, at: .transmit)
        let client = try RawClient(field.transport)
        let card = try client.connect().card
        #expect(try client.transmit(card, Self.getData).code == .removedCard)
        BlockingThread.sleep(until: .now + .milliseconds(20))
        let other = try client.connect()
        #expect(other.result == .success)
        #expect(try client.transmit(other.card, Self.getData).code == .success)
    }

    @Test func `reset the card as another program would`() throws {
        let field = try Field("pcsc.reset_by_another", at: .transmit)
        let client = try RawClient(field.transport)
        let card = try client.connect().card
        #expect(try client.transmit(card, Self.getData).code == .resetCard)
    }

    @Test func `unplug the reader`() throws {
        let field = try Field("pcsc.reader_unplugged", at: .transmit)
        let client = try RawClient(field.transport)
        let card = try client.connect().card
        #expect(try client.transmit(card, Self.getData).code != .success)
        #expect(try client.states().isEmpty)
    }

    @Test func `stop the service`() throws {
        let field = try Field("pcsc.service_stopped", at: .transmit)
        let client = try RawClient(field.transport)
        let card = try client.connect().card
        #expect(throws: RawClient.Failure.self) { try client.transmit(card, Self.getData) }
        #expect(field.wasInjected)
    }

    @Test func `truncate an answer`() throws {
        let field = try Field("pcsc.short_answer", ["count": .integer(3)], at: .transmit)
        let client = try RawClient(field.transport)
        let card = try client.connect().card
        let whole: [UInt8] = [0x04, 0xA2, 0x3B, 0x5C, 0x6D, 0x7E, 0x80, 0x90, 0x00]
        let (_, short) = try client.transmit(card, Self.getData)
        #expect(short == whole.dropLast(3))
        let (_, next) = try client.transmit(card, Self.getData)
        #expect(next == whole)
    }

    @Test func `report a spurious change, and suppress a real one`() throws {
        let spurious = try Field("pcsc.spurious_event", at: .getStatusChange)
        let told = try RawClient(spurious.transport)
        told.send(ServiceRequest.waitForChange.bytes)
        _ = try told.receiveStates()
        #expect(try told.receive(CountMessage.size).count == CountMessage.size)
        let lost = try Field("pcsc.lost_event", at: .getStatusChange)
        let waiting = try RawClient(lost.transport)
        waiting.send(ServiceRequest.waitForChange.bytes)
        _ = try waiting.receiveStates()
        lost.host.perform { $0.remove("tag") }
        #expect(waiting.isQuiet())
    }

    @Test func `are injected in the call that carries an RF command`() throws {
        let fault = Fault(try #require(FaultCatalogue.named("pcsc.lost_answer")), Self.code)
        let trigger = EventTrigger.command(try #require(CommandName("ntag.read")))
        var world = World(seed: 1, plan: FaultPlan([.init(fault, when: trigger)]))
        world.add(NTAGCard(SampleTags.t0()), named: "tag")
        world.tap("tag")
        let host = FieldHost(world)
        let transport = try PCSCTransport(host: host, readers: [StorageCardReader(name: "TapSim Test Reader")])
        defer {
            transport.close()
            host.close()
        }
        let client = try RawClient(transport)
        let card = try client.connect().card
        #expect(try client.transmit(card, Self.getData).code == .success)
        #expect(try client.transmit(card, [0xFF, 0xB0, 0, 4, 4]).code == .timeout)
    }
}

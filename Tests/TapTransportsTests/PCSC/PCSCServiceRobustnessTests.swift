import TapWire
import TestSupport
import Testing

@testable import TapTransports

@testable import TapSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The actions of one client do not affect the others.
@Suite(.timeLimit(.minutes(20)), .serialized) struct `A client that misbehaves` {
    /// A complete session of another client.
    private func expectService(_ field: ServiceField) throws {
        let client = try RawClient(field.transport)
        defer { client.close() }
        let card = try client.connect()
        #expect(card.result == .success)
        #expect(try client.transmit(card.card, [0xFF, 0xCA, 0, 0, 0]).answer == [0, 0x90, 0x00])
        #expect(try client.disconnect(card.card) == .success)
    }

    @Test func `by connecting after a service ends does not reach the next service at the same entrance`() throws {
        let entrance = try PCSCEntrance()
        let first = try ServiceField(at: .entrance(entrance))
        try expectService(first)
        first.transport.close()
        let late = try RawClient(first.transport, minor: nil)
        late.send(ServiceRequest.version(ProtocolVersion(minor: 4)).bytes)
        let second = try ServiceField(at: .entrance(entrance))
        #expect(late.isBroken())
        #expect(!second.transport.wasUsed)
        try expectService(second)
        entrance.close()
        #expect(throws: SystemError.self) { try RawClient(second.transport, minor: nil) }
    }

    @Test func `by dying inside a transaction releases the card, reset`() throws {
        let field = try ServiceField()
        let (dying, other) = (try RawClient(field.transport), try RawClient(field.transport))
        let (first, second) = (try dying.connect().card, try other.connect().card)
        #expect(try dying.begin(first) == .success)
        dying.close()
        // The other client is notified of the reset as soon as the transaction is over, and not before.
        var code = PCSCReturnCode.sharingViolation
        while code == .sharingViolation { code = try other.begin(second) }
        #expect(code == .resetCard)
        // The notice is sent before the reader has reset the card, and a disconnected client is not counted until then.
        var log = field.log.take()
        for _ in 0..<20_000 where log.count < 2 {
            BlockingThread.sleep(until: .now + .milliseconds(1))
            log += field.log.take()
        }
        #expect(log == ["look", "reset"])
        try expectService(field)
    }

    @Test func `by dying while it waits for a reader is released`() throws {
        let field = try ServiceField()
        let (one, dying) = (try RawClient(field.transport), try RawClient(field.transport))
        let card = try one.connect().card
        #expect(try one.begin(card) == .success)
        let connect = ConnectMessage(
            context: dying.context, reader: "TapSim Test Reader 00 00", shareMode: .shared, protocols: .t1)
        dying.send(ServiceRequest.connect(connect).bytes)
        #expect(dying.isQuiet())
        dying.close()
        rest(while: field.transport.clientCount > 1)
        #expect(try one.end(card) == .success)
        #expect(try one.states()[0].sharing == 1)
    }

    /// Its last data stays unread while it waits.
    @Test(arguments: [1, 600]) func `by dying while it waits for itself with more data sent is released`(more: Int)
        throws
    {
        let field = try ServiceField()
        let dying = try RawClient(field.transport)
        #expect(try dying.begin(dying.connect().card) == .success)
        let connect = ConnectMessage(
            context: dying.context, reader: "TapSim Test Reader 00 00", shareMode: .shared, protocols: .t1)
        dying.send(ServiceRequest.connect(connect).bytes)
        #expect(dying.isQuiet())
        dying.send([UInt8](repeating: 0, count: more))
        dying.close()
        rest(while: field.transport.clientCount > 0)
        try expectService(field)
    }

    @Test func `by dying while it waits for a change is forgotten`() throws {
        let field = try ServiceField()
        let waiting = try RawClient(field.transport)
        _ = try waiting.states(.waitForChange)
        waiting.close()
        field.remove("ntag")
        field.tap("ntag")
        // The service notices cards a moment after they have come and gone.
        let looking = try RawClient(field.transport)
        while try looking.states()[0].eventCounter < 2 {}
        try expectService(field)
    }

    @Test func `by sending half a message and staying costs only its connection`() throws {
        let field = try ServiceField()
        let half = try RawClient(field.transport)
        half.send(Array(ServiceRequest.samples[3].bytes.prefix(20)))
        try expectService(field)
        half.close()
        rest(while: field.transport.clientCount > 0)
    }

    @Test(arguments: [
        "FFFFFFFF 09000000", "00000000 00000000", "FFFFFFFF FFFFFFFF", "98000000 05000000",
        // 4 GiB of data after a command to the card.
        "20000000 09000000 01000000 02000000 10000000 FFFFFFFF 03000000 10000000 02010000 00000000",
    ])
    func `by sending garbage or huge lengths is disconnected`(hex: String) throws {
        let field = try ServiceField()
        let client = try RawClient(field.transport)
        client.send(try Hex.bytes(hex))
        #expect(client.isBroken())
        try expectService(field)
    }

    @Test func `by sending random bytes is disconnected or waits`() throws {
        let field = try ServiceField()
        var random = TestRandom()
        for _ in 0..<TestScale.count(200) {
            let client = try RawClient(field.transport, minor: random.oneIn(2) ? 4 : nil)
            client.send(random.bytes(random.number(1...600)))
            client.close()
        }
        try expectService(field)
    }

    @Test func `by sending requests cut and changed at random does no harm`() throws {
        let field = try ServiceField()
        var random = TestRandom()
        for _ in 0..<TestScale.count(100) {
            let client = try RawClient(field.transport)
            for _ in 0..<random.number(1...5) {
                var bytes = random.pick(ServiceRequest.samples).bytes
                if random.oneIn(2) { bytes[random.number(below: bytes.count)] = random.byte() }
                client.send(random.oneIn(4) ? Array(bytes.prefix(random.number(below: bytes.count))) : bytes)
            }
            client.close()
        }
        rest(while: field.transport.clientCount > 0)
        try expectService(field)
    }

    @Test func `by never reading its answers does not keep others from reading`() throws {
        let field = try ServiceField()
        let deaf = try deafClient(field)
        try expectService(field)
        let waiting = try RawClient(field.transport)
        _ = try waiting.states(.waitForChange)
        field.remove("ntag")
        #expect(try waiting.receive(8) == CountMessage(result: .success).bytes)
        deaf.close()
    }

    @Test func `by never reading its answers does not keep the transport open`() throws {
        let field = try ServiceField()
        let deaf = try deafClient(field)
        field.transport.close()
        #expect(field.transport.clientCount == 0)
        deaf.close()
    }

    /// A client that sends requests until the system accepts no more; by then the service is blocked on its answers.
    private func deafClient(_ field: ServiceField) throws -> RawClient {
        let deaf = try RawClient(field.transport)
        deaf.descriptor.setNonBlocking()
        let request = ServiceRequest.readerStates.bytes
        var taken = 1
        for _ in 0..<200_000 where taken > 0 { taken = deaf.descriptor.sendToSocket(request[...]) ?? 0 }
        #expect(taken == 0)
        return deaf
    }

    @Test func `by not reading the notices it waits for is disconnected`() throws {
        let field = try ServiceField()
        let deaf = try RawClient(field.transport)
        deaf.descriptor.setNonBlocking()
        for _ in 0..<2_000 {
            _ = deaf.descriptor.sendToSocket(ServiceRequest.waitForChange.bytes[...])
        }
        #expect(deaf.isBroken())
        try expectService(field)
    }

    @Test func `by opening 10,000 connections gets only its share`() throws {
        let field = try ServiceField()
        let early = try RawClient(field.transport)
        var kept: [RawClient] = []
        for _ in 0..<10_000 {
            let client = try RawClient(field.transport, minor: nil)
            // The test keeps more connections than allowed, but fewer than it may open.
            if kept.count < 300 { kept.append(client) } else { client.close() }
        }
        #expect(field.transport.clientCount <= ClientThreads.maximumOfProcess)
        #expect(try early.connect().result == .success)
        // Another process is served meanwhile.
        let outcome = try ClientProcess.run(
            ClientCommand(
                ["pcsc_scan", "-n", "-r"],
                environment: ["PCSCLITE_CSOCK_NAME": field.transport.environment.first?.value ?? ""]),
            limits: ClientLimits(wall: .seconds(60)))
        #expect(outcome.standardOutput.text.contains("TapSim Test Reader 00 00"))
        for client in kept { client.close() }
        rest(while: field.transport.clientCount > 1)
        try expectService(field)
    }

    @Test func `is disconnected when the transport closes, whatever it is doing`() throws {
        let field = try ServiceField()
        let clients = try (0..<6).map { _ in try RawClient(field.transport) }
        let card = try clients[0].connect().card
        _ = try clients[0].begin(card)
        _ = try clients[1].states(.waitForChange)
        clients[2].send([1, 2, 3])
        let connect = ConnectMessage(
            context: clients[3].context, reader: "TapSim Test Reader 00 00", shareMode: .shared, protocols: .t1)
        clients[3].send(ServiceRequest.connect(connect).bytes)
        field.transport.close()
        for client in clients { #expect(client.isBroken()) }
        field.transport.close()
        #expect(throws: SystemError.self) { try RawClient(field.transport) }
    }
}

@Suite struct `The socket of the PC/SC service` {
    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test func `is in a private folder, which is removed with it`() throws {
        let field = try ServiceField()
        let path = try #require(field.transport.environment.first?.value)
        let folder = String(path.dropLast("/pcscd.comm".count))
        #expect(path.hasSuffix("/pcscd.comm"))
        #expect(mode(folder) == 0o700)
        #expect(mode(path) == 0o600)
        field.transport.close()
        #expect(mode(path) == nil)
        #expect(mode(folder) == nil)
    }

    @Test func `is at a path with the requested mode`() throws {
        let folder = try PrivateDirectory()
        let path = "\(folder.path)/socket"
        let field = try ServiceField(at: .path(path, mode: 0o660))
        #expect(mode(path) == 0o660)
        #expect(field.transport.environment.first?.value == path)
        let client = try RawClient(field.transport)
        #expect(try client.connect().result == .success)
        #expect(throws: SystemError.self) { try ServiceField(at: .path(path, mode: 0o660)) }
        field.transport.close()
        #expect(mode(path) == nil)
    }

    @Test func `of a transport leads only to its own readers`() throws {
        let fields = try (0..<16).map { index in try ServiceField(card: index.isMultiple(of: 2) ? "ntag" : "felica") }
        let clients = try fields.map { try RawClient($0.transport) }
        for (index, client) in clients.enumerated() {
            let card = try client.connect().card
            #expect(try client.transmit(card, [0xFF, 0xCA, 0, 0, 0]).answer == [UInt8(index % 2), 0x90, 0x00])
        }
        let card = try clients[0].connect().card
        #expect(throws: RawClient.Failure.self) { try clients[2].status(card) }
    }
}

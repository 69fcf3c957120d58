import TapReaders
import TapWire
import Testing

@testable import TapTransports

/// Source for all return codes and the order of checks: winscard.c and readerfactory.c of pcsc-lite 1.9.9.
@Suite struct `Connections to cards` {
    @Test func `use the reader's name with its numbers`() {
        let run = ManagerRun(readers: 3)
        #expect((0..<3).map { run.name($0) } == ["Reader 00 00", "Reader 01 00", "Reader 02 00"])
    }

    @Test func `use T=1 if both card and program support it`() {
        var run = ManagerRun()
        let first = run.connect()
        #expect(first.result == .success)
        #expect(first.activeProtocol == .t1)
        #expect(first.card != 0)
        #expect(run.state().flags == [.present, .powered, .negotiable])
        #expect(run.state().sharing == 1)
        #expect(run.state().atr == StorageCardATR.ntag)
        #expect(run.takeLog() == [])
    }

    @Test(
        arguments: [
            (.shared, .t0, .success, .t0),
            (.shared, .t1, .success, .t1), (.shared, [.t0, .t1], .success, .t1), (.shared, .raw, .success, .raw),
            (.shared, [.t0, .raw], .success, .raw), (.exclusive, .t1, .success, .t1),
            (.shared, .anyAsOfOld, .success, .t1), (.shared, [], .protocolMismatch, []),
            (.shared, PCSCProtocols(rawValue: 8), .protocolMismatch, []), (.exclusive, [], .protocolMismatch, []),
            (.direct, [], .success, []), (.direct, .t1, .success, []), (.direct, .raw, .success, .raw),
            (PCSCShareMode(0), .t1, .invalidValue, []), (PCSCShareMode(4), .t1, .invalidValue, []),
            // Protocols are checked first.
            (PCSCShareMode(4), [], .protocolMismatch, []),
        ] as [(PCSCShareMode, PCSCProtocols, PCSCReturnCode, PCSCProtocols)])
    func `negotiate share mode and protocol`(
        mode: PCSCShareMode, protocols: PCSCProtocols, code: PCSCReturnCode, active: PCSCProtocols
    ) {
        var run = ManagerRun()
        let answer = run.connect(0, mode, protocols)
        #expect(answer.result == code)
        #expect(answer.activeProtocol == active)
        #expect((answer.card != 0) == (code == .success))
        #expect(run.manager.cards.count == (code == .success ? 1 : 0))
    }

    @Test func `need a card, unless they are direct`() {
        var run = ManagerRun(card: false)
        #expect(run.connect().result == .noSmartCard)
        #expect(run.connect(0, .exclusive).result == .noSmartCard)
        let direct = run.connect(0, .direct, [])
        #expect(direct.result == .success)
        #expect(run.status(direct.card) == .success)
        #expect(run.transmit(direct.card).result == .noSmartCard)
        #expect(run.connect(0, .shared, .t1, reader: "Reader 01 00").result == .unknownReader)
        #expect(run.connect(0, .shared, .t1, reader: "").result == .unknownReader)
    }

    @Test func `share a card or have it exclusively`() {
        var run = ManagerRun()
        let first = run.connect(0)
        let second = run.connect(1)
        #expect(run.state().sharing == 2)
        #expect(run.connect(2, .exclusive).result == .sharingViolation)
        #expect(run.disconnect(first.card, 0) == .success)
        #expect(run.connect(2, .exclusive).result == .sharingViolation)
        #expect(run.disconnect(second.card, 1) == .success)
        let alone = run.connect(2, .exclusive)
        #expect(alone.result == .success)
        #expect(run.state().sharing == -1)
        #expect(run.connect(0).result == .sharingViolation)
        #expect(run.connect(0, .direct, []).result == .sharingViolation)
        #expect(run.connect(0, .exclusive).result == .sharingViolation)
        #expect(run.disconnect(alone.card, 2) == .success)
        #expect(run.state().sharing == 0)
        #expect(run.connect(0).result == .success)
    }

    @Test func `fail with another protocol than the current one`() {
        var run = ManagerRun()
        let first = run.connect(0, .shared, .t1)
        #expect(run.connect(1, .shared, .t0).result == .protocolMismatch)
        #expect(run.connect(1, .shared, [.t0, .t1]).activeProtocol == .t1)
        #expect(run.connect(1, .shared, .raw).activeProtocol == .raw)
        #expect(run.connect(1, .shared, .t1).result == .protocolMismatch)
        #expect(run.transmit(first.card).result == .protocolMismatch)
    }

    @Test func `reset the protocol when the last of them ends`() {
        var run = ManagerRun()
        let card = run.connect(0, .shared, .raw).card
        run.disconnect(card)
        #expect(run.state().activeProtocol == [])
        #expect(run.connect(0, .shared, .t1).activeProtocol == .t1)
    }

    @Test func `belong to their context`() {
        var run = ManagerRun()
        let card = run.connect(0).card
        for request: ServiceRequest in [
            .status(CardMessage(card: card)), .disconnect(DispositionMessage(card: card, disposition: .leave)),
            .transmit(TransmitMessage(card: card, sendLength: 0, receiveLength: 2), []),
            .beginTransaction(CardMessage(card: card)), .getAttribute(AttributeMessage(card: card, attribute: .atr)),
        ] {
            #expect(run.ask(request, from: 1) == .closed)
        }
        #expect(run.ask(.status(CardMessage(card: 0)), from: 0) == .closed)
        #expect(run.ask(.status(CardMessage(card: -1)), from: 0) == .closed)
        run.contexts[1] = run.contexts[0]
        #expect(run.connect(1).result == .invalidValue)
        #expect(run.status(card) == .success)
    }

    @Test func `need a context`() {
        var run = ManagerRun()
        run.manager.admit(9)
        #expect(run.connect(9).result == .invalidHandle)
        #expect(run.connect(9, .exclusive).result == .invalidHandle)
        #expect(run.state().sharing == 0)
        #expect(run.connect(0, .exclusive).result == .success)
        #expect(run.connect(9, .shared, [], reader: "none").result == .protocolMismatch)
    }

    @Test func `are limited for each context and each reader`() {
        var run = ManagerRun(readers: 2)
        run.insert(into: 1)
        for _ in 0..<200 { #expect(run.connect(0, .direct, []).result == .success) }
        #expect(run.connect(1).result == .internalError)
        #expect(run.connect(0, .shared, .t1, reader: run.name(1)).result == .noMemory)
        #expect(run.connect(1, .shared, .t1, reader: run.name(1)).result == .success)
        #expect(run.state(0).sharing == 200)
        #expect(run.state(1).sharing == 1)
    }

    @Test func `power up a card that is unpowered`() {
        var run = ManagerRun()
        let card = run.connect().card
        #expect(run.disconnect(card, 0, .unpower) == .success)
        #expect(run.takeLog() == ["down"])
        #expect(run.state().flags == .present)
        #expect(run.connect().result == .success)
        #expect(run.takeLog() == ["reset"])
        #expect(run.state().flags == .ready)
    }

    @Test func `fail if the card does not answer`() {
        var run = ManagerRun()
        let card = run.connect().card
        run.players[0]?.isMute = true
        #expect(run.disconnect(card, 0, .reset) == .success)
        #expect(run.state().flags == [.present, .swallowed])
        #expect(run.state().atr == [])
        #expect(run.connect().result == .unpoweredCard)
        let direct = run.connect(0, .direct, []).card
        #expect(run.reconnect(direct).result == .unresponsiveCard)
        run.players[0]?.isMute = false
        #expect(run.reconnect(direct, 0, .shared, .t1, .reset).result == .success)
    }

    @Test func `wait for the end of a transaction`() {
        var run = ManagerRun()
        let card = run.connect(0).card
        run.begin(card)
        let message = ConnectMessage(
            context: run.contexts[1] ?? 0, reader: run.name(), shareMode: .shared, protocols: .t1)
        #expect(run.ask(.connect(message), from: 1) == .waits(orAnswer: nil))
        run.end(card)
        #expect(run.connect(1).result == .success)
    }

    @Test func `fail if the card leaves meanwhile`() {
        var run = ManagerRun()
        run.disconnect(run.connect().card, 0, .unpower)
        run.players[0]?.meanwhile = { $0.remove() }
        #expect(run.connect().result == .unpoweredCard)
        #expect(run.state().flags == .absent)
    }

    @Test func `fail if the reader is unplugged meanwhile`() {
        var run = ManagerRun()
        run.disconnect(run.connect().card, 0, .unpower)
        run.players[0]?.meanwhile = { $0.manager.unplug(0) }
        #expect(run.connect().result == .readerUnavailable)
    }
}

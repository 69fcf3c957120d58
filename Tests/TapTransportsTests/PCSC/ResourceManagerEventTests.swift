import TapReaders
import TapWire
import Testing

@testable import TapTransports

/// Source for all return codes: winscard.c, readerfactory.c and eventhandler.c of pcsc-lite 1.9.9.
@Suite struct `Events of connections` {
    /// The return codes of calls, which depend on the events of the connection.
    private func codes(_ run: inout ManagerRun, _ card: Int32, _ client: ClientID = 0) -> [PCSCReturnCode] {
        [
            run.status(card, client), run.transmit(card, client).result, run.attribute(card, .atr, client).result,
            run.begin(card, client), run.end(card, client), run.control(card, client).result,
        ]
    }

    @Test func `none exist at first`() {
        var run = ManagerRun()
        let card = run.connect().card
        #expect(codes(&run, card) == [.success, .success, .success, .success, .success, .success])
    }

    @Test func `a removal is reported until the connection is renewed`() {
        var run = ManagerRun()
        let card = run.connect().card
        run.remove()
        let told = [PCSCReturnCode](repeating: .removedCard, count: 5) + [.success]
        #expect(codes(&run, card) == told)
        #expect(run.reconnect(card).result == .noSmartCard)
        #expect(run.reconnect(card, 0, .shared, .t1, .reset).result == .noSmartCard)
        // A requested reset is recorded even though there was no card to reset.
        run.insert(StorageCardATR.felica)
        #expect(codes(&run, card) == [PCSCReturnCode](repeating: .resetCard, count: 5) + [.success])
        #expect(run.connect(1).result == .success)
        let renewed = run.reconnect(card)
        #expect(renewed.result == .success)
        #expect(renewed.activeProtocol == .t1)
        #expect(codes(&run, card) == [.success, .success, .success, .success, .success, .success])
        #expect(run.disconnect(card) == .success)
    }

    @Test func `replacing a card is a removal`() {
        var run = ManagerRun()
        let card = run.connect().card
        run.swap()
        #expect(run.state().eventCounter == 2)
        #expect(run.state().atr == StorageCardATR.felica)
        #expect(run.transmit(card).result == .removedCard)
        #expect(run.takeLog() == [])
    }

    @Test func `a card that came and went unnoticed is a removal too`() {
        var run = ManagerRun(card: false)
        let card = run.connect(0, .direct, []).card
        run.players[0]?.slot.changes += 2
        if let slot = run.players[0]?.slot { run.manager.follow(0, slot) }
        #expect(run.status(card) == .removedCard)
        #expect(run.state().eventCounter == 2)
        #expect(run.state().flags == .absent)
    }

    @Test func `an insertion is not reported`() {
        var run = ManagerRun(card: false)
        let card = run.connect(0, .direct, []).card
        run.insert()
        #expect(run.status(card) == .success)
        #expect(run.state().eventCounter == 1)
        #expect(run.state().flags == .ready)
    }

    @Test func `a removal during a call is reported by that call`() {
        var run = ManagerRun()
        let card = run.connect().card
        run.players[0]?.meanwhile = { $0.remove() }
        #expect(run.transmit(card).result == .removedCard)
    }

    @Test func `a command never reaches a different card`() {
        var run = ManagerRun()
        let card = run.connect().card
        run.players[0]?.meanwhile = { $0.swap() }
        let answer = run.transmit(card)
        #expect(answer.result == .removedCard)
        #expect(answer.receiveLength == 0)
    }

    @Test(arguments: [PCSCDisposition.reset, .unpower])
    func `a reset by one connection is reported to the others until they are renewed`(disposition: PCSCDisposition) {
        var run = ManagerRun()
        let one = run.connect(0).card
        let other = run.connect(1).card
        #expect(run.reconnect(one, 0, .shared, .t1, disposition).result == .success)
        #expect(run.takeLog() == [disposition == .reset ? "reset" : "cycle"])
        #expect(run.status(one) == .success)
        #expect(codes(&run, other, 1) == [PCSCReturnCode](repeating: .resetCard, count: 5) + [.success])
        #expect(run.reconnect(other, 1).result == .success)
        #expect(run.status(other, 1) == .success)
    }

    @Test func `a reset at the end of a transaction is reported to its own connection too`() {
        var run = ManagerRun()
        let card = run.connect().card
        run.begin(card)
        #expect(run.end(card, 0, .reset) == .success)
        #expect(run.takeLog() == ["reset"])
        #expect(run.status(card) == .resetCard)
        #expect(run.state().flags == .ready)
        #expect(run.state().activeProtocol == [])
    }

    @Test func `a card that leaves right after a reset is absent, and its replacement is present`() {
        var run = ManagerRun()
        let card = run.connect().card
        run.players[0]?.afterwards = { $0.remove() }
        #expect(run.reconnect(card, 0, .shared, .t1, .reset).result == .noSmartCard)
        #expect(run.state().flags == .absent)
        run.insert()
        #expect(run.reconnect(card).result == .success)
        run.players[0]?.afterwards = { $0.swap() }
        #expect(run.reconnect(card, 0, .shared, .t1, .reset).result == .success)
        #expect(run.state().atr == StorageCardATR.felica)
        run.players[0]?.afterwards = { $0.swap() }
        #expect(run.disconnect(card, 0, .unpower) == .success)
        #expect(run.state().flags == .ready)
    }

    @Test func `a disconnection with a reset is reported to the others`() {
        var run = ManagerRun()
        let one = run.connect(0).card
        let other = run.connect(1).card
        #expect(run.disconnect(one, 0, .reset) == .success)
        #expect(run.takeLog() == ["reset"])
        #expect(run.status(other, 1) == .resetCard)
        #expect(run.state().sharing == 1)
        #expect(run.disconnect(other, 1, .unpower) == .success)
        #expect(run.takeLog() == ["down"])
        #expect(run.state().flags == .present)
    }

    @Test(arguments: [PCSCDisposition.leave, .eject])
    func `a disconnection that leaves the card is not reported`(disposition: PCSCDisposition) {
        var run = ManagerRun()
        let one = run.connect(0).card
        let other = run.connect(1).card
        #expect(run.disconnect(one, 0, disposition) == .success)
        #expect(run.takeLog() == [])
        #expect(run.status(other, 1) == .success)
        #expect(run.ask(.status(CardMessage(card: one))) == .closed)
    }

    @Test func `unknown dispositions are rejected`() {
        var run = ManagerRun()
        let card = run.connect().card
        #expect(run.disconnect(card, 0, PCSCDisposition(4)) == .invalidValue)
        #expect(run.end(card, 0, PCSCDisposition(4)) == .invalidValue)
        #expect(run.reconnect(card, 0, .shared, .t1, .eject).result == .invalidValue)
        #expect(run.reconnect(card, 0, PCSCShareMode(0)).result == .invalidValue)
        #expect(run.reconnect(card, 0, .shared, []).result == .protocolMismatch)
        #expect(run.status(card) == .success)
    }

    @Test func `unplugging ends all connections`() {
        var run = ManagerRun(readers: 2)
        let card = run.connect().card
        run.begin(card)
        run.manager.unplug(0)
        #expect(
            codes(&run, card) == [
                .invalidValue, .invalidValue, .invalidValue, .invalidValue, .invalidValue, .invalidValue,
            ])
        #expect(run.reconnect(card).result == .invalidValue)
        #expect(run.disconnect(card) == .success)
        #expect(run.ask(.status(CardMessage(card: card))) == .closed)
        #expect(run.connect(0, .shared, .t1, reader: "Reader 00 00").result == .unknownReader)
        #expect(run.name(1) == "Reader 01 00")
    }

    @Test func `a reader plugged in later gets the first free slot, and its counter continues`() {
        var run = ManagerRun(readers: 2)
        run.remove()
        run.manager.unplug(0)
        let isPlugged = run.plug(7, "Other")
        #expect(isPlugged)
        #expect(run.state(7).name == "Other 00 00")
        #expect(run.state(7).eventCounter == 1)
        let states = run.bytes(.readerStates, 0)
        #expect(ReaderState(parsing: states[..<184]).name == "Other 00 00")
        #expect(ReaderState(parsing: states[184..<368]).name == "Reader 01 00")
        #expect(states[368...].allSatisfy { $0 == 0 })
    }

    @Test func `there are sixteen slots`() {
        var run = ManagerRun(readers: 16)
        let isPlugged = run.plug(16, "Reader")
        #expect(!isPlugged)
        #expect(run.name(15) == "Reader 0F 00")
    }

    @Test func `a long name is truncated so that its numbers fit`() {
        var run = ManagerRun(readers: 0)
        let isPlugged = run.plug(0, String(repeating: "x", count: 300))
        #expect(isPlugged)
        #expect(run.name() == String(repeating: "x", count: 121) + " 00 00")
    }

    @Test func `the counter restarts after 65535`() {
        var run = ManagerRun(card: false)
        run.players[0]?.slot.changes += 65_534
        run.insert()
        #expect(run.state().eventCounter == 65_535)
        run.remove()
        #expect(run.state().eventCounter == 0)
    }
}

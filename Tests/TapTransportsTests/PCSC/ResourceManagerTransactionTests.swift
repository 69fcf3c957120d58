import TapReaders
import TapWire
import Testing

@testable import TapTransports

/// Source for all return codes: winscard.c, winscard_svc.c and readerfactory.c of pcsc-lite 1.9.9.
@Suite struct `Transactions` {
    @Test func `lock out others from the card, but not from the list of readers`() {
        var run = ManagerRun()
        let one = run.connect(0).card
        let other = run.connect(1).card
        #expect(run.begin(one) == .success)
        #expect(run.status(other, 1) == .sharingViolation)
        #expect(run.transmit(other, 1).result == .sharingViolation)
        #expect(run.control(other, 1).result == .sharingViolation)
        #expect(run.attribute(other, .atr, 1).result == .sharingViolation)
        #expect(run.reconnect(other, 1).result == .sharingViolation)
        #expect(run.end(other, 1) == .sharingViolation)
        #expect(run.end(other, 1, .reset) == .sharingViolation)
        #expect(run.transmit(one).result == .success)
        #expect(run.bytes(.readerStates, 1).count == 16 * 184)
        #expect(run.end(one) == .success)
        #expect(run.transmit(other, 1).result == .success)
    }

    @Test func `that cannot begin wait and are then rejected`() {
        var run = ManagerRun()
        let one = run.connect(0).card
        let other = run.connect(1).card
        run.begin(one)
        var refusal = CardMessage(card: other)
        refusal.result = .sharingViolation
        let begin = ServiceRequest.beginTransaction(CardMessage(card: other))
        #expect(run.ask(begin, from: 1) == .waits(orAnswer: refusal.bytes))
        run.end(one)
        #expect(run.begin(other, 1) == .success)
    }

    @Test func `nest, and need a matching number of ends`() {
        var run = ManagerRun()
        let one = run.connect(0).card
        let other = run.connect(1).card
        #expect(run.end(one) == .notTransacted)
        for _ in 0..<3 { #expect(run.begin(one) == .success) }
        for _ in 0..<2 { #expect(run.end(one) == .success) }
        #expect(run.status(other, 1) == .sharingViolation)
        #expect(run.end(one) == .success)
        #expect(run.status(other, 1) == .success)
        #expect(run.end(one) == .notTransacted)
    }

    @Test func `must be begun explicitly even in exclusive use`() {
        var run = ManagerRun()
        let card = run.connect(0, .exclusive).card
        #expect(run.end(card) == .notTransacted)
        #expect(run.begin(card) == .success)
        #expect(run.end(card) == .success)
        #expect(run.end(card) == .notTransacted)
        #expect(run.state().sharing == -1)
    }

    @Test func `end with the card reset, powered down or left as it is`() {
        var run = ManagerRun()
        let card = run.connect().card
        for (disposition, log) in [(PCSCDisposition.leave, []), (.reset, ["reset"]), (.unpower, ["cycle"])] {
            run.begin(card)
            #expect(run.end(card, 0, disposition) == .success)
            #expect(run.takeLog() == log)
            #expect(run.reconnect(card).result == .success)
        }
        run.begin(card)
        #expect(run.end(card, 0, .eject) == .unsupportedFeature)
        #expect(run.end(card) == .notTransacted)
    }

    @Test func `of a removed card cannot be ended, and do not lock out others`() {
        var run = ManagerRun()
        let one = run.connect(0).card
        run.begin(one)
        run.remove()
        #expect(run.end(one) == .removedCard)
        run.insert()
        let other = run.connect(1)
        #expect(other.result == .success)
        #expect(run.begin(other.card, 1) == .success)
    }

    @Test func `whose card leaves with the reset report it`() {
        var run = ManagerRun()
        let card = run.connect().card
        run.begin(card)
        run.players[0]?.meanwhile = { $0.remove() }
        #expect(run.end(card, 0, .reset) == .removedCard)
        #expect(run.state().flags == .absent)
    }

    @Test func `delay a disconnection that resets the card, but not one that leaves it`() {
        var run = ManagerRun()
        let one = run.connect(0).card
        let other = run.connect(1).card
        run.begin(one)
        let reset = ServiceRequest.disconnect(DispositionMessage(card: other, disposition: .reset))
        #expect(run.ask(reset, from: 1) == .waits(orAnswer: nil))
        #expect(run.disconnect(other, 1, .leave) == .success)
        #expect(run.status(one) == .success)
        #expect(run.takeLog() == [])
    }

    /// Otherwise the client would believe that the card is powered, and would not be notified of its reset.
    @Test(arguments: [PCSCDisposition.reset, .unpower])
    func `make a client that connects during a reset wait until the reset is done`(disposition: PCSCDisposition) {
        var run = ManagerRun()
        let card = run.connect(0).card
        let other = run.connect(1).card
        run.players[0]?.meanwhile = { run in
            let connect = ConnectMessage(
                context: run.contexts[2] ?? 0, reader: run.name(), shareMode: .shared, protocols: .t1)
            #expect(run.ask(.connect(connect), from: 2) == .waits(orAnswer: nil))
            let reconnect = ReconnectMessage(card: other, shareMode: .shared, protocols: .t1)
            #expect(run.ask(.reconnect(reconnect), from: 1) == .waits(orAnswer: nil))
        }
        #expect(run.disconnect(card, 0, disposition) == .success)
        #expect(run.connect(2).result == .success)
        #expect(run.state().flags == .ready)
        #expect(run.reconnect(other, 1).result == .success)
    }

    @Test func `can switch between shared and exclusive use`() {
        var run = ManagerRun()
        let one = run.connect(0).card
        let other = run.connect(1).card
        #expect(run.reconnect(one, 0, .exclusive).result == .sharingViolation)
        run.disconnect(other, 1)
        #expect(run.reconnect(one, 0, .exclusive).result == .success)
        #expect(run.state().sharing == -1)
        #expect(run.reconnect(one, 0, .exclusive).result == .success)
        #expect(run.connect(1).result == .sharingViolation)
        #expect(run.reconnect(one, 0, .shared).result == .success)
        #expect(run.state().sharing == 1)
    }
}

@Suite struct `Contexts` {
    @Test func `have four scopes`() {
        var run = ManagerRun()
        for scope: UInt32 in 0...5 {
            let bytes = run.bytes(.establish(EstablishMessage(scope: scope)), 3)
            let answer = EstablishMessage(parsing: bytes[...])
            #expect(answer.result == (scope < 4 ? .success : .invalidValue))
            #expect((answer.context != 0) == (scope < 4))
        }
    }

    @Test func `are released once`() {
        var run = ManagerRun()
        #expect(run.release(0, 1) == .invalidValue)
        #expect(run.release(0) == .success)
        #expect(run.release(0) == .invalidHandle)
    }

    @Test func `end their connections and leave the card as it is`() {
        var run = ManagerRun()
        let cards = (0..<3).map { _ in run.connect(0).card }
        let other = run.connect(1).card
        #expect(run.release(0) == .success)
        #expect(run.takeLog() == [])
        #expect(run.state().sharing == 1)
        #expect(run.status(other, 1) == .success)
        for card in cards { #expect(run.ask(.status(CardMessage(card: card))) == .closed) }
    }

    @Test(arguments: [PCSCShareMode.shared, .exclusive])
    func `that end inside a transaction reset the card`(mode: PCSCShareMode) {
        var run = ManagerRun()
        run.begin(run.connect(0, mode).card)
        run.leave(0)
        #expect(run.takeLog() == ["reset"])
        #expect(run.state().sharing == 0)
        let next = run.connect(1)
        #expect(next.result == .success)
        #expect(run.begin(next.card, 1) == .success)
        #expect(run.manager.clients.keys.sorted() == [1, 2, 3])
    }

    @Test func `that end inside a transaction leave a card that was reset or removed before`() {
        var run = ManagerRun()
        let card = run.connect(0).card
        run.begin(card)
        run.manager.raise(.reset, on: 0)
        run.leave(0)
        #expect(run.takeLog() == [])
        #expect(run.connect(1).result == .success)
    }

    @Test func `that end during another client's transaction do not affect it`() {
        var run = ManagerRun()
        let one = run.connect(0).card
        run.connect(1)
        run.begin(one)
        run.leave(1)
        #expect(run.takeLog() == [])
        #expect(run.status(one) == .success)
        #expect(run.transmit(one).result == .success)
    }

    @Test func `outlive a reader`() {
        var run = ManagerRun()
        run.connect(0, .exclusive)
        run.manager.unplug(0)
        #expect(run.release(0) == .success)
    }
}

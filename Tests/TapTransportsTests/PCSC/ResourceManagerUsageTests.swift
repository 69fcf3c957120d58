import TapWire
import Testing

@testable import TapTransports

@Suite struct `Resources that clients leave open` {
    private func usage(_ body: (inout ManagerRun) -> Void) -> ServiceUsage {
        var run = ManagerRun()
        body(&run)
        return run.manager.usage
    }

    @Test func `are none if everything is released`() {
        let usage = usage { run in
            let card = run.connect().card
            run.begin(card)
            run.end(card)
            run.disconnect(card)
            #expect(run.release(0) == .success)
            run.leave(0)
        }
        #expect(usage == ServiceUsage())
    }

    @Test func `are counted when the client ends`() {
        let usage = usage { run in
            run.begin(run.connect().card)
            run.connect()
            run.leave(0)
            run.leave(1)
        }
        #expect(usage.contexts == 2 && usage.cards == 1 && usage.transactions == 1 && usage.misuses.isEmpty)
    }

    @Test func `are counted when the context is released`() {
        let usage = usage { run in
            run.connect()
            run.begin(run.connect(0, .shared).card)
            #expect(run.release(0) == .success)
            run.leave(0)
        }
        #expect(usage.contexts == 0 && usage.cards == 2 && usage.transactions == 1)
    }

    @Test func `exclude a transaction that ends with its handle, as another client sees`() {
        let usage = usage { run in
            let card = run.connect(0, .shared).card
            run.begin(card)
            run.disconnect(card)
            let other = run.connect(1, .shared).card
            run.begin(other, 1)
            #expect(run.end(other, 1) == .success)
            run.disconnect(other, 1)
        }
        #expect(usage.transactions == 0 && usage.cards == 0)
    }

    @Test func `are reported along with calls that no correct client makes`() {
        let usage = usage { run in
            let card = run.connect().card
            run.end(card)
            _ = run.transmit(card, 0, .t0)
            run.remove()
            for _ in 0..<12 { _ = run.transmit(card) }
        }
        #expect(
            usage.misuses.map { "\($0.call) \($0.reason)" } == [
                "SCardEndTransaction without a transaction",
                "SCardTransmit with a protocol other than the connection's",
                "SCardTransmit repeatedly with a handle whose card was removed or reset, instead of SCardReconnect",
            ])
    }

    @Test func `count no misuse for calls in flight or after reconnecting`() {
        let usage = usage { run in
            let card = run.connect().card
            run.remove()
            run.insert()
            // A command that is sent and repeated a few times.
            for _ in 0..<6 { _ = run.transmit(card) }
            #expect(run.reconnect(card).result == .success)
            for _ in 0..<5 { #expect(run.transmit(card).result == .success) }
        }
        #expect(usage.misuses.isEmpty)
    }

    @Test(arguments: [(1, 0), (3, 2)])
    func `include connections beyond the last one to a reader`(count: Int, surplus: Int) {
        let usage = usage { run in
            for _ in 0..<count {
                _ = run.connect()
                run.remove()
                run.insert()
            }
            run.leave(0)
        }
        #expect(usage.cards == count && usage.surplusCards == surplus)
    }

    @Test func `are excused if a fault rejected the call or withheld its answer`() {
        let usage = usage { run in
            let card = run.connect().card
            run.begin(card)
            run.manager.excuseRefused(.endTransaction(DispositionMessage(card: card, disposition: .leave)), of: 0)
            run.manager.excuseRefused(.disconnect(DispositionMessage(card: card, disposition: .leave)), of: 0)
            run.manager.excuseRefused(.release(ContextMessage(context: run.contexts[0] ?? 0)), of: 0)
            run.leave(0)
            let untold = run.connect(1)
            run.manager.excuseUndelivered(.connect(untold), of: 1)
            run.manager.excuseUndelivered(.establish(EstablishMessage(scope: 2)), of: 1)
            run.leave(1)
        }
        #expect(usage == ServiceUsage())
    }

    @Test(arguments: [(1, 0), (2, 1)])
    func `include resources acquired after a call that a fault rejected`(begun: Int, forgotten: Int) {
        let usage = usage { run in
            let card = run.connect().card
            run.begin(card)
            run.manager.excuseRefused(.endTransaction(DispositionMessage(card: card, disposition: .leave)), of: 0)
            for _ in 0..<begun { run.begin(card) }
            #expect(run.end(card) == .success)
            run.leave(0)
        }
        #expect(usage.transactions == forgotten)
    }

    @Test func `are excused if the card was reset before the transaction could be ended`() {
        let usage = usage { run in
            let card = run.connect().card
            run.begin(card)
            run.manager.raise(.reset, on: 0)
            #expect(run.end(card) == .resetCard)
            run.leave(0)
        }
        #expect(usage.transactions == 0)
    }

    @Test func `are excused if the service has stopped`() {
        let usage = usage { run in
            run.begin(run.connect().card)
            run.manager.excuses.isStopped = true
            run.leave(0)
        }
        #expect(usage == ServiceUsage())
    }

    @Test func `include only the first misuses`() {
        let usage = usage { run in
            let card = run.connect().card
            for _ in 0...ServiceUsage.maximumMisuses { run.end(card) }
        }
        #expect(usage.misuses.count == ServiceUsage.maximumMisuses && usage.hasMisuseOutsideExchanges)
        var placed = usage
        placed.placeMisuses(afterExchanges: 4)
        #expect(!placed.hasMisuseOutsideExchanges && placed.misuses.allSatisfy { $0.exchange == 4 })
    }
}

@Suite struct `The ATR of a card` {
    /// Uses of the service by a client, and whether they give it the ATR.
    static let uses: [(use: @Sendable (inout ManagerRun) -> Void, isGiven: Bool)] = [
        ({ _ in }, false),
        ({ _ = $0.connect() }, false),
        // SCardListReaders also requests the states, but returns only names.
        ({ _ = $0.ask(.readerStates) }, false),
        ({ _ = $0.status($0.connect().card) }, true),
        ({ _ = $0.attribute($0.connect().card, .atr) }, true),
        ({ _ = $0.attribute($0.connect().card, .cardPresence) }, false),
        // SCardGetStatusChange with a change of a card, with and without SCardListReaders before it.
        ({ $0.ask(Self.list + Self.news + Self.list) }, true),
        ({ $0.ask(Self.news + Self.list) }, false),
        ({ $0.ask(Self.list + Self.timeOut + Self.list + Self.news + Self.list) }, true),
        // No change for `\\?PnP?\Notification` before the time-out, once and repeatedly.
        ({ $0.ask(Self.list + Self.timeOut + Self.list) }, false),
        ({ $0.ask(Self.list + Self.timeOut + Self.timeOut + Self.list) }, false),
        (
            {
                $0.ask(Self.list + Self.news)
                $0.leave(0)
            }, true
        ),
        // A card comes or goes during the wait.
        (
            {
                $0.ask(Self.list + [.waitForChange])
                $0.manager.reportChange()
                $0.ask(Self.news + [.waitForChange])
                $0.manager.reportChange()
            }, true
        ),
        (
            {
                $0.ask(Self.list + [.waitForChange])
                $0.manager.reportChange()
                $0.ask([.waitForChange])
                $0.leave(0)
            }, false
        ),
        // A reader comes or goes during the wait.
        (
            {
                $0.ask(Self.list + [.waitForChange])
                $0.manager.reportChange(ofReaders: true)
                $0.ask(Self.news)
                $0.leave(0)
            }, false
        ),
    ]

    private static let list = [ServiceRequest.readerStates]
    private static let news = [ServiceRequest.waitForChange, .readerStates, .stopWaiting]
    private static let timeOut = news + news

    @Test(arguments: uses.indices) func `is given to a client that requests it`(_ index: Int) {
        let (use, isGiven) = Self.uses[index]
        var run = ManagerRun()
        use(&run)
        #expect(run.manager.usage.hasGivenATR == isGiven)
    }

    @Test func `is not given without a card`() {
        var run = ManagerRun(card: false)
        run.ask(Self.list + Self.news + Self.list)
        #expect(!run.manager.usage.hasGivenATR)
    }
}

extension ManagerRun {
    /// Sends requests of client 0 and ignores the answers.
    fileprivate mutating func ask(_ requests: [ServiceRequest]) {
        for request in requests { _ = ask(request) }
    }
}

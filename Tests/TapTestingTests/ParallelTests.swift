import CoreNFC
import TapPhone
import TapTesting
import Testing

/// Tests that run in parallel as far as Swift Testing allows.
@Suite struct ParallelTests {
    @Test(.card(.suica(balance: 1000)), arguments: 1...8)
    func eachArgumentHasItsOwnPhone(_ number: Int) async throws {
        let reader = BalanceReader()
        reader.start()
        let end = try await VirtualNFC.sessionEnd()
        #expect(reader.balance == 1000)
        #expect(try VirtualNFC.phone.sessions.count == 1)
        #expect(end.exchanges.first?.number == 1)
    }

    @Test(.card(.suica(balance: 1)))
    func aSessionThatBeginsOnAQueueFindsThePhoneOfTheTest() async throws {
        #expect(try await balanceOnAQueue() == 1)
    }

    @Test(.card(.suica(balance: 2)))
    func aParallelSessionFindsItsOwnPhone() async throws {
        #expect(try await balanceOnAQueue() == 2)
    }

    @Test(.card(.suica(balance: 3)))
    func aPhoneInsideATestReplacesTheOuterPhoneTemporarily() async throws {
        let outer = try VirtualNFC.phone
        try await withVirtualNFC(.card(.suica(balance: 4))) {
            let inner = try VirtualNFC.phone
            #expect(inner !== outer)
            #expect(VirtualPhone.processDefault !== outer)
            let balance = try await balanceOnAQueue()
            #expect(balance == 4)
        }
        #expect(VirtualPhone.processDefault === outer)
        #expect(try await balanceOnAQueue() == 3)
    }

    @Test(.card(.suica()))
    func aTestWithoutAPhoneDoesNotGetThePhoneOfAParallelTest() async throws {
        await VirtualPhone.$current.withValue(nil) {
            #expect(!NFCReaderSession.readingAvailable)
            await #expect(throws: VirtualNFCError.self) { try await VirtualNFC.sessionEnd() }
            let isAvailable = await Task.detached { NFCReaderSession.readingAvailable }.value
            #expect(isAvailable, "app code outside of test tasks gets the parallel test's phone")
        }
    }

    /// Reads a card with an app that begins its session on its own queue, where no task is known.
    private func balanceOnAQueue() async throws -> Int? {
        let reader = BalanceReader(queue: DispatchQueue(label: "app"))
        nonisolated(unsafe) let app = reader
        DispatchQueue.global().async { app.start() }
        _ = try await VirtualNFC.sessionEnd()
        return reader.balance
    }
}

import CoreNFC
import TapTesting
import Testing

@Suite(.card(.suica(balance: 3120), named: "suica")) struct PhoneFaultTraitTests {
    @Test(.fault(.userCancel))
    func aPersonCancels() async throws {
        #expect(try await end().errorCode == 200)
    }

    @Test(.fault(.timeLimit))
    func theTimeIsOver() async throws {
        #expect(try await end().errorCode == 201)
    }

    @Test(.fault(.background, when: .connected))
    func theAppGoesToTheBackgroundWithACardConnected() async throws {
        let end = try await end()
        #expect(end.errorCode == 202)
        #expect(end.cards == ["suica"])
        #expect(end.commands.isEmpty)
    }

    @Test(.fault(.radioOff)) func theRadioIsOff() async throws { #expect(try await end().errorCode == 6) }

    @Test(.fault(.systemBusy)) func theSystemIsBusy() async throws { #expect(try await end().errorCode == 203) }

    @Test(.fault(.missingEntitlement)) func theEntitlementIsMissing() async throws {
        #expect(try await end().errorCode == 2)
    }

    @Test(.fault(.unsupported)) func thePhoneHasNoNFC() async throws {
        #expect(!NFCTagReaderSession.readingAvailable)
        #expect(try await end().errorCode == 1)
    }

    @Test(.fault(.connectionLost)) func theConnectionIsLost() async throws {
        #expect(try await end().errorMessage == "The card cannot be read")
    }

    @Test(.phone(["cancel": ["phone": "detected"]])) func thePhoneOfAFileHasTheSameKeys() async throws {
        #expect(try await end().errorCode == 200)
    }

    @Test(.card(.suica(balance: 1), named: "suica")) func aTestReplacesTheCardOfItsSuite() async throws {
        #expect(try await end().alerts.last == "1 yen")
    }

    private func end() async throws -> SessionEnd {
        let reader = BalanceReader()
        reader.start()
        return try await VirtualNFC.sessionEnd()
    }
}

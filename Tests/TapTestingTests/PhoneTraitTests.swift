import CoreNFC
import TapPhone
import Testing

@testable import TapTesting

/// A client that sends a wrong password and shows the result.
private func wrongPassword() -> TagClient {
    TagClient(.iso14443) { session, tag in
        guard case .miFare(let tag) = tag else { return session.invalidate(errorMessage: "no tag") }
        tag.sendMiFareCommand(commandPacket: Data([0x1B, 0, 0, 0, 0])) { data, error in
            session.alertMessage = error.map { "error \(($0 as NSError).code)" } ?? "byte \(data.first ?? 0xFF)"
            session.invalidate()
        }
    }
}

@Suite struct PhoneTraitTests {
    private static let locked = VirtualCard.ntag215(password: "01 02 03 04", auth0: 4, authenticationLimit: 3)

    @Test(.card(locked))
    func aWrongPasswordIsAnErrorAndIsCounted() async throws {
        let client = wrongPassword()
        client.start()
        #expect(try await VirtualNFC.sessionEnd().alerts == ["error 100"])
        #expect(try VirtualNFC.card.authenticationFailures == 1)
        #expect(try VirtualNFC.card.isUnchanged == false)
    }

    @Test(.card(locked), .policy(.refusalsAsBytes))
    func aPolicyDeterminesHowAnAppReceivesANAK() async throws {
        let client = wrongPassword()
        client.start()
        #expect(try await VirtualNFC.sessionEnd().alerts == ["byte 0"])
    }

    @Test(.card(locked), .phone(["nak": "byte"]))
    func aKeyOfAFileHasTheSameEffect() async throws {
        let client = wrongPassword()
        client.start()
        #expect(try await VirtualNFC.sessionEnd().alerts == ["byte 0"])
    }

    @Test(.card(.suica(balance: 3)), .clock(.real))
    func realTimeFollowsTheClockOfTheMachine() async throws {
        let reader = BalanceReader()
        reader.start()
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.alerts.last == "3 yen")
        #expect(try VirtualNFC.phone.settings.clock == .real)
    }

    @Test func theSeedDeterminesRandomValues() async throws {
        let identifiers = try await [1, 1, 2].asyncMap { (seed: UInt64) in
            let client = TagClient(.iso18092) { session, tag in
                guard case .feliCa(let card) = tag else { return session.invalidate(errorMessage: "no card") }
                session.alertMessage = card.currentIDm.map { "\($0)" }.joined(separator: " ")
                session.invalidate()
            }
            var shown: String?
            try await withVirtualNFC(.card(.suica()), .seed(seed)) {
                client.start()
                shown = try await VirtualNFC.sessionEnd().alerts.last
            }
            return shown
        }
        #expect(identifiers[0] != nil)
        #expect(identifiers[0] == identifiers[1])
        #expect(identifiers[0] != identifiers[2])
    }
}

extension Array {
    /// Maps the elements with a closure, one after another.
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}

import TapCards
import TapClient
import TapWire
import TestSupport
import Testing

@Suite struct `An electronic money reader` {
    @Test func `finds Edy, nanaco and WAON on one card`() async throws {
        var reader = reader(try ClientCards.money())
        let found = try await reader.readElectronicMoney()
        #expect(found.map(\.kind) == [.edy, .nanaco, .waon])
        #expect(found.map(\.balance) == [880, 3_210, 555])
        #expect(
            found.map { $0.number?.description } == ["1234567890123456", "7600000000000001", "6900000000000002"])
        #expect(found.map(\.history.count) == [1, 1, 1])
        #expect(found.map { $0.history[0].amount } == [-120, 3_000, -45])
        #expect(found.map { $0.history[0].kind } == ["payment", "top-up", "payment"])
        #expect(found.allSatisfy { $0.history[0].date?.description == "2026-11-18" })
        #expect(found.allSatisfy { $0.history[0].time == ClockTime(hour: 9, minute: 30) })
    }

    @Test func `finds Edy and stored fare on sample card S`() async throws {
        var reader = reader(try CardS.card())
        let found = try await reader.readElectronicMoney()
        #expect(found.map(\.kind) == [.edy, .transit])
        #expect(found.map(\.balance) == [414, 1_000])
        #expect(found[1].number == nil)
        #expect(found[1].history.count == 20)
    }

    @Test func `reports that a card without the services has no electronic money`() async throws {
        var reader = reader(try ClientCards.type3(ClientCards.uri))
        var code = await failure(&reader) { (reader) throws(ClientError) in try await reader.readElectronicMoney() }
        #expect(code == .noCard)
        var empty = TapClientTests.reader(
            try ClientCards.transit { definition in
                for index in definition.systems.indices {
                    definition.systems[index].services.removeAll { $0.code.attribute.isAuthenticationFree }
                }
            })
        code = await failure(&empty) { (reader) throws(ClientError) in try await reader.readElectronicMoney() }
        if case .servicesMissing = code {} else { Issue.record("\(String(describing: code))") }
    }
}

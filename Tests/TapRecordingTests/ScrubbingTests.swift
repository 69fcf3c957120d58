import TapCards
import TapClient
import TapDocument
import TapField
import TapRecording
import TapScenario
import TapWire
import TestSupport
import Testing

/// Scrubbing of sessions before they are shared.
@Suite struct `Scrubbed sessions` {
    /// Cards, each as one line of a file, with the client that reads them.
    static let cards: [(card: String, client: MadeSession.Client)] = [
        ("{template: suica}", .transit), ("{template: icoca, trips: 20}", .transit), ("{template: pasmo}", .transit),
        ("{template: nanaco}", .money), ("{template: edy}", .money), ("{template: waon}", .money),
    ]

    private func file(_ session: RecordedSession) -> String { RecordingFile(name: "made", session).text }

    /// The hexadecimal digits of all frames in a session.
    private func digits(_ session: RecordedSession) -> String {
        session.exchanges.map { Hex.text($0.command) + " " + ($0.answer.map { Hex.text($0.bytes) } ?? "") }
            .joined(separator: " ")
    }

    @Test(arguments: cards) func `keep their content but not the identity`(
        _ card: String, _ client: MadeSession.Client
    ) async throws {
        let made = try await MadeSession(card, client)
        let scrubbed = made.session.scrubbed().session
        let idm = try #require(made.session.idm)
        let written = file(scrubbed).filter { !$0.isWhitespace } + digits(scrubbed)
        #expect(!written.contains(Hex.digits(idm.rawValue, width: 16).dropFirst()))

        let (replayed, world) = try await MadeSession.run(client, on: try MadeSession.scenario(file(scrubbed)))
        let recorded = try #require(world.card(named: "card")?.engine as? RecordedCard)
        #expect(recorded.mismatch == nil && recorded.firstLeft == nil)
        try expectSameUse(replayed, made.result)
    }

    /// Checks that two readings show the same amounts, kinds of use and days between uses.
    private func expectSameUse(_ scrubbed: MadeSession.Reading, _ made: MadeSession.Reading) throws {
        #expect(scrubbed.money.map(\.balance) == made.money.map(\.balance))
        for (new, old) in zip(scrubbed.money, made.money) {
            #expect(new.history.map(\.amount) == old.history.map(\.amount))
            #expect(new.history.map(\.kind) == old.history.map(\.kind))
            #expect(new.number == nil || new.number != old.number)
            expectSameDistances(new.history.map(\.date), old.history.map(\.date))
        }
        guard let old = made.transit else { return }
        let new = try #require(scrubbed.transit)
        #expect(new.balance.balance == old.balance.balance)
        #expect(new.history.trips.map(\.amount) == old.history.trips.map(\.amount))
        #expect(new.history.trips.map(\.record.kind) == old.history.trips.map(\.record.kind))
        #expect(new.gates?.map(\.event) == old.gates?.map(\.event))
        let stations = Set(old.stations)
        #expect(!stations.isEmpty && stations.isDisjoint(with: new.stations))
        #expect(Set(new.stations).count == stations.count)
        #expect(new.history.records.map(\.region).allSatisfy { $0 == 0 })
        let days = { (card: TransitCard) in card.history.records.map(\.date.date) + (card.gates ?? []).map(\.date.date)
        }
        expectSameDistances(days(new), days(old))
        let numbers = { (card: TransitCard) in card.history.records.map(\.sequence) }
        #expect(distances(numbers(new).map(Int.init)) == distances(numbers(old).map(Int.init)))
        #expect((numbers(new).max() ?? 0) <= 1_000)
    }

    private func expectSameDistances(_ new: [CalendarDate?], _ old: [CalendarDate?]) {
        #expect(new.count == old.count)
        #expect(new.compactMap(\.self).allSatisfy { $0.year < 2010 })
        #expect(distances(new.compactMap { $0?.daysSince2000 }) == distances(old.compactMap { $0?.daysSince2000 }))
    }

    private func distances(_ numbers: [Int]) -> [Int] { zip(numbers, numbers.dropFirst()).map { $0 - $1 } }

    @Test(arguments: cards) func `do not change when scrubbed again`(_ card: String, _ client: MadeSession.Client)
        async throws
    {
        let once = try await MadeSession(card, client).session.scrubbed()
        let twice = once.session.scrubbed()
        #expect(twice.session == once.session)
        #expect(twice.notes.first == "Nothing had to be replaced.")
        #expect(RecordingCheck.findings(in: try MadeSession.scenario(file(once.session))) == [])
    }

    @Test func `are recognized as scrubbed even if exchanges are missing`() async throws {
        var session = try await MadeSession("{template: suica, trips: 20}", .transit).session.scrubbed().session
        session.exchanges.removeSubrange(3..<5)
        #expect(session.scrubbed().session == session)
    }

    @Test func `keep the kinds that are requested`() async throws {
        let made = try await MadeSession("{template: suica}", .transit)
        let all: Set<Scrubbing.Kind> = [.identifiers, .places, .dates, .counts, .texts, .secrets, .data]
        #expect(made.session.scrubbed(keeping: all).session == made.session)
        let kept = made.session.scrubbed(keeping: [.places]).session
        let (replayed, _) = try await MadeSession.run(.transit, on: try MadeSession.scenario(file(kept)))
        #expect(replayed.transit?.stations == made.result.transit?.stations)
        #expect(replayed.transit?.history.records.map(\.date) != made.result.transit?.history.records.map(\.date))
        let blocks = made.session.scrubbed(keeping: [.service(TransitServices.history.code)]).session
        let (read, _) = try await MadeSession.run(.transit, on: try MadeSession.scenario(file(blocks)))
        #expect(read.transit?.history == made.result.transit?.history)
        #expect(read.transit?.system.idm != made.result.transit?.system.idm)
    }

    @Test func `replace identifiers in notes, and accept the kind names of options`() async throws {
        var session = try await MadeSession("{template: suica, idm: '0101112233445566'}", .transit).session
        session.exchanges[0].note = "found 0101112233445566 twice"
        #expect(session.scrubbed().session.exchanges[0].note == "found 012E544150530001 twice")
        #expect(Scrubbing.Kind.names.allSatisfy { Scrubbing.Kind($0) != nil })
        #expect(Scrubbing.Kind("090F") == .service(TransitServices.history.code))
        #expect(Scrubbing.Kind("stations") == nil && Scrubbing.Kind("90F") == nil)
    }

    @Test func `report remaining personal data and its position`() async throws {
        let made = try await MadeSession("{template: suica}", .transit)
        let text = file(made.session)
        let findings = RecordingCheck.findings(in: try MadeSession.scenario(text))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let named = findings.compactMap { finding in finding.source.map { (lines[$0.line - 1], finding.what) } }
        #expect(named.contains { $0.0.contains("idm:") && $0.1 == "an identifier of the recorded card" })
        let history = try #require(named.first { $0.1.contains("date") })
        for word in ["IDm", "station", "date", "sequence number"] { #expect(history.1.contains(word)) }
        #expect(named.count == findings.count)
    }

    @Test func `do not change records of random bytes when scrubbed again`() throws {
        var random = TestRandom()
        let services: [NodeCode] = KnownApplication.all.flatMap(\.services).map(\.code)
        for _ in 0..<TestScale.count(200) {
            let session = RandomSession.blocks(&random, of: services)
            let once = session.scrubbed()
            let twice = once.session.scrubbed()
            #expect(twice.session == once.session, "TAPSIM_TEST_SEED=\(TestSeed.value)")
            #expect(once.session.exchanges.map(\.command.count) == session.exchanges.map(\.command.count))
            #expect(
                once.session.exchanges.map { $0.answer?.bytes.count }
                    == session.exchanges.map { $0.answer?.bytes.count })
        }
    }
}

extension TransitCard {
    /// The stations in the card's records.
    fileprivate var stations: [StationCode] {
        let places: [StationCode] = history.records.flatMap { record -> [StationCode] in
            switch record.place {
            case .rail(let entry, let exit): [entry, exit]
            case .machine(let station, _): [station]
            case .shop, .bus: []
            }
        }
        return (places + (gates ?? []).map(\.station)).filter { $0.rawValue != 0 }
    }
}

/// Random sessions.
enum RandomSession {
    /// Reads and writes of blocks with random contents.
    static func blocks(_ random: inout TestRandom, of services: [NodeCode]) -> RecordedSession {
        let idm = IDm(random.any())
        var session = RecordedSession(.frame, .felica(idm: idm, pmm: nil, system: nil))
        for _ in 0..<1 + random.number(below: 6) {
            let service = random.oneIn(5) ? NodeCode(random.any()) : random.pick(services)
            let count = random.number(1...4)
            let elements = (0..<count).map { BlockListElement(blockNumber: UInt16($0)) }
            let data = (0..<count).map { _ in BlockData(random.oneIn(4) ? [0] : random.bytes(16)) }
            if random.oneIn(3) {
                let request = WriteWithoutEncryption.Request(
                    idm: idm, services: [service], blocks: elements, data: data)
                session.exchanges.append(.init(Array(request.bytes.dropFirst()), nil))
            } else {
                let request = ReadWithoutEncryption.Request(idm: idm, services: [service], blocks: elements)
                let response = ReadWithoutEncryption.Response(idm: idm, blocks: data)
                session.exchanges.append(
                    .init(Array(request.bytes.dropFirst()), .init(Array(response.bytes.dropFirst()))))
            }
        }
        return session
    }
}

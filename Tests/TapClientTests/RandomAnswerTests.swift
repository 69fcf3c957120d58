import TapCards
import TapClient
import TapField
import TapWire
import TestSupport
import Testing

@Suite struct `A reader with random answers` {
    /// Runs one of the procedures and returns its error, if any.
    private func run<Link: TagLink>(_ number: Int, _ reader: inout CardReader<Link>) async -> ClientError? {
        do throws(ClientError) {
            switch number {
            case 0: _ = try await reader.readTransitCard()
            case 1: _ = try await reader.readElectronicMoney()
            case 2: _ = try await reader.readNDEF()
            case 3: _ = try await reader.readNDEF(password: SampleTags.password)
            case 4: _ = try await reader.dump()
            case 5: _ = try await reader.dumpFeliCa()
            case 6: try await reader.writeNDEF(ClientCards.uri)
            case 7:
                let tag = try await reader.identifyType2()
                try await reader.protect(tag, password: .zero, pack: 0)
                try await reader.removeProtection(of: tag)
            default:
                try await reader.activate(system: .ndef)
                try await reader.writeBlocks((0..<20).map { BlockWrite(BlockAddress(NodeCode(9), $0), .zero) })
            }
            return nil
        } catch {
            return error
        }
    }

    @Test func `ends with a result or an error for any answers`() async throws {
        var random = TestRandom()
        var codes: Set<ClientError.Code> = []
        for _ in 0..<10_000 {
            var reader = CardReader(try #require(RandomLink(TestRandom("link \(random.next())"))))
            if let error = await run(random.number(below: 9), &reader) {
                codes.insert(error.code)
                #expect(!error.description.isEmpty, "seed \(TestSeed.value)")
            }
        }
        #expect(codes.count > 20, "seed \(TestSeed.value)")
    }

    @Test func `ends with a result or an error for any changes to the answers of real cards`() async throws {
        var random = TestRandom()
        let engines: [any CardEngine] = [
            try ClientCards.transit(), try ClientCards.money(), try ClientCards.type3(ClientCards.uri),
            NTAGCard(SampleTags.t0()), NTAGCard(SampleTags.t1()), NTAGCard(SampleTags.t4()),
        ]
        for _ in 0..<2_000 {
            var world = World(seed: 1)
            world.add(random.pick(engines), named: "card")
            world.tap("card")
            let link = MutatingLink(
                base: VirtualLink(world, exchangeLimit: 200), random: TestRandom("link \(random.next())"))
            var reader = CardReader(link)
            _ = await run(random.number(below: 9), &reader)
        }
    }
}

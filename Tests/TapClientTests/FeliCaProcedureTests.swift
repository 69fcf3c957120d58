import TapCards
import TapClient
import TapField
import TapWire
import TestSupport
import Testing

@Suite struct `A reader with a FeliCa card` {
    private let history = TransitServices.history.code

    @Test func `reads balance, twenty trips and gates of a transit card`() async throws {
        var reader = reader(try ClientCards.transit())
        let card = try await reader.readTransitCard()
        #expect(card.system.code == .transit)
        #expect(card.system.idm == CardS.definition.idm)
        #expect(card.balance.balance == 1000)
        #expect(card.history.records.count == 20)
        #expect(card.history.trips[0].amount == -150)
        #expect(card.history.trips[19].amount == nil)
        #expect(card.gates == [ClientCards.gate])
    }

    @Test func `omits the gates of a card without them`() async throws {
        var reader = reader(try CardS.card())
        #expect(try await reader.readTransitCard().gates == nil)
    }

    @Test func `reports the missing service of a card that is not a transit card`() async throws {
        var reader = reader(try ClientCards.transit { $0.systems[0].services.removeAll { $0.code.number == 0x24 } })
        let code = await failure(&reader) { (reader) throws(ClientError) in try await reader.readTransitCard() }
        #expect(code == .servicesMissing([history]))
    }

    @Test(arguments: [15, 12, 11, 10, 8, 7, 4, 3, 2, 1])
    func `finds out how many blocks a card reads at once, and remembers the number`(limit: Int) async throws {
        var reader = reader(try ClientCards.transit { $0.profile.maxReadBlocks = limit })
        let card = try await reader.readTransitCard()
        #expect(card.history.records.count == 20)
        #expect(card.gates?.count == 1)
        let before = reader.commands(0x06).count
        _ = try await reader.readBlocks(of: history, upTo: 20)
        let atOnce = [12, 10, 8, 4, 1].first { $0 <= limit } ?? 1
        #expect(reader.commands(0x06).count - before == (20 + atOnce - 1) / atOnce)
    }

    @Test func `starts with the configured number of blocks and handles a rejection`() async throws {
        let card = try ClientCards.transit { $0.profile.maxReadBlocks = 12 }
        var reader = CardReader(reader(card).link, blocksAtOnce: 13)
        #expect(try await reader.readTransitCard().history.records.count == 20)
        let sizes = reader.commands(0x06).compactMap { try? ReadWithoutEncryption.Request(parsing: $0) }
            .map(\.blocks.count)
        #expect(sizes.starts(with: [1, 13, 12]))
    }

    @Test func `lists the systems and nodes of the card's definition`() async throws {
        let definition = CardS.definition
        var reader = reader(try CardS.card())
        try await reader.activate(system: .transit)
        #expect(try await reader.requestSystemCodes() == definition.systems.map(\.code))
        let system = try #require(definition.systems.first { $0.code == .transit })
        let listed = try await reader.listNodes()
        let areas = system.areas.map { FeliCaNode.area($0.code, end: $0.end) }
        let services = system.services.map { FeliCaNode.service($0.code) }
        #expect(Set(listed) == Set(areas + services))
        #expect(listed.count == areas.count + services.count)
    }

    @Test func `reads blocks of several services in any order and names missing blocks`() async throws {
        var reader = reader(try CardS.card())
        try await reader.activate(system: .transit)
        let addresses = [
            BlockAddress(history, 19), BlockAddress(TransitServices.balance.code, 0), BlockAddress(history, 0),
            BlockAddress(NodeCode(0x1009), 3), BlockAddress(history, 19),
        ]
        let blocks = try await reader.readBlocks(addresses)
        var singly: [BlockData] = []
        for address in addresses { singly += try await reader.readBlocks([address]) }
        #expect(blocks == singly)
        do {
            _ = try await reader.readBlocks([BlockAddress(history, 20)])
            Issue.record("expected an error for block 20")
        } catch {
            #expect(error.code == .refused(StatusFlags(1, .blockNumber)))
            #expect(error.description.contains("block 20 of service 090F"))
        }
    }

    @Test func `lists services and blocks in ascending order, as some cards require`() async throws {
        var reader = reader(try ClientCards.transit { $0.profile.requireAscendingLists = true })
        try await reader.activate(system: .transit)
        let balance = BlockAddress(TransitServices.balance.code, 0)
        let blocks = try await reader.readBlocks([BlockAddress(history, 1), balance, BlockAddress(history, 0)])
        #expect(blocks.count == 3)
    }

    @Test func `reads one service at a time from cards that require it, such as FeliCa Lite`() async throws {
        var ordinary = reader(try ClientCards.transit())
        var reader = CardReader(OneServiceLink(base: ordinary.link))
        try await ordinary.activate(system: .transit)
        try await reader.activate(system: .transit)
        let addresses =
            [BlockAddress(TransitServices.balance.code, 0)] + (0..<20).map { BlockAddress(history, $0) }
            + [BlockAddress(TransitServices.gates.code, 0)]
        #expect(try await reader.readBlocks(addresses) == ordinary.readBlocks(addresses))
    }

    @Test func `reads a service up to its last block, regardless of their number`() async throws {
        for count in [1, 5, 11, 12, 13, 24, 29] {
            var reader = reader(
                try ClientCards.transit { definition in
                    definition.systems[0].services.append(
                        FeliCaServiceDefinition(
                            NodeCode(0x3009), blocks: (0..<count).map { BlockData([UInt8($0)]) }))
                })
            try await reader.activate(system: .transit)
            let blocks = try await reader.readBlocks(of: NodeCode(0x3009), upTo: 4_096)
            #expect(blocks.map { Int($0[0]) } == Array(0..<count))
        }
    }

    @Test(arguments: [13, 12, 10, 8, 4, 1])
    func `writes blocks in as many commands as the card needs`(limit: Int) async throws {
        var reader = reader(
            try ClientCards.transit { definition in
                definition.profile.maxWriteBlocks = limit
                definition.systems[0].services.append(
                    FeliCaServiceDefinition(NodeCode(0x3009), blocks: Array(repeating: .zero, count: 300)))
            })
        try await reader.activate(system: .transit)
        let numbers = Array(stride(from: 0, to: 300, by: 11))
        let writes = numbers.map {
            BlockWrite(BlockAddress(NodeCode(0x3009), UInt16($0)), BlockData([UInt8($0 % 251), 0xAA]))
        }
        try await reader.writeBlocks(writes)
        #expect(try await reader.readBlocks(writes.map(\.address)) == writes.map(\.data))
    }

    @Test func `dumps both systems with all nodes, readable blocks and locked services`() async throws {
        var reader = reader(try CardS.card())
        guard case .felica(let dump) = try await reader.dump() else {
            Issue.record("expected a FeliCa card")
            return
        }
        #expect(dump.idm == CardS.definition.idm)
        #expect(dump.systems.map(\.identity.code) == [.transit, .commonArea])
        #expect(dump.systems[0].areas.map(\.code.rawValue) == [0x0000, 0x0040, 0x0800, 0x1000])
        #expect(dump.systems[0].services.map(\.code) == CardS.definition.systems[0].services.map(\.code))
        let content = Dictionary(uniqueKeysWithValues: dump.systems[0].services.map { ($0.code, $0.content) })
        #expect(content[TransitServices.historyWithKey.code] == .locked)
        if case .blocks(let blocks) = content[history] {
            #expect(blocks.count == 20)
        } else {
            Issue.record("expected a history")
        }
        #expect(dump.listsSystems && dump.systems.allSatisfy(\.listsNodes))
    }

    @Test func `dumps the known services of a card that cannot list its nodes`() async throws {
        var reader = reader(
            try ClientCards.transit { $0.profile.supportedCommands = .des.subtracting([.searchServiceCode]) })
        guard case .felica(let dump) = try await reader.dump() else {
            Issue.record("expected a FeliCa card")
            return
        }
        #expect(dump.systems.map(\.listsNodes) == [false, false])
        #expect(dump.systems[0].services.contains { $0.code == history && $0.content != .locked })
    }

    @Test func `reports a missing card, and a missing system`() async throws {
        var empty = CardReader(VirtualLink(World(seed: 1)))
        var code = await failure(&empty) { (reader) throws(ClientError) in try await reader.readTransitCard() }
        #expect(code == .noCard)
        code = await failure(&empty) { (reader) throws(ClientError) in try await reader.readNDEF() }
        #expect(code == .noCard)
        var money = reader(try ClientCards.money())
        code = await failure(&money) { (reader) throws(ClientError) in try await reader.readTransitCard() }
        #expect(code == .noCard)
    }
}

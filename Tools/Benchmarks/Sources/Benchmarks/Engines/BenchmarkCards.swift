import TapCards
import TapField
import TapWire

/// The measured cards, with test keys, and requests for them.
enum BenchmarkCards {
    static let idm = IDm(0x0101_0A10_2030_4050)
    /// A cyclic service of 20 blocks, read only.
    static let history = NodeCode(0x090F)
    /// The first of the random services, read and write.
    static let random = NodeCode(0x1009)
    /// A service of the second system.
    static let common = NodeCode(0x110B)
    /// A cyclic service that can be written.
    static let cyclic = NodeCode(0x304D)
    /// A purse with limits, by decrement.
    static let purse = NodeCode(0x2015)
    static let password = PageData(0x12, 0x34, 0x56, 0x78)
    static let readOfOneBlock = read(0..<1)

    /// A card of one system with 24 services of 158 blocks, and a small second system.
    static var transit: FeliCaCardDefinition {
        let randomServices = (0..<22).map { number in
            let code = NodeCode(random.rawValue + UInt16(number) << 6)
            return FeliCaServiceDefinition(code, keys: keys, blocks: blocks(number < 6 ? 7 : 6, seed: number))
        }
        let cyclicServices = [0x090C, history.rawValue].map { code in
            FeliCaServiceDefinition(NodeCode(code), keys: keys, blocks: blocks(20, seed: 100))
        }
        let area = FeliCaAreaDefinition(NodeCode(0x0040), end: NodeCode(0x1FFF), keys: keys)
        let transit = FeliCaSystemDefinition(
            code: .transit, keys: keys, areas: [.root(keys: keys), area], services: cyclicServices + randomServices)
        let common = FeliCaSystemDefinition(
            code: .commonArea, keys: keys, areas: [.root(keys: keys)],
            services: [FeliCaServiceDefinition(common, keys: keys, blocks: blocks(2, seed: 50))])
        return FeliCaCardDefinition(idm: idm, pmm: PMm(0x0531_4345_4682_B7FF), systems: [transit, common])
    }

    /// The card with everything that its engine can answer: every command, a container, purses, keys for both ciphers.
    static var everything: FeliCaCardDefinition {
        var card = transit
        card.profile.supportedCommands = .aes.union(.mobile).union([.getNodeProperty])
        card.profile.pollingRequestCodes = .upToPerformance
        card.container = FeliCaContainer(idm: idm)
        card.productInformation = .init(data: [1, 2, 3, 4])
        card.specificationVersion = .init(basic: .init(0x8500), options: [.init(0x8100), .init(0x8000)])
        card.systemStatus.data = [1, 2]
        let money = BlockData([0, 0, 0, 0x40])
        card.systems[0].services += [
            FeliCaServiceDefinition(purse, keys: keys, blocks: [money], purseLimits: PurseLimits()),
            FeliCaServiceDefinition(cyclic, keys: keys, blocks: blocks(4, seed: 60)),
        ]
        // Enough keys of the second cipher and enough services for lists of two packets.
        card.systems[0].keys.aesVersion = 7
        for number in 0..<100 {
            let code = NodeCode(0x4009 + UInt16(number) << 6)
            card.systems[0].services.append(FeliCaServiceDefinition(code, keys: keys, blocks: blocks(1, seed: number)))
        }
        return card
    }

    /// A FeliCa Lite-S as an NDEF tag, not locked.
    static var lite: FeliCaLiteDefinition {
        var card = FeliCaLiteDefinition(.liteS, idm: idm, pmm: PMm(0x00F1_0000_0001_4300))
        card.pads = blocks(14, seed: 70)
        card.configurationBlock = BlockData([0xFF, 0xFF, 0xFF, 0x01, 0x07])
        return card
    }

    /// An NTAG215 with a pattern in its user memory, unprotected.
    static func tag() throws -> NTAGDefinition {
        guard let uid = UID(NTAGDefinition.sampleUID) else { fatalError("the sample UID has seven bytes") }
        var tag = try NTAGDefinition(.ntag215, uid: uid)
        tag.userMemory = (0..<504).map { UInt8(truncatingIfNeeded: 7 * $0) }
        tag.password = password
        tag.pack = 0xABCD
        return tag
    }

    /// The tag with user memory that can be read after PWD_AUTH only.
    static func protectedTag() throws -> NTAGDefinition {
        NTAGPreset.protected.applied(to: try tag())
    }

    /// The tag with counter and mirror on.
    static func mirroringTag() throws -> NTAGDefinition {
        var tag = try tag()
        tag.configuration.mirrorKind = .uidAndCounter
        tag.configuration.mirrorPage = 0x06
        tag.configuration.access.isCounterEnabled = true
        return tag
    }

    /// A world with a card on its reader.
    static func world(_ card: some CardEngine, trace: Trace = .off) -> World {
        var world = World(seed: 1, trace: trace)
        world.add(card, named: "card")
        world.tap("card")
        return world
    }

    /// Read Without Encryption.
    static func read(_ blocks: some Collection<Int>, of service: NodeCode = history, system: Int = 0) -> [UInt8] {
        let list = blocks.map { BlockListElement(blockNumber: UInt16($0)) }
        return ReadWithoutEncryption.Request(idm: idm.ofSystem(system), services: [service], blocks: list).bytes
    }

    /// Write Without Encryption.
    static func write(_ data: [BlockData], to blocks: some Collection<Int>, of service: NodeCode) -> [UInt8] {
        let list = blocks.map { BlockListElement(blockNumber: UInt16($0)) }
        return WriteWithoutEncryption.Request(idm: idm, services: [service], blocks: list, data: data).bytes
    }

    private static let keys = FeliCaKeys(desVersion: 0x0001)

    private static func blocks(_ count: Int, seed: Int) -> [BlockData] {
        (0..<count).map { number in
            BlockData((0..<BlockData.byteCount).map { UInt8(truncatingIfNeeded: 31 * seed + 16 * number + $0) })
        }
    }
}

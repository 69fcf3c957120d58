import TapCards
import TapWire
import TestSupport
import Testing

extension FeliCaCard {
    /// The answer to a packet in hexadecimal; `-` for silence.
    mutating func answer(hex packet: String, memoryFails: Bool = false) throws -> String {
        var context = CardContext(random: SeededGenerator(seed: 1), isMemoryFailing: memoryFails)
        return answer(try Hex.bytes(packet), context: &context).map { Hex.text($0.bytes) } ?? "-"
    }

    /// The parsed answer to a request; `nil` for silence.
    mutating func answer<Command: FeliCaCommand>(
        _: Command.Type, _ request: Command.Request, memoryFails: Bool = false
    ) throws -> Command.Response? {
        var context = CardContext(random: SeededGenerator(seed: 1), isMemoryFailing: memoryFails)
        return try answer(request.bytes, context: &context).map { try Command.Response(parsing: $0.bytes) }
    }
}

/// Hexadecimal text without blanks.
func compact(_ hex: String) -> String { hex.filter { $0 != " " } }

/// A phone's card: one system with keys for both ciphers, areas with free blocks, a limited purse and a container.
enum CardM {
    static let idm = IDm(0x0102_0304_0506_0708)
    static let system = SystemCode(0x0003)

    static var definition: FeliCaCardDefinition {
        var definition = FeliCaCardDefinition(
            idm: idm, pmm: PMm(0x0118_4345_4682_B7FF), profile: profile,
            systems: [
                FeliCaSystemDefinition(
                    code: system, keys: FeliCaKeys(desVersion: 0x0100, aesVersion: 0x0200),
                    areas: [
                        FeliCaAreaDefinition.root(keys: FeliCaKeys(desVersion: 1, aesVersion: 2)),
                        FeliCaAreaDefinition(
                            NodeCode(0x0040), end: NodeCode(0x07BF), assignedBlocks: 10, information: 0x1234),
                        FeliCaAreaDefinition(NodeCode(0x0041), end: NodeCode(0x007F), assignedBlocks: 4),
                    ],
                    services: [
                        FeliCaServiceDefinition(
                            NodeCode(0x0049), keys: FeliCaKeys(desVersion: 3, aesVersion: 4), blocks: [.zero, .zero]),
                        FeliCaServiceDefinition(
                            NodeCode(0x004B), keys: FeliCaKeys(desVersion: nil, aesVersion: 4), blocks: [],
                            hasMACCommunication: true),
                        FeliCaServiceDefinition(
                            NodeCode(0x0091), blocks: [purse], purseLimits: PurseLimits(lower: -100, upper: 1_000)),
                        FeliCaServiceDefinition(
                            NodeCode(0x0093), blocks: [], purseLimits: PurseLimits(lower: -100, upper: 1_000)),
                        FeliCaServiceDefinition(NodeCode(0x00D7), blocks: [purse]),
                    ])
            ])
        definition.container = FeliCaContainer(
            idm: IDm(0x6D69_6E65_6D6F_6269), issueInformation: BlockData(Array("01234SH-100D".utf8)))
        definition.productInformation = .init(data: [0x18, 0x01])
        definition.systemStatus = .init(flag: 1, data: [1, 2, 3, 4])
        definition.specificationVersion = .init(basic: .init(0x8500), options: [.init(0x8412), .init(0)])
        return definition
    }

    /// All commands that the engine can answer.
    static var profile: FeliCaProfile {
        var profile = FeliCaProfile()
        profile.supportedCommands = .aes.union(.mobile).union(.macOption).union([.getNodeProperty, .updateRandomID])
        return profile
    }

    /// 50 in the purse, 5 of cashback, execution ID 0.
    private static let purse = BlockData([50, 0, 0, 0, 5, 0, 0, 0])
}

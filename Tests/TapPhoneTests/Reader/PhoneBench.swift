import TapCards
import TapField
import TapPhone
import TapWire
import TestSupport
import Testing

/// A phone with test cards, controlled in hexadecimal.
struct PhoneBench {
    var reader: PhoneReader
    var world: World
    var tags: [PhoneTag] = []

    /// Places cards in front of a phone.
    init(
        _ cards: [(name: String, engine: any CardEngine)], codes: [String]? = nil, policy: PhonePolicy = .default,
        plan: FaultPlan = FaultPlan(), timeline: Timeline = Timeline([])
    ) {
        let declared = codes.map { PhoneDeclarations(feliCaSystemCodes: $0, usageDescription: "Reads cards.") }
        reader = PhoneReader(declarations: declared ?? .notGiven, policy: policy)
        world = World(seed: 1, timeline: timeline, plan: plan, trace: Trace())
        for card in cards {
            world.add(card.engine, named: card.name)
            world.tap(card.name)
        }
    }

    /// A phone that is connected to the only card of a test.
    static func connected(
        _ engine: any CardEngine, codes: [String]? = nil, policy: PhonePolicy = .default, plan: FaultPlan = FaultPlan(),
        timeline: Timeline = Timeline([])
    ) throws -> PhoneBench {
        var bench = PhoneBench([("card", engine)], codes: codes, policy: policy, plan: plan, timeline: timeline)
        try bench.connect()
        return bench
    }

    /// A plan with one fault at a command.
    static func plan(
        _ fault: String, _ arguments: [String: FaultValue] = [:], at command: String, nth: Int = 1
    ) throws -> FaultPlan {
        let kind = try #require(FaultCatalogue.named(fault))
        let trigger = EventTrigger.command(try #require(CommandName(command)), nth: nth)
        return FaultPlan([.init(Fault(kind, arguments), when: trigger)])
    }

    @discardableResult
    mutating func look(_ technologies: PhoneTechnologies = [.iso14443, .iso18092]) -> [PhoneTag] {
        tags = reader.look(for: technologies, in: &world)
        return tags
    }

    mutating func connect(_ number: Int = 0) throws {
        if tags.isEmpty { look() }
        try reader.connect(to: try #require(tags.dropFirst(number).first), in: &world)
    }

    var tag: PhoneTag { tags[reader.connectedTag?.number ?? 0] }
    var idm: String { Hex.text(reader.currentIDm(of: tag)) }
    var systemCode: String { Hex.text(reader.currentSystemCode(of: tag)) }

    mutating func miFare(_ command: String) throws -> String {
        Hex.text(try reader.sendMiFareCommand(try Hex.bytes(command), of: tag, in: &world))
    }

    mutating func feliCa(_ packet: String) throws -> String {
        Hex.text(try reader.sendFeliCaCommand(try Hex.bytes(packet), of: tag, in: &world))
    }

    mutating func polling(_ code: String, _ requestCode: UInt8 = 0, slot: UInt8 = 0) throws -> (String, String) {
        let result = try reader.polling(
            systemCode: try Hex.bytes(code), requestCode: requestCode, timeSlot: slot, of: tag, in: &world)
        return (Hex.text(result.pmm), Hex.text(result.requestData))
    }

    mutating func read(_ services: [String], _ blocks: [String]) throws -> PhoneBlocks {
        try reader.readWithoutEncryption(
            services: services.map { try Hex.bytes($0) }, blocks: blocks.map { try Hex.bytes($0) }, of: tag, in: &world)
    }

    mutating func write(_ service: String, _ block: String, _ data: String) throws -> StatusFlags {
        try reader.writeWithoutEncryption(
            services: [try Hex.bytes(service)], blocks: [try Hex.bytes(block)], data: [try Hex.bytes(data)], of: tag,
            in: &world)
    }

    mutating func requestService(_ nodes: [String]) throws -> [String] {
        try reader.requestService(nodes.map { try Hex.bytes($0) }, of: tag, in: &world).map { Hex.text($0) }
    }

    mutating func readNDEF() throws -> String { Hex.text(try reader.readNDEF(of: tag, in: &world)) }
    mutating func queryNDEF() throws -> PhoneNDEFReport { try reader.queryNDEFStatus(of: tag, in: &world) }
    mutating func writeNDEF(_ message: [UInt8]) throws { try reader.writeNDEF(message, of: tag, in: &world) }
    mutating func lock() throws { try reader.writeLock(of: tag, in: &world) }

    /// The error of a call.
    mutating func error<Result>(_ call: (inout PhoneBench) throws -> Result) -> PhoneError? {
        do {
            _ = try call(&self)
            return nil
        } catch {
            return error as? PhoneError
        }
    }

    /// The error number of a call.
    mutating func code<Result>(_ call: (inout PhoneBench) throws -> Result) -> Int? {
        error(call)?.code.rawValue
    }

    /// The frames sent so far, in hexadecimal.
    var frames: [String] { world.trace.exchanges.map { Hex.text($0.command.bytes) } }
}

/// Test cards.
enum PhoneCards {
    /// The URI https://example.com/nfc, which the sample tags contain.
    static let uri = "D1011055046578616D706C652E636F6D2F6E6663"

    /// A second sample tag with another UID.
    static func otherTag() throws -> NTAGCard { NTAGCard(SampleTags.t0()).withAnotherIdentifier() }

    /// Card S with another IDm.
    static func otherCardS() throws -> FeliCaCard { try CardS.card().withAnotherIdentifier() }

    /// Card S with a chip that supports every command a phone has a name for.
    static func talkative() throws -> FeliCaCard {
        var profile = FeliCaProfile()
        profile.supportedCommands = .aes
        return try CardS.card(profile)
    }

    /// A card with only the common area.
    static func money() throws -> FeliCaCard {
        var definition = CardS.definition
        definition.idm = IDm(0x0101_0A10_2030_4099)
        definition.systems.removeFirst()
        return try FeliCaCard(definition)
    }

    /// A Type 3 tag with a message.
    static func type3(
        _ message: [UInt8], isWritable: Bool = true, _ change: (inout AttributeInformationBlock) -> Void = { _ in }
    ) throws -> FeliCaCard {
        var attributes = try AttributeInformationBlock(
            blocksPerRead: 4, blocksPerWrite: 2, blockCount: 40, messageLength: UInt32(message.count))
        change(&attributes)
        var blocks = [attributes.stored]
        for start in stride(from: 0, to: 40 * 16, by: 16) { blocks.append(BlockData(message.dropFirst(start))) }
        let service = isWritable ? Type3Services.write : Type3Services.read
        var definition = CardS.definition
        definition.systems = [
            FeliCaSystemDefinition(
                code: .ndef, areas: [.root()],
                services: [FeliCaServiceDefinition(service, blocks: blocks)]
                    + (isWritable ? [FeliCaServiceDefinition(Type3Services.read, blocks: [])] : []))
        ]
        return try FeliCaCard(definition)
    }

    /// A message with one record whose payload has the given number of bytes.
    static func message(payload count: Int) throws -> [UInt8] {
        NDEFMessage([try NDEFRecord(format: .unknown, payload: Array(repeating: 0x5A, count: count))]).bytes
    }
}

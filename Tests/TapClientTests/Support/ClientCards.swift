import TapCards
import TapClient
import TapField
import TapWire
import TestSupport
import Testing

/// Cards for tests of a reader's procedures.
enum ClientCards {
    /// Card S with a gate log, written with the types that clients use to read it.
    static func transit(_ change: (inout FeliCaCardDefinition) -> Void = { _ in }) throws -> FeliCaCard {
        var definition = CardS.definition
        definition.systems[0].services.append(
            FeliCaServiceDefinition(
                TransitServices.gates.code, blocks: [gate.stored, .zero, .zero]))
        change(&definition)
        return try FeliCaCard(definition)
    }

    static let gate = TransitGateRecord(
        .exit, station: StationCode(line: 1, station: 204), date: TransitDate(0x3234), time: BCDTime(0x0930),
        amount: 150)

    /// A phone with Edy, nanaco and WAON.
    static func money() throws -> FeliCaCard {
        let day = try #require(CalendarDate(year: 2026, month: 11, day: 18))
        let time = try #require(ClockTime(hour: 9, minute: 30))
        let edy = try EdyHistoryRecord(.payment, sequence: 2, time: EdyTimestamp(day, time), amount: 120, balance: 880)
        let nanaco = NanacoHistoryRecord(
            .topUp, amount: 3_000, balance: 3_210, time: try NanacoTimestamp(day, time), sequence: 7)
        let waon = try WAONHistoryRecord(
            .payment, sequence: 9, time: WAONTimestamp(day, time), balance: 555, withdrawal: 45)
        let services: [(ApplicationService, [BlockData])] = [
            (EdyServices.identification, [EdyIdentification(number: CardNumber(0x1234_5678_9012_3456)).stored, .zero]),
            (EdyServices.balance, [PurseBlock(value: 880).stored]),
            (EdyServices.history, [edy.stored] + Array(repeating: .zero, count: 5)),
            (NanacoServices.identification, [CardNumberBlock(number: CardNumber(0x7600_0000_0000_0001)).stored]),
            (NanacoServices.balance, [PurseBlock(value: 3_210).stored]),
            (NanacoServices.history, [nanaco.stored] + Array(repeating: .zero, count: 4)),
            (WAONServices.identification, [CardNumberBlock(number: CardNumber(0x6900_0000_0000_0002)).stored]),
            (WAONServices.balance, [PurseBlock(value: 555).stored]),
            (WAONServices.history, [waon.stored.first, waon.stored.second] + Array(repeating: .zero, count: 4)),
        ]
        var definition = CardS.definition
        definition.systems = [
            FeliCaSystemDefinition(
                code: .commonArea, areas: [.root()],
                services: services.map { FeliCaServiceDefinition($0.0.code, blocks: $0.1) })
        ]
        return try FeliCaCard(definition)
    }

    /// A Type 3 tag with a message.
    static func type3(_ message: NDEFMessage, _ change: (inout AttributeInformationBlock) -> Void = { _ in }) throws
        -> FeliCaCard
    {
        let bytes = message.bytes
        var attributes = try AttributeInformationBlock(
            blocksPerRead: 4, blocksPerWrite: 1, blockCount: 40, messageLength: UInt32(bytes.count))
        change(&attributes)
        var blocks = [attributes.stored]
        for start in stride(from: 0, to: 40 * 16, by: 16) { blocks.append(BlockData(bytes.dropFirst(start))) }
        var definition = CardS.definition
        definition.systems = [
            FeliCaSystemDefinition(
                code: .ndef, areas: [.root()],
                services: [
                    FeliCaServiceDefinition(Type3Services.write, blocks: blocks),
                    FeliCaServiceDefinition(Type3Services.read, blocks: []),
                ])
        ]
        return try FeliCaCard(definition)
    }

    /// The message of the sample tags.
    static let uri = NDEFMessage(
        ["https://example.com/nfc"].compactMap { try? NDEFRecord(.uri(NDEFURI($0))) })

    /// A message with the given number of bytes, at least three.
    static func message(ofByteCount count: Int) throws -> NDEFMessage {
        guard count > 0 else { return NDEFMessage([]) }
        for payload in max(0, count - 6)...count {
            let bytes = (0..<payload).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }
            let message = NDEFMessage([try NDEFRecord(format: .unknown, payload: bytes)])
            if message.bytes.count == count { return message }
            let long = NDEFMessage([try NDEFRecord(format: .unknown, payload: bytes, isLong: true)])
            if long.bytes.count == count { return long }
        }
        return NDEFMessage([try NDEFRecord(format: .empty)])
    }
}

/// A reader with a world that contains one card.
func reader(_ engine: some CardEngine, limits: LinkLimits = .none) -> CardReader<VirtualLink> {
    var world = World(seed: 1, trace: Trace())
    world.add(engine, named: "card")
    world.tap("card")
    return CardReader(VirtualLink(world, limits: limits))
}

extension CardReader<VirtualLink> {
    /// The commands sent so far that begin with a byte, after LEN for FeliCa.
    func commands(_ code: UInt8) -> [[UInt8]] {
        link.world.trace.exchanges.compactMap { exchange in
            let command = exchange.command
            let first = command.bytes.dropFirst(command.technology.isFeliCa ? 1 : 0).first
            return command.bitCount % 8 == 0 && first == code ? command.bytes : nil
        }
    }

    var tag: NTAGCard? { link.world.card(named: "card")?.engine as? NTAGCard }
}

/// Returns the code of an operation's error, or `nil` if the operation succeeds.
func failure<Link: TagLink, Result>(
    _ reader: inout CardReader<Link>, _ operation: (inout CardReader<Link>) async throws(ClientError) -> Result
) async -> ClientError.Code? {
    do {
        _ = try await operation(&reader)
        return nil
    } catch {
        return error.code
    }
}

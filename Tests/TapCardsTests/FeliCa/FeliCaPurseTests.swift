import TapCards
import TapWire
import TestSupport
import Testing

/// Writes to a purse, in order: service, access mode, amount or value, execution ID, status flag 2.
struct PurseWrite: Sendable {
    let service: UInt16
    let mode: UInt8
    let amount: UInt32
    let executionID: UInt8
    let reason: StatusFlag2

    init(_ service: UInt16, mode: UInt8 = 0, _ amount: UInt32, _ executionID: UInt8, _ reason: StatusFlag2 = .normal) {
        self.service = service
        self.mode = mode
        self.amount = amount
        self.executionID = executionID
        self.reason = reason
    }

    var data: BlockData {
        var bytes = (0..<4).map { UInt8(truncatingIfNeeded: amount >> (8 * $0)) }
        bytes += Array(repeating: 0, count: 11) + [executionID]
        return BlockData(bytes)
    }
}

@Suite struct `FeliCa purses` {
    private static func status(_ card: inout FeliCaCard, _ idm: IDm, _ writes: [PurseWrite]) throws -> StatusFlags? {
        let request = WriteWithoutEncryption.Request(
            idm: idm, services: writes.map { NodeCode($0.service) },
            blocks: writes.indices.map {
                BlockListElement(serviceOrder: UInt8($0), accessMode: writes[$0].mode, blockNumber: 0)
            }, data: writes.map(\.data))
        return try card.answer(WriteWithoutEncryption.self, request)?.status
    }

    private static func words(_ block: BlockData?) -> [UInt32]? {
        guard let bytes = block?.bytes else { return nil }
        return [0, 4].map { offset in (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) } }
    }

    private static let limited: [(writes: [PurseWrite], purse: [UInt32])] = [
        ([PurseWrite(0x0093, 150, 1)], [UInt32(bitPattern: -100), 150]),
        ([PurseWrite(0x0093, 151, 1, .purseOutOfLimits)], [50, 5]),
        ([PurseWrite(0x0093, mode: 1, 5, 1)], [55, 0]),
        ([PurseWrite(0x0093, mode: 1, 6, 1, .cashbackTooLarge)], [50, 5]),
        ([PurseWrite(0x0091, UInt32(bitPattern: -100), 1)], [UInt32(bitPattern: -100), 0]),
        ([PurseWrite(0x0091, UInt32(bitPattern: -101), 1, .purseOutOfLimits)], [50, 5]),
        ([PurseWrite(0x0093, 150, 1), PurseWrite(0x0093, mode: 1, 150, 2)], [50, 0]),
    ]

    @Test(arguments: limited)
    func `a limited purse is signed and stays within its bounds`(_ writes: [PurseWrite], _ purse: [UInt32]) throws {
        var card = try FeliCaCard(CardM.definition)
        for write in writes {
            let status = try Self.status(&card, CardM.idm, [write])
            #expect(status?.reason == write.reason)
        }
        #expect(Self.words(card.blocks(of: NodeCode(0x0091), in: CardM.system)?[0]) == purse)
    }

    /// A cashback of -1, limited to the stored 5; from felica-rs.
    @Test(
        arguments: [
            (FeliCaProfile.PurseAmount.signed, StatusFlag2.normal, [49, 0]), (.unsigned, .cashbackTooLarge, [50, 5]),
        ] as [(FeliCaProfile.PurseAmount, StatusFlag2, [UInt32])])
    func `a cashback of FFFFFFFF subtracts 1 if amounts are signed`(
        _ amount: FeliCaProfile.PurseAmount, _ reason: StatusFlag2, _ purse: [UInt32]
    ) throws {
        var definition = CardM.definition
        definition.profile.limitedPurseAmount = amount
        var card = try FeliCaCard(definition)
        #expect(try Self.status(&card, CardM.idm, [PurseWrite(0x0093, mode: 1, .max, 1)])?.reason == reason)
        #expect(Self.words(card.blocks(of: NodeCode(0x0091), in: CardM.system)?[0]) == purse)
    }

    @Test func `direct access that may raise a purse is still subject to its limits`() throws {
        var definition = CardM.definition
        definition.profile.purseDirectRaise = true
        var card = try FeliCaCard(definition)
        #expect(try Self.status(&card, CardM.idm, [PurseWrite(0x0091, 1_000, 1)])?.reason == .normal)
        #expect(try Self.status(&card, CardM.idm, [PurseWrite(0x0091, 1_001, 2)])?.reason == .purseOutOfLimits)
    }

    @Test func `a purse used twice in a command counts both, and the command fails if the second exceeds a limit`()
        throws
    {
        var card = try CardS.card()
        let idm = CardS.definition.idm
        let first = [PurseWrite(0x1095, 400, 1), PurseWrite(0x1093, mode: 1, 400, 2), PurseWrite(0x1095, 1_000, 3)]
        #expect(try Self.status(&card, idm, first) == .success)
        #expect(Self.words(card.blocks(of: NodeCode(0x1097), in: .transit)?[0]) == [0, 1_000])
        let second = [PurseWrite(0x1093, mode: 1, 1_000, 4), PurseWrite(0x1095, 600, 5), PurseWrite(0x1095, 600, 6)]
        #expect(try Self.status(&card, idm, second) == StatusFlags(3, .purseOutOfRange))
        #expect(Self.words(card.blocks(of: NodeCode(0x1097), in: .transit)?[0]) == [0, 1_000])
    }

    @Test func `elements with the same execution ID count once`() throws {
        var card = try CardS.card()
        let twice = [PurseWrite(0x1095, 400, 7), PurseWrite(0x1095, 400, 7)]
        #expect(try Self.status(&card, CardS.definition.idm, twice) == .success)
        #expect(Self.words(card.blocks(of: NodeCode(0x1097), in: .transit)?[0]) == [600, 400])
    }

    @Test(
        arguments: [(0x1091, 1), (0x1095, 1), (0x1097, 0), (0x1097, 1), (0x1009, 1), (0x104D, 1)] as [(UInt16, UInt8)])
    func `only cashback services accept cashback, and read-only services accept nothing`(
        _ service: UInt16, _ mode: UInt8
    ) throws {
        var card = try CardS.card()
        let status = try Self.status(&card, CardS.definition.idm, [PurseWrite(service, mode: mode, 0, 9)])
        #expect(status == StatusFlags(1, .accessDenied))
    }

    @Test func `direct access cannot raise cashback either`() throws {
        var card = try CardS.card()
        let data = try Hex.bytes("00000000 01000000 00000000 00000000")
        let request = WriteWithoutEncryption.Request(
            idm: CardS.definition.idm, services: [NodeCode(0x1091)], blocks: [BlockListElement(blockNumber: 0)],
            data: [BlockData(data)])
        #expect(try card.answer(WriteWithoutEncryption.self, request)?.status == StatusFlags(1, .accessDenied))
    }
}

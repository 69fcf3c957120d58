import Foundation

/// One use of a card that holds money.
public struct Payment: Equatable {
    public enum Kind: Equatable {
        case payment
        case charge
        case other(Int)
    }

    public let kind: Kind
    public let amount: Int
    public let balance: Int
    public let number: Int
}

public struct Nanaco: FeliCaCard {
    public static let systemCode: UInt16 = 0xFE00
    public static let reads = [ServiceRead(0x558B), ServiceRead(0x5597), ServiceRead(0x564F, count: 5)]

    public let number: String
    public let balance: Int
    public let payments: [Payment]

    public init(idm: Data, content: CardContent) throws {
        number = try content.block(of: 0x558B).digits(0...7)
        balance = try content.block(of: 0x5597).littleNumber(0...3)
        payments = content.blocks(of: 0x564F).filter { $0.first != 0 }.map { block in
            Payment(
                kind: Self.kind(block.number(0...0)), amount: block.number(1...4), balance: block.number(5...8),
                number: block.number(13...14))
        }
    }

    private static func kind(_ code: Int) -> Payment.Kind {
        switch code {
        case 0x47: return .payment
        case 0x5C, 0x6F, 0x70: return .charge
        default: return .other(code)
        }
    }
}

public struct Edy: FeliCaCard {
    public static let systemCode: UInt16 = 0xFE00
    public static let reads = [ServiceRead(0x110B), ServiceRead(0x1317), ServiceRead(0x170F, count: 6)]

    public let number: String
    public let balance: Int
    public let payments: [Payment]

    public init(idm: Data, content: CardContent) throws {
        number = try content.block(of: 0x110B).digits(2...9)
        balance = try content.block(of: 0x1317).littleNumber(0...3)
        payments = content.blocks(of: 0x170F).filter { $0.first != 0 }.map { block in
            Payment(
                kind: Self.kind(block.number(0...0)), amount: block.number(8...11), balance: block.number(12...15),
                number: block.number(1...3))
        }
    }

    private static func kind(_ code: Int) -> Payment.Kind {
        switch code {
        case 0x20: return .payment
        case 0x02, 0x04: return .charge
        default: return .other(code)
        }
    }
}

public struct Waon: FeliCaCard {
    public static let systemCode: UInt16 = 0xFE00
    public static let reads = [ServiceRead(0x684F), ServiceRead(0x6817), ServiceRead(0x680B, count: 6)]

    public let number: String
    public let balance: Int
    public let payments: [Payment]

    public init(idm: Data, content: CardContent) throws {
        number = try content.block(of: 0x684F).digits(0...7)
        balance = try content.block(of: 0x6817).littleNumber(0...3)
        // A record takes two blocks.
        let blocks = content.blocks(of: 0x680B)
        payments = stride(from: 0, to: blocks.count - 1, by: 2).compactMap { index in
            Self.payment(blocks[index] + blocks[index + 1])
        }
    }

    private static func payment(_ record: Data) -> Payment? {
        let code = record.number(17...17)
        guard code != 0 else { return nil }
        let first = 18 * 8 + 25
        let balance = record.bits(from: first, count: 18)
        let (paid, charged) = (record.bits(from: first + 18, count: 18), record.bits(from: first + 36, count: 17))
        let isCharge = [0x0C, 0x10, 0x1C, 0x20, 0x30].contains(code)
        return Payment(
            kind: code == 0x04 ? .payment : isCharge ? .charge : .other(code), amount: isCharge ? charged : paid,
            balance: balance, number: record.number(13...14))
    }
}

import Foundation

/// A railway card: Suica, PASMO, ICOCA and compatible cards.
public struct TransitCard: FeliCaCard, Equatable {
    public struct Trip: Equatable {
        public let date: String
        public let process: Int
        public let balance: Int
        public let number: Int
    }

    public static let systemCode: UInt16 = 0x0003
    public static let reads = [ServiceRead(0x008B), ServiceRead(0x090F, count: 20)]

    public let idm: Data
    public let balance: Int
    public let trips: [Trip]

    public init(idm: Data, content: CardContent) throws {
        self.idm = idm
        balance = try content.block(of: 0x008B).littleNumber(11...12)
        trips = content.blocks(of: 0x090F).filter { $0.first != 0 }.map { block in
            let (year, month, day) = (
                block.bits(from: 32, count: 7), block.bits(from: 39, count: 4), block.bits(from: 43, count: 5)
            )
            return Trip(
                date: String(format: "%04d-%02d-%02d", year + 2000, month, day),
                process: block.number(1...1) & 0x7F,
                balance: block.littleNumber(10...11),
                number: block.number(13...14))
        }
    }
}

import Foundation

/// A kind of card, described by the data to read from it.
public protocol FeliCaCard {
    /// The system that contains the card's services.
    static var systemCode: UInt16 { get }
    /// The blocks to read, in order.
    static var reads: [ServiceRead] { get }

    /// Interprets the blocks that were read.
    init(idm: Data, content: CardContent) throws
}

/// A number of blocks of one service, starting at the first.
public struct ServiceRead {
    public let service: UInt16
    public let count: Int

    public init(_ service: UInt16, count: Int = 1) {
        self.service = service
        self.count = count
    }
}

/// The blocks of a card by service.
public struct CardContent {
    var blocks: [UInt16: [Data]] = [:]

    /// The blocks of a service that was read.
    public func blocks(of service: UInt16) -> [Data] {
        blocks[service] ?? []
    }

    /// The first block of a service.
    public func block(of service: UInt16) throws -> Data {
        guard let block = blocks(of: service).first, block.count == 16 else {
            throw CardError.unreadable(service)
        }
        return block
    }
}

/// An error that prevents reading a card.
public enum CardError: Error, Equatable {
    case notSupported
    case otherCard
    case serviceMissing(UInt16)
    case status(Int, Int)
    case unreadable(UInt16)
    case reader(code: Int)
}

import Foundation

/// What was read of a Suica.
public struct SuicaCard {
    public let idm: Data
    public let balance: Int
    public let history: [SuicaEntry]
}

/// One of the latest uses of the card.
public struct SuicaEntry: Equatable {
    public let year: Int
    public let month: Int
    public let day: Int
    public let balance: Int

    /// Takes a block of 16 bytes; a block of zeros is a place not used yet.
    init?(_ block: Data) {
        guard block.count == 16, block.contains(where: { $0 != 0 }) else { return nil }
        let date = Int(block[4]) << 8 | Int(block[5])
        year = 2000 + date >> 9
        month = date >> 5 & 0x0F
        day = date & 0x1F
        balance = Int(block[10]) | Int(block[11]) << 8
    }
}

/// Why a Suica could not be read, apart from errors of Core NFC.
public enum SuicaError: Error, Equatable {
    case notSupported
    case serviceMissing
    case status(Int, Int)
}

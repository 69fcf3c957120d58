import Foundation

/// The data read from a Suica.
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

    /// Parses a block of 16 bytes; a block of zeros is unused.
    init?(_ block: Data) {
        guard block.count == 16, block.contains(where: { $0 != 0 }) else { return nil }
        let date = Int(block[4]) << 8 | Int(block[5])
        year = 2000 + date >> 9
        month = date >> 5 & 0x0F
        day = date & 0x1F
        balance = Int(block[10]) | Int(block[11]) << 8
    }
}

/// Errors that prevent reading a Suica, in addition to those of Core NFC.
public enum SuicaError: Error, Equatable {
    case notSupported
    case serviceMissing
    case status(Int, Int)
}

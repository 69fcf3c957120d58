import CoreNFC
import Observation

/// The model of a screen, isolated to the main actor.
@MainActor
@Observable
public final class CardModel {
    public enum State: Equatable, Sendable {
        case idle
        case scanning
        case read(CardSummary)
        case failed(String)
    }

    public private(set) var state = State.idle

    public init() {}

    /// Scans one card; returns when the session is over.
    public func scan() async {
        state = .scanning
        do {
            state = .read(try await CardScan.run())
        } catch let error as NFCReaderError where error.code == .readerSessionInvalidationErrorUserCanceled {
            state = .idle
        } catch let error as ScanError {
            state = .failed(error.text)
        } catch {
            state = .failed(error.localizedDescription)
        }
    }
}

/// The displayed data of a card.
public struct CardSummary: Equatable, Sendable {
    public let idm: String
    public let balance: Int
    public let latestBalances: [Int]
}

/// Errors that prevent showing a card, in addition to those of Core NFC.
public enum ScanError: Error, Equatable {
    case notSupported
    case otherCard
    case serviceMissing
    case status(Int, Int)

    var text: String {
        switch self {
        case .notSupported: "This device cannot read cards."
        case .otherCard: "This is not a transit card."
        case .serviceMissing: "This card keeps no history."
        case .status(let first, let second): "The card refused: \(first), \(second)."
        }
    }
}

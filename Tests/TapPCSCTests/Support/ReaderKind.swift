import TapReaders
import Testing

/// The reader models through which clients are compared.
enum ReaderKind: String, CaseIterable, CustomTestStringConvertible {
    case storageCard

    var testDescription: String { rawValue }

    /// A reader of the kind.
    func make() -> any PCSCReader {
        switch self {
        case .storageCard: StorageCardReader()
        }
    }
}

/// A kind of reader that scenarios can name; the raw value is the word they use.
public enum ReaderModel: String, Hashable, Sendable, CaseIterable {
    /// A reader for contactless storage cards as PC/SC part 3 describes it.
    case storageCard = "storage-card"
    /// ACS ACR122U, a PN532 behind CCID.
    case acr122u
    /// Sony RC-S380.
    case rcs380 = "rc-s380"
    /// Sony RC-S300.
    case rcs300 = "rc-s300"

    /// The model where none is chosen.
    public static let usual = ReaderModel.storageCard

    /// What the model is, a phrase.
    public var summary: String {
        switch self {
        case .storageCard: "PC/SC part 3 reader with transparent sessions, no maker's own commands"
        case .acr122u: "ACS ACR122U: a PN532 by direct transmit, escape commands without a card"
        case .rcs380: "Sony RC-S380: select service, raw packets, transparent sessions"
        case .rcs300: "Sony RC-S300: as the RC-S380, and driven by escape commands"
        }
    }

    /// Whose commands it knows beside those of every reader.
    public var maker: String {
        switch self {
        case .storageCard: "PC/SC part 3"
        case .acr122u: "ACS"
        case .rcs380, .rcs300: "Sony"
        }
    }

    /// The name the driver of the real reader gives, without the two numbers a PC/SC service appends.
    ///
    /// Sources: the list of readers in the CCID driver of Linux; for the RC-S380, which has no driver there, the name
    /// under Windows. A serial number, as the RC-S300's name has behind it, is left out.
    public var name: String {
        switch self {
        case .storageCard: StorageCardReader.usualName
        case .acr122u: ACR122U.usualName
        case .rcs380: "Sony FeliCa Port/PaSoRi 3.0"
        case .rcs300: "SONY FeliCa RC-S300/P"
        }
    }

    /// Makes a reader.
    ///
    /// - Parameter name: What it is called; by default as the real one.
    public func makeReader(name: String? = nil) -> any PCSCReader {
        let name = name ?? self.name
        return switch self {
        case .storageCard: StorageCardReader(name: name)
        case .acr122u: ACR122U(name: name)
        case .rcs380: SonyReader(.rcs380, name: name)
        case .rcs300: SonyReader(.rcs300, name: name)
        }
    }
}

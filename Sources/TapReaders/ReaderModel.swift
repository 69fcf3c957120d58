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
}

extension ReaderModel {
    /// What the reader can do, in a few words.
    public var summary: String { "\(rawValue), reached by PC/SC part 3" }

    /// Makes a reader of the model.
    ///
    /// - Parameter name: Its name in PC/SC in place of that of the model.
    public func makeReader(name: String? = nil) -> any PCSCReader {
        StorageCardReader(name: name ?? StorageCardReader.usualName)
    }
}

import TapWire

/// What of an NTAG21x needs the password.
public enum NTAGProtection: Hashable, Sendable {
    case none
    /// Writing, from a page on.
    case writing(from: Int)
    /// Reading and writing, from a page on; the page is not known where the tag does not let its settings be read.
    case readingAndWriting(from: Int?)

    /// What a configuration protects.
    init(_ configuration: NTAGConfiguration, of layout: NTAGLayout) {
        let first = Int(configuration.auth0)
        if first >= layout.pageCount {
            self = .none
        } else {
            self = configuration.access.prot ? .readingAndWriting(from: first) : .writing(from: first)
        }
    }
}

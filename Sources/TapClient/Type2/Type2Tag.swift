import TapWire

/// What a reader can tell of a Type 2 tag.
public struct Type2Tag: Hashable, Sendable {
    /// UID, ATQA and SAK.
    public let selection: TypeATag
    /// The answer to GET_VERSION, or nothing from a tag that does not know the command.
    public let version: GetVersion.Response?

    /// The IC, if it is an NTAG21x.
    public var product: NTAGProduct? { version.flatMap { NTAGProduct($0) } }
}

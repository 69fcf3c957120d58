import TapWire

/// All that can be read of a Type 2 tag.
public struct Type2Dump: Hashable, Sendable {
    /// The tag.
    public let tag: Type2Tag
    /// All pages, nothing for one that the tag refuses; PWD and PACK read as zero.
    public let pages: [PageData?]
    /// The originality signature, or nothing from a tag that refuses it.
    public let signature: OriginalitySignature?
    /// The NFC counter, or nothing from a tag that refuses it.
    public let counter: UInt32?
}

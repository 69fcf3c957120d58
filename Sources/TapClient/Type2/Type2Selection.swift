import TapWire

/// A Type 2 tag that was selected, and what a reader has to restore after it lost the selection.
///
/// An NTAG falls back to IDLE with every NAK and forgets that it was authenticated; a reader selects it again before
/// the next command. Source: NTAG213/215/216 data sheet rev. 3.2, "communication principle".
struct Type2Selection: Hashable, Sendable {
    /// The tag.
    let tag: TypeATag
    /// Whether the tag may be in IDLE: it answered a NAK, not at all, or damaged.
    var isLost = false
    /// The password the tag has accepted.
    var password: PageData?
    /// Whether the tag has refused a FAST_READ of pages that READ could read.
    var refusesFastRead = false

    init(_ tag: TypeATag) {
        self.tag = tag
    }

    /// What page 00 of the tag holds, or nothing for a UID of another length than Type 2 tags have.
    var firstPage: PageData? {
        let parts = tag.uid.cascadeParts
        guard parts.count == 2 else { return nil }
        return PageData(parts[0].bytes.dropFirst())
    }
}

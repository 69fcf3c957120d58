/// What a reader looks for.
public enum Target: Hashable, Sendable {
    /// A FeliCa system, by Polling.
    case felica(Polling.Request, Technology = .felica212)
    /// Any type A card, woken by REQA or, with `wakeUp`, by WUPA.
    case typeA(wakeUp: Bool = false)
}

/// A card that answered and is selected.
public enum ActivatedTag: Hashable, Sendable {
    /// A FeliCa system with its answer to Polling and the bit rate it was found at.
    case felica(Polling.Response, Technology)
    /// A type A card.
    case typeA(TypeATag)
}

/// What the selection of a type A card told.
///
/// Source: ISO/IEC 14443-3.
public struct TypeATag: Hashable, Sendable {
    /// The answer to REQA or WUPA.
    public var atqa: ATQA
    /// The select acknowledge of the last cascade level.
    public var sak: SAK
    /// The identifier.
    public var uid: UID

    public init(atqa: ATQA, sak: SAK, uid: UID) {
        self.atqa = atqa
        self.sak = sak
        self.uid = uid
    }
}

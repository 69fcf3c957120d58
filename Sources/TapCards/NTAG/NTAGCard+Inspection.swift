import TapWire

/// What the memory holds, for expectations and for keeping a card.
extension NTAGCard {
    /// A page as it is stored, PWD and PACK included; outside the memory, zero.
    public subscript(page page: Int) -> PageData {
        switch page {
        case layout.passwordPage: password
        case layout.packPage: packPage
        case pages.indices: pages[page]
        default: .zero
        }
    }

    public var uid: UID { template.definition.uid }

    /// The static lock bytes.
    public var staticLocks: StaticLockBits { StaticLockBits(pages[NTAGLayout.staticLockPage]) }

    /// The dynamic lock bytes.
    public var dynamicLocks: DynamicLockBits { DynamicLockBits(pages[layout.dynamicLockPage]) }

    /// CFG0 and CFG1 as they are stored, in effect or not yet.
    public var configuration: NTAGConfiguration {
        NTAGConfiguration(cfg0: pages[layout.cfg0Page], cfg1: pages[layout.cfg1Page])
    }

    /// Whether the lock bits of a page are set, as stored; pages without lock bits are never locked.
    public func isLocked(_ page: Int) -> Bool {
        staticLocks.locks(page) || dynamicLocks.locks(page, of: layout)
    }

    /// The card as it would be after power-off, as a definition from which it can be made again.
    public var definition: NTAGDefinition {
        var definition = template.definition
        for page in 0..<layout.pageCount { definition[page: page] = self[page: page] }
        definition.isPasswordKnown = isPasswordKnown
        definition.counter = counter
        definition.failedAuthentications = failedAuthentications
        return definition
    }
}

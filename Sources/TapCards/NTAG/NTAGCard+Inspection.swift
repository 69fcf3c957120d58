import TapWire

/// What the memory holds, for expectations and for keeping a card.
extension NTAGCard {
    /// A page as it is stored, PWD and PACK included; outside the memory, zero.
    public subscript(page page: Int) -> PageData {
        switch page {
        case layout.passwordPage: password
        case layout.packPage: packPage
        case 0..<layout.pageCount: storedPage(page)
        default: .zero
        }
    }

    /// The UID.
    public var uid: UID { template.definition.uid }

    /// The static lock bytes.
    public var staticLocks: StaticLockBits { StaticLockBits(storedPage(NTAGLayout.staticLockPage)) }

    /// The dynamic lock bytes.
    public var dynamicLocks: DynamicLockBits { DynamicLockBits(storedPage(layout.dynamicLockPage)) }

    /// CFG0 and CFG1 as they are stored, in effect or not yet.
    public var configuration: NTAGConfiguration {
        NTAGConfiguration(cfg0: storedPage(layout.cfg0Page), cfg1: storedPage(layout.cfg1Page))
    }

    /// Whether the lock bits of a page are set, as stored; pages without lock bits are never locked.
    public func isLocked(_ page: Int) -> Bool {
        staticLocks.locks(page) || dynamicLocks.locks(page, of: layout)
    }

    /// The card as it would be after power-off, as a definition from which it can be made again.
    public var definition: NTAGDefinition {
        var definition = template.definition
        for page in 0..<layout.pageCount { definition[page: page] = self[page: page] }
        definition.counter = counter
        definition.failedAuthentications = failedAuthentications
        return definition
    }

    /// A page of the memory array, where PWD and PACK are zero; the caller has checked the address.
    func storedPage(_ page: Int) -> PageData {
        let start = page * PageData.byteCount
        return PageData(pages[start], pages[start + 1], pages[start + 2], pages[start + 3])
    }
}

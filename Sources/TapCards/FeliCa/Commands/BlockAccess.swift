import TapWire

// What reading and writing share: which block an element of a block list reaches, and whether it may.

/// Why a command is refused.
struct FeliCaRefusal: Error {
    /// Status flag 2.
    let reason: StatusFlag2
    /// Place in a list; nothing where whoever walks the list knows it.
    let index: Int?

    init(_ reason: StatusFlag2, at index: Int? = nil) {
        self.reason = reason
        self.index = index
    }
}

/// A service and one of its blocks.
struct FeliCaBlockTarget {
    /// Index of the service among all nodes of the card.
    let service: Int
    /// Index of the block among all blocks of the card.
    let block: Int
}

extension FeliCaCard {
    /// The status flags of an error at an index of a list.
    func refusal(_ reason: StatusFlag2, at index: Int) -> StatusFlags {
        StatusFlags(template.profile.statusLocation.flag1(at: index), reason)
    }

    /// The index of the service an element refers to, if it may be used without authentication and in this access mode.
    ///
    /// The order of the checks is what felica-rs, the Proxmark3 simulator and the Flipper listener have in common; no
    /// source tells in which order chips make them.
    @inline(__always)
    func service(
        of element: BlockListElement, highestMode: UInt8, _ frame: Span<UInt8>, _ layout: BlockAccessLayout
    ) throws(FeliCaRefusal) -> Int {
        guard Int(element.serviceOrder) < layout.serviceCount else { throw FeliCaRefusal(.serviceOrder) }
        guard element.accessMode <= highestMode else { throw FeliCaRefusal(.accessMode) }
        return try service(layout.service(Int(element.serviceOrder), in: frame))
    }

    /// The index of the service with a code, if it may be used without authentication.
    @inline(__always)
    private func service(_ code: NodeCode) throws(FeliCaRefusal) -> Int {
        guard let index = template.index(of: code, in: system) else {
            throw FeliCaRefusal(code.attribute.isService ? .targetMissing : .wrongAttribute)
        }
        guard template.nodes[index].isFree else {
            let isArea = template.nodes[index].isArea
            throw FeliCaRefusal(isArea ? .wrongAttribute : template.profile.authRequiredPlainAccess)
        }
        return index
    }

    /// The index of the block an element reaches among those of its service.
    @inline(__always)
    func block(of element: BlockListElement, in service: Range<Int>) throws(FeliCaRefusal) -> Int {
        let number = Int(element.blockNumber)
        guard number < service.count else { throw FeliCaRefusal(.blockNumber) }
        return service.lowerBound + number
    }

    /// What chips check that look at the lists as a whole; most do not.
    func checkLists(_ frame: Span<UInt8>, _ layout: BlockAccessLayout) throws(FeliCaRefusal) {
        if template.profile.serviceListCheck == .eager { try checkAllServices(frame, layout) }
        if template.profile.requireAscendingLists { try checkAscending(frame, layout) }
    }

    private func checkAllServices(_ frame: Span<UInt8>, _ layout: BlockAccessLayout) throws(FeliCaRefusal) {
        for index in 0..<layout.serviceCount {
            do throws(FeliCaRefusal) {
                _ = try service(layout.service(index, in: frame))
            } catch {
                throw FeliCaRefusal(error.reason, at: index)
            }
        }
    }

    private func checkAscending(_ frame: Span<UInt8>, _ layout: BlockAccessLayout) throws(FeliCaRefusal) {
        for index in 1..<layout.serviceCount {
            let pair = (layout.service(index - 1, in: frame), layout.service(index, in: frame))
            guard pair.0.rawValue <= pair.1.rawValue else { throw FeliCaRefusal(.accessDenied, at: index) }
        }
        var list = layout.blockList
        var last = (serviceOrder: UInt8(0), blockNumber: UInt16(0))
        while let element = list.next(in: frame) {
            let next = (element.serviceOrder, element.blockNumber)
            guard last <= next else { throw FeliCaRefusal(.accessDenied, at: list.index - 1) }
            last = next
        }
    }
}

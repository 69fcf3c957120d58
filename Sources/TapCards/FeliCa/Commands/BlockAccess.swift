import TapWire

// What reading and writing share: which service an element of a block list reaches, and whether it may.

/// Why an element of a list is refused; who walks the list knows its place.
struct FeliCaRefusal: Error {
    /// Status flag 2.
    let reason: StatusFlag2

    init(_ reason: StatusFlag2) {
        self.reason = reason
    }
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
        of element: BlockListElement, highestMode: UInt8, _ frame: Span<UInt8>, _ layout: BlockAccessLayout,
        in system: FeliCaSystem
    ) -> Result<Int, FeliCaRefusal> {
        guard Int(element.serviceOrder) < layout.serviceCount else { return .failure(FeliCaRefusal(.serviceOrder)) }
        guard element.accessMode <= highestMode else { return .failure(FeliCaRefusal(.accessMode)) }
        return service(layout.service(Int(element.serviceOrder), in: frame), in: system)
    }

    /// The index of the service with a code, if it may be used without authentication.
    @inline(__always)
    private func service(_ code: NodeCode, in system: FeliCaSystem) -> Result<Int, FeliCaRefusal> {
        guard code.attribute.isService else { return .failure(FeliCaRefusal(.wrongAttribute)) }
        guard let index = template.index(of: code, in: system) else { return .failure(FeliCaRefusal(.targetMissing)) }
        guard code.attribute.isAuthenticationFree else {
            return .failure(FeliCaRefusal(template.profile.authRequiredPlainAccess))
        }
        return .success(index)
    }

    /// What chips check that look at the lists as a whole; most do not.
    ///
    /// - Returns: Why the lists are refused, or nothing.
    @inline(__always)
    func checkLists(_ frame: Span<UInt8>, _ layout: BlockAccessLayout) -> StatusFlags? {
        if template.profile.serviceListCheck == .eager, let refusal = checkAllServices(frame, layout) { return refusal }
        return template.profile.requireAscendingLists ? checkAscending(frame, layout) : nil
    }

    private func checkAllServices(_ frame: Span<UInt8>, _ layout: BlockAccessLayout) -> StatusFlags? {
        for index in 0..<layout.serviceCount {
            if case .failure(let error) = service(layout.service(index, in: frame), in: system) {
                return refusal(error.reason, at: index)
            }
        }
        return nil
    }

    private func checkAscending(_ frame: Span<UInt8>, _ layout: BlockAccessLayout) -> StatusFlags? {
        for index in 1..<layout.serviceCount {
            let pair = (layout.service(index - 1, in: frame), layout.service(index, in: frame))
            guard pair.0.rawValue <= pair.1.rawValue else { return refusal(.accessDenied, at: index) }
        }
        var list = layout.blockList
        var last = (serviceOrder: UInt8(0), blockNumber: UInt16(0))
        while let element = list.next(in: frame) {
            let next = (element.serviceOrder, element.blockNumber)
            guard last <= next else { return refusal(.accessDenied, at: list.index - 1) }
            last = next
        }
        return nil
    }
}

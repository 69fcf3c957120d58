import TapWire

// Common parts of reading and writing: the service a block list element refers to, and whether access is allowed.

/// The reason an element of a list is refused; the loop over the list adds its position.
struct FeliCaRefusal: Error {
    let reason: StatusFlag2
    /// The facts the refusal relies on.
    let facts: CardFacts

    init(_ reason: StatusFlag2, leaningOn facts: CardFacts = []) {
        self.reason = reason
        self.facts = facts
    }
}

extension FeliCaCard {
    /// Returns status flags with the position of an error in a list.
    func refusal(_ reason: StatusFlag2, at index: Int, _ reliance: inout CardReliance) -> StatusFlags {
        reliance.rely(on: .statusLocation)
        return StatusFlags(template.profile.statusLocation.flag1(at: index), reason)
    }

    func refusal(_ error: FeliCaRefusal, at index: Int, _ reliance: inout CardReliance) -> StatusFlags {
        reliance.rely(on: error.facts)
        return refusal(error.reason, at: index, &reliance)
    }

    /// Returns the index of the service an element refers to, if this access and access mode may use it.
    ///
    /// The order of the checks is the same in felica-rs, the Proxmark3 simulator and the Flipper listener; the order on chips
    /// is unpublished.
    @inline(__always)
    func service(
        of element: BlockListElement, highestMode: UInt8, _ frame: Span<UInt8>, _ layout: BlockAccessLayout,
        _ access: FeliCaAccess, in system: TemplateSystem
    ) -> Result<Int, FeliCaRefusal> {
        guard Int(element.serviceOrder) < layout.serviceCount else { return .failure(FeliCaRefusal(.serviceOrder)) }
        guard element.accessMode <= highestMode else { return .failure(FeliCaRefusal(.accessMode)) }
        return service(layout.service(Int(element.serviceOrder), in: frame), access, in: system)
    }

    @inline(__always)
    private func service(_ code: NodeCode, _ access: FeliCaAccess, in system: TemplateSystem) -> Result<
        Int, FeliCaRefusal
    > {
        guard code.attribute.isService else { return .failure(FeliCaRefusal(.wrongAttribute)) }
        guard let index = template.index(of: code, in: system) else { return .failure(absence(of: code)) }
        guard access == .session || code.attribute.isAuthenticationFree else {
            return .failure(FeliCaRefusal(template.profile.authRequiredPlainAccess))
        }
        return .success(index)
    }

    private func absence(of service: NodeCode) -> FeliCaRefusal {
        service.attribute.hasPIN
            ? FeliCaRefusal(template.profile.absentPINService, leaningOn: [.absentPINService])
            : FeliCaRefusal(.targetMissing)
    }

    /// Returns the status flags of a chip that checks the lists as a whole and refuses them; `nil` for acceptance, and for most
    /// chips, which do not check.
    ///
    /// Inside a session, the service list was checked when the session began.
    @inline(__always)
    func checkLists(
        _ frame: Span<UInt8>, _ layout: BlockAccessLayout, _ access: FeliCaAccess, _ reliance: inout CardReliance
    ) -> StatusFlags? {
        template.looksAtLists && access != .session ? checkWholeLists(frame, layout, &reliance) : nil
    }

    /// Checks the lists for a chip that is strict about them, or for which no source says whether it is.
    @inline(never)
    private func checkWholeLists(
        _ frame: Span<UInt8>, _ layout: BlockAccessLayout, _ reliance: inout CardReliance
    ) -> StatusFlags? {
        var found = CardReliance()
        if let refusal = checkAllServices(frame, layout, &found) {
            reliance.rely(on: .serviceListCheck)
            if template.profile.serviceListCheck == .eager {
                reliance.rely(on: found.facts)
                return refusal
            }
        }
        if let refusal = checkAscending(frame, layout, &found) {
            reliance.rely(on: .requireAscendingLists)
            if template.profile.requireAscendingLists {
                reliance.rely(on: found.facts)
                return refusal
            }
        }
        return nil
    }

    /// Returns the refusal of the first service that may not be used.
    private func checkAllServices(
        _ frame: Span<UInt8>, _ layout: BlockAccessLayout, _ reliance: inout CardReliance
    ) -> StatusFlags? {
        for index in 0..<layout.serviceCount {
            if case .failure(let error) = service(layout.service(index, in: frame), .plain, in: system) {
                return refusal(error, at: index, &reliance)
            }
        }
        return nil
    }

    private func checkAscending(
        _ frame: Span<UInt8>, _ layout: BlockAccessLayout, _ reliance: inout CardReliance
    ) -> StatusFlags? {
        for index in 1..<layout.serviceCount {
            let pair = (layout.service(index - 1, in: frame), layout.service(index, in: frame))
            guard pair.0.rawValue <= pair.1.rawValue else { return refusal(.accessDenied, at: index, &reliance) }
        }
        var list = layout.blockList
        var last = (serviceOrder: UInt8(0), blockNumber: UInt16(0))
        while let element = list.next(in: frame) {
            let next = (element.serviceOrder, element.blockNumber)
            guard last <= next else { return refusal(.accessDenied, at: list.index - 1, &reliance) }
            last = next
        }
        return nil
    }

    /// Answers Read Without Encryption with all blocks, or with the first error.
    @inline(always)
    func answerRead(
        _ frame: Span<UInt8>, _ layout: BlockAccessLayout, _ access: FeliCaAccess, _ reliance: inout CardReliance,
        into buffer: inout FrameBuffer
    ) {
        let system = system
        let length = ReadWithoutEncryption.Response.blockOffset(layout.blockCount)
        let refusal = buffer.append(byteCount: length) { answer in
            store(frame, layout, access, of: system, &reliance, into: &answer)
        }
        guard let refusal else { return }
        buffer.removeAll()
        ReadWithoutEncryption.Response.writeRefusal(refusal, idm: system.idm, into: &buffer)
    }

    /// Stores the answer to a Read, or returns the status flags of the refusal.
    @inline(__always)
    private func store(
        _ frame: Span<UInt8>, _ layout: BlockAccessLayout, _ access: FeliCaAccess, of system: TemplateSystem,
        _ reliance: inout CardReliance, into answer: inout MutableRawSpan
    ) -> StatusFlags? {
        if let refusal = checkLists(frame, layout, access, &reliance) { return refusal }
        var list = layout.blockList
        let memory = blocks[...]
        while let element = list.next(in: frame) {
            let blocks: Span<BlockData>
            switch service(
                of: element, highestMode: BlockListElement.AccessMode.normal, frame, layout, access, in: system)
            {
            case .success(let index): blocks = memory.span.extracting(template.nodes[index].blocks)
            case .failure(let error): return refusal(error, at: list.index &- 1, &reliance)
            }
            let number = Int(element.blockNumber)
            guard number < blocks.count else { return refusal(.blockNumber, at: list.index &- 1, &reliance) }
            answer.store(blocks[number], ofElement: list.index &- 1)
            // Neighboring elements usually use the same service, so it need not be looked up again.
            list.readNumbers(like: element, below: blocks.count, in: frame) { index, number in
                // The number is below the count.
                answer.store(unsafe blocks[unchecked: number], ofElement: index)
            }
        }
        ReadWithoutEncryption.Response.storeHeader(idm: system.idm, blockCount: layout.blockCount, into: &answer)
        return nil
    }
}

extension MutableRawSpan {
    /// Stores the block of a list element in an answer that has room for all of them.
    @inline(__always)
    fileprivate mutating func store(_ block: BlockData, ofElement index: Int) {
        let offset = ReadWithoutEncryption.Response.blockOffset(index)
        // The answer has room for as many blocks as the list has elements, and a cursor counts no further.
        unsafe storeBytes(of: block.simd, toUncheckedByteOffset: offset, as: SIMD16<UInt8>.self)
    }
}

/// The parts of a Write Without Encryption, or of a Write decrypted by a session: its lists, and the offset of its data.
struct FeliCaWrite {
    let layout: BlockAccessLayout
    let dataOffset: Int
    let access: FeliCaAccess

    init(layout: BlockAccessLayout, dataOffset: Int, access: FeliCaAccess = .plain) {
        self.layout = layout
        self.dataOffset = dataOffset
        self.access = access
    }

    /// Returns `nil` if the packet ends before its lists or data do.
    init?(_ layout: BlockAccessLayout, in packet: Span<UInt8>, _ access: FeliCaAccess) {
        guard let end = layout.blockListEnd(in: packet),
            packet.count >= end + BlockData.byteCount * layout.blockCount
        else { return nil }
        self.init(layout: layout, dataOffset: end, access: access)
    }

    func data(_ index: Int, in frame: Span<UInt8>) -> BlockData {
        BlockData(frame, at: dataOffset + BlockData.byteCount * index)
    }
}

private struct FeliCaBlockTarget {
    /// The index of the service among all nodes of the card.
    let service: Int
    /// The index of the block among all blocks of the card.
    let block: Int
}

extension FeliCaCard {
    /// Answers Write Without Encryption: checks everything, then stores either everything or nothing.
    ///
    /// Source: FeliCa Card User's Manual, excerpted edition, "simultaneous access".
    @inline(never)
    mutating func answerWrite(
        _ write: FeliCaWrite, _ frame: Span<UInt8>, _ context: inout CardContext, into buffer: inout FrameBuffer
    ) {
        var status = StatusFlags(.memoryError)
        if let refusal = refusal(of: write, frame, &context.reliance) {
            status = refusal
        } else if !context.isMemoryFailing {
            status = store(write, frame, &context.reliance)
        }
        WriteWithoutEncryption.Response(idm: system.idm, status: status).write(into: &buffer)
    }

    /// The blocks a write would program, in element order; empty if it is refused.
    func blocks(writtenBy write: FeliCaWrite, _ frame: Span<UInt8>) -> [Int] {
        var reliance = CardReliance()
        guard refusal(of: write, frame, &reliance) == nil else { return [] }
        var list = write.layout.blockList
        var blocks: [Int] = []
        while let element = list.next(in: frame), let target = try? writeTarget(of: element, write, frame) {
            blocks.append(target.block)
        }
        return blocks
    }

    /// Returns the first reason to refuse a write, or `nil`.
    ///
    /// Checks each element alone, then whether cyclic services have room, as felica-rs does. Purses come last, because
    /// according to the manual checks precede computation.
    private func refusal(
        of write: FeliCaWrite, _ frame: Span<UInt8>, _ reliance: inout CardReliance
    ) -> StatusFlags? {
        if let refusal = checkLists(frame, write.layout, write.access, &reliance) { return refusal }
        var list = write.layout.blockList
        var (hasCyclic, hasPurse, isAtPurses) = (false, false, false)
        do throws(FeliCaRefusal) {
            while let element = list.next(in: frame) {
                let target = try writeTarget(of: element, write, frame)
                switch template.nodes[target.service].code.attribute.kind {
                case .cyclic: hasCyclic = true
                case .purse:
                    hasPurse = true
                    guard template.profile.purseCheckOrder == .inOrder else { break }
                    _ = try purse(target.block, afterElements: list.index, write, frame)
                case .random, .area, .undefined: break
                }
            }
            if hasCyclic { try checkRoom(write, frame, &list) }
            isAtPurses = true
            if hasPurse { try checkPurses(write, frame, &list, &reliance) }
        } catch {
            // Another kind of error in a write to a purse: the chip might report the purse's error instead.
            if hasPurse, !isAtPurses { reliance.rely(on: .purseCheckOrder) }
            return refusal(error, at: list.index - 1, &reliance)
        }
        return nil
    }

    /// Checks that neighboring elements for a cyclic service fit in its blocks; on failure, `list` is left at the first run
    /// that does not fit.
    private func checkRoom(
        _ write: FeliCaWrite, _ frame: Span<UInt8>, _ list: inout BlockListCursor
    ) throws(FeliCaRefusal) {
        list = write.layout.blockList
        var last: NodeCode?
        while let element = list.next(in: frame) {
            let service = template.nodes[try writeTarget(of: element, write, frame).service]
            if service.code.attribute.kind == .cyclic, service.code != last {
                let count = 1 + elements(of: service.code, from: list, write, frame)
                guard count <= service.blockCount else { throw FeliCaRefusal(.cyclicOverflow) }
            }
            last = service.code
        }
    }

    /// Checks the values purses would have; on failure, `list` is left at the first refused element.
    private func checkPurses(
        _ write: FeliCaWrite, _ frame: Span<UInt8>, _ list: inout BlockListCursor, _ reliance: inout CardReliance
    ) throws(FeliCaRefusal) {
        list = write.layout.blockList
        while let element = list.next(in: frame) {
            let target = try writeTarget(of: element, write, frame)
            let service = template.nodes[target.service]
            if service.code.attribute.kind == .purse {
                reliance.rely(
                    on: FeliCaPurse.facts(
                        of: FeliCaPurse.Operation(element, service.code.attribute),
                        write.data(list.index - 1, in: frame), service.purseLimits))
                _ = try purse(target.block, afterElements: list.index, write, frame)
            }
        }
    }

    /// Returns the block an element writes, if its service allows it.
    private func writeTarget(
        of element: BlockListElement, _ write: FeliCaWrite, _ frame: Span<UInt8>
    ) throws(FeliCaRefusal) -> FeliCaBlockTarget {
        let cashback = BlockListElement.AccessMode.cashback
        let service = try service(
            of: element, highestMode: cashback, frame, write.layout, write.access, in: system
        ).get()
        let attribute = template.nodes[service].code.attribute
        let isAllowed =
            element.accessMode == cashback
            ? attribute.access == .cashbackDecrement : attribute.access != .readOnly
        guard isAllowed else { throw FeliCaRefusal(.accessDenied) }
        guard let block = block(of: element, in: template.nodes[service].blocks) else {
            throw FeliCaRefusal(.blockNumber)
        }
        guard attribute.kind != .cyclic || element.blockNumber == 0 else {
            throw FeliCaRefusal(template.profile.cyclicWriteBlockNonZero, leaningOn: [.cyclicWriteBlockNonZero])
        }
        return FeliCaBlockTarget(service: service, block: block)
    }

    /// Returns the index of the block an element refers to, or `nil` if its service has fewer blocks.
    private func block(of element: BlockListElement, in service: Range<Int>) -> Int? {
        let number = Int(element.blockNumber)
        return number < service.count ? service.lowerBound + number : nil
    }

    /// Returns the number of following consecutive elements for the same service.
    private func elements(
        of service: NodeCode, from list: BlockListCursor, _ write: FeliCaWrite, _ frame: Span<UInt8>
    ) -> Int {
        var list = list
        let first = list.index
        var end = first
        while let element = list.next(in: frame), Int(element.serviceOrder) < write.layout.serviceCount,
            write.layout.service(Int(element.serviceOrder), in: frame) == service
        {
            end = list.index
        }
        return end - first
    }

    /// Returns the content of a purse after the first `count` elements of a write, which may use it more than once.
    private func purse(
        _ block: Int, afterElements count: Int, _ write: FeliCaWrite, _ frame: Span<UInt8>
    ) throws(FeliCaRefusal) -> BlockData {
        var content = blocks[block]
        var list = write.layout.blockList
        while list.index < count, let element = list.next(in: frame) {
            let target = try writeTarget(of: element, write, frame)
            guard target.block == block else { continue }
            content = try applied(
                element, write.data(list.index - 1, in: frame), to: content, of: template.nodes[target.service])
        }
        return content
    }

    /// Returns the content of a purse after one element of a write.
    private func applied(
        _ element: BlockListElement, _ data: BlockData, to content: BlockData, of service: TemplateNode
    ) throws(FeliCaRefusal) -> BlockData {
        try FeliCaPurse(content, limits: service.purseLimits).applying(
            FeliCaPurse.Operation(element, service.code.attribute), data, template.profile)
    }

    private mutating func store(
        _ write: FeliCaWrite, _ frame: Span<UInt8>, _ reliance: inout CardReliance
    ) -> StatusFlags {
        var list = write.layout.blockList
        while let element = list.next(in: frame), let target = try? writeTarget(of: element, write, frame) {
            let first = list.index - 1
            let data = write.data(first, in: frame)
            let service = template.nodes[target.service]
            switch service.code.attribute.kind {
            case .cyclic:
                let count = 1 + elements(of: service.code, from: list, write, frame)
                push(write, elements: first..<first + count, into: service, frame)
                for _ in 1..<count { _ = list.next(in: frame) }
            case .purse:
                if let content = try? applied(element, data, to: blocks[target.block], of: service) {
                    blocks[target.block] = content
                }
            case .random, .area, .undefined: blocks[target.block] = data
            }
        }
        return countWrite(&reliance)
    }

    /// Counts a write if the card has a rewrite limit; beyond it, the card stores the data and warns.
    ///
    /// Chips count per block, in an unpublished way; a single count for the card is inferred.
    private mutating func countWrite(_ reliance: inout CardReliance) -> StatusFlags {
        guard let limit = template.definition.rewriteLimit else { return .success }
        guard writeCount >= limit else {
            writeCount += 1
            return .success
        }
        reliance.rely(on: .warning71Flag1)
        return StatusFlags(template.profile.warning71Flag1.rawValue, .rewriteWarning)
    }

    /// Pushes neighboring elements of a write into a cyclic service as its newest blocks, the first element newest.
    ///
    /// Elements equal to the newest blocks change nothing: a reader that received no answer may send a log entry again.
    /// Source: FeliCa Card User's Manual, excerpted edition, "cyclic service".
    mutating func push(
        _ write: FeliCaWrite, elements: Range<Int>, into service: TemplateNode, _ frame: Span<UInt8>
    ) {
        let first = service.blocks.lowerBound
        let isRepeated = elements.allSatisfy { write.data($0, in: frame) == blocks[first + $0 - elements.lowerBound] }
        guard !isRepeated else { return }
        for block in (elements.count..<service.blocks.count).reversed() {
            blocks[first + block] = blocks[first + block - elements.count]
        }
        for element in elements {
            blocks[first + element - elements.lowerBound] = write.data(element, in: frame)
        }
    }
}

import TapWire

extension FeliCaCard {
    /// Answers Read Without Encryption with all blocks, or with the first error.
    @inline(always)
    func answerRead(
        _ frame: Span<UInt8>, _ rule: FeliCaCommandRule, into buffer: inout FrameBuffer
    ) -> CardReply {
        switch template.blockCounts(of: frame, maximum: template.profile.maxReadBlocks) {
        case .malformed: return .silence
        case .refused(let status):
            ReadWithoutEncryption.Response.writeRefusal(status, idm: system.idm, into: &buffer)
            return .frame(after: rule.time.duration(count: 0))
        case .sound(let layout):
            let system = system
            var list = layout.blockList
            let length = ReadWithoutEncryption.Response.blockOffset(layout.blockCount)
            let refusal = buffer.append(byteCount: length) { answer in
                store(&list, frame, layout, of: system, into: &answer)
            }
            // As `FeliCaTemplate.structure(of:_:)` has it: a packet that ends inside its list, or goes on behind it, is
            // malformed, whatever an element says.
            if refusal != nil { list.skipAll(in: frame) }
            guard list.isAtEnd, template.fits(frame, list.offset, rule.ignoresTrailingBytes) else { return .silence }
            if let refusal {
                buffer.removeAll()
                ReadWithoutEncryption.Response.writeRefusal(refusal, idm: system.idm, into: &buffer)
            }
            return .frame(after: rule.time.duration(count: layout.blockCount))
        }
    }

    /// Stores the answer to a Read, or says why it is refused.
    @inline(__always)
    private func store(
        _ list: inout BlockListCursor, _ frame: Span<UInt8>, _ layout: BlockAccessLayout, of system: FeliCaSystem,
        into answer: inout MutableRawSpan
    ) -> StatusFlags? {
        if let refusal = checkLists(frame, layout) { return refusal }
        let memory = blocks[...]
        while let element = list.next(in: frame) {
            let blocks: Span<BlockData>
            switch service(of: element, highestMode: BlockListElement.AccessMode.normal, frame, layout, in: system) {
            case .success(let index): blocks = memory.span.extracting(template.nodes[index].blocks)
            case .failure(let error): return refusal(error.reason, at: list.index &- 1)
            }
            let number = Int(element.blockNumber)
            guard number < blocks.count else { return refusal(.blockNumber, at: list.index &- 1) }
            answer.store(blocks[number], ofElement: list.index &- 1)
            // Neighbours mostly use one service, which then need not be looked up again.
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
    /// Stores the block of an element of a list in an answer that has room for all of them.
    @inline(__always)
    fileprivate mutating func store(_ block: BlockData, ofElement index: Int) {
        let offset = ReadWithoutEncryption.Response.blockOffset(index)
        // The answer was made for as many blocks as the list has elements, and a cursor counts no more.
        unsafe storeBytes(of: block.simd, toUncheckedByteOffset: offset, as: SIMD16<UInt8>.self)
    }
}

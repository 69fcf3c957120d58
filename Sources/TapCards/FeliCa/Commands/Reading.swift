import TapWire

extension FeliCaCard {
    /// Answers Read Without Encryption with all blocks, or with the first error.
    func read(_ frame: Span<UInt8>, _ layout: BlockAccessLayout, into buffer: inout FrameBuffer) {
        let system = system
        let length = ReadWithoutEncryption.Response.blockOffset(layout.blockCount)
        let refusal = buffer.append(byteCount: length) { answer in
            store(frame, layout, of: system, into: &answer)
        }
        guard let refusal else { return }
        buffer.removeAll()
        ReadWithoutEncryption.Response.writeRefusal(refusal, idm: system.idm, into: &buffer)
    }

    /// Stores the answer to a Read, or says why it is refused.
    @inline(__always)
    private func store(
        _ frame: Span<UInt8>, _ layout: BlockAccessLayout, of system: FeliCaSystem, into answer: inout MutableRawSpan
    ) -> StatusFlags? {
        if let refusal = checkLists(frame, layout) { return refusal }
        var list = layout.blockList
        // Neighbours mostly read one service, which then need not be looked up again.
        var use = UInt8.max
        var service = 0..<0
        while let element = list.next(in: frame) {
            let index = list.index - 1
            if element.use != use {
                let mode = BlockListElement.AccessMode.normal
                switch self.service(of: element, highestMode: mode, frame, layout, in: system) {
                case .success(let node): service = template.nodes[node].blocks
                case .failure(let error): return refusal(error.reason, at: index)
                }
                use = element.use
            }
            guard let block = block(of: element, in: service) else { return refusal(.blockNumber, at: index) }
            let offset = ReadWithoutEncryption.Response.blockOffset(index)
            answer.storeBytes(of: blocks[block].simd, toByteOffset: offset, as: SIMD16<UInt8>.self)
        }
        ReadWithoutEncryption.Response.storeHeader(idm: system.idm, blockCount: layout.blockCount, into: &answer)
        return nil
    }
}

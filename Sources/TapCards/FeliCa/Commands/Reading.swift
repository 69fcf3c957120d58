import TapWire

extension FeliCaCard {
    /// Answers Read Without Encryption with all blocks, or with the first error.
    func read(_ frame: Span<UInt8>, _ layout: BlockAccessLayout, into buffer: inout FrameBuffer) {
        let idm = system.idm
        ReadWithoutEncryption.Response.writeHeader(idm: idm, blockCount: layout.blockCount, into: &buffer)
        let normal = BlockListElement.AccessMode.normal
        var list = layout.blockList
        do throws(FeliCaRefusal) {
            try checkLists(frame, layout)
            // Neighbours mostly read one service, which then need not be looked up again.
            var order = UInt8.max
            var service = 0..<0
            while let element = list.next(in: frame) {
                if element.serviceOrder != order || element.accessMode != normal {
                    let index = try self.service(of: element, highestMode: normal, frame, layout)
                    service = template.nodes[index].blocks
                    order = element.serviceOrder
                }
                buffer.append(blocks[try block(of: element, in: service)].simd)
            }
        } catch {
            buffer.removeAll()
            let status = refusal(error.reason, at: error.index ?? list.index - 1)
            FeliCaPacket.writeStatus(status, code: ReadWithoutEncryption.code.response, idm: idm, into: &buffer)
        }
    }
}

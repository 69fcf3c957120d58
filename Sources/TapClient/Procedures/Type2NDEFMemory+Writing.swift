import TapWire

extension Type2NDEFMemory {
    /// What has to be done to write a message.
    package enum WriteStep {
        /// So many pages behind those known have to be read first.
        case pagesMissing(Int)
        /// These pages have to be written.
        case plan(NDEFWritePlan)
    }

    /// Lays a message over the memory, behind the blocks that stand before it.
    ///
    /// - Parameter message: The bytes of the message.
    /// - Throws: ``ClientError`` if it does not fit or the area is malformed.
    package func writing(_ message: [UInt8]) throws(ClientError) -> WriteStep {
        guard message.count <= capacity, let block = try? TLVBlock(.ndefMessage, message) else {
            throw .tooLarge(message.count, room: capacity)
        }
        let blocks = before + [block, .terminator]
        var image = Array(repeating: UInt8(0), count: area.addresses.upperBound)
        var placed = try write(blocks, into: &image)
        if let missing = placed.last.map({ $0.end - bytes.count }), missing > 0 {
            return .pagesMissing((missing + PageData.byteCount - 1) / PageData.byteCount)
        }
        image = bytes
        placed = try write(blocks, into: &image)
        guard placed.count > before.count, let lengthAddress = placed[before.count].lengthAddress else {
            throw .tooLarge(message.count, room: capacity)
        }
        return .plan(
            NDEFWritePlan(
                from: bytes, to: image, typeAddress: placed[before.count].address, lengthAddress: lengthAddress))
    }

    private func write(_ blocks: [TLVBlock], into image: inout [UInt8]) throws(ClientError) -> [PlacedTLV] {
        do {
            return try area.write(blocks, into: &image)
        } catch {
            throw .malformedData("TLV block", error)
        }
    }
}

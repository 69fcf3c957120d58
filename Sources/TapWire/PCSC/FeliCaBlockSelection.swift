/// Services and a block list, as a storage-card reader takes them in the data of read and update binary.
///
/// ```
/// m | service code (LE) × m | n | block list element × n
/// ```
/// That is what a Read Without Encryption has behind its IDm. Source: Microsoft, "NFC smart card reader PC/SC and
/// PC/SC pass-through", FeliCa commands.
public struct FeliCaBlockSelection: Hashable, Sendable {
    /// Service codes; block list elements refer to them by index.
    public var services: [NodeCode]
    public var blocks: [BlockListElement]

    public init(services: [NodeCode], blocks: [BlockListElement]) {
        self.services = services
        self.blocks = blocks
    }

    /// Reads a selection and what follows it, the blocks to write.
    public static func parse(
        _ bytes: [UInt8]
    ) throws(WireError) -> (selection: FeliCaBlockSelection, rest: [UInt8]) {
        let slice = bytes[...]
        var reader = ByteReader(slice.span)
        let services = try reader.bytes(2 * Int(try reader.byte("number of services")), "service code list")
        let count = Int(try reader.byte("number of blocks"))
        var offset = reader.offset
        var blocks: [BlockListElement] = []
        for _ in 0..<count {
            guard let element = BlockListElement(slice.span, at: offset) else {
                throw WireError(.truncated, at: bytes.count, in: "block list", "\(count) elements announced")
            }
            blocks.append(element)
            offset += element.byteCount
        }
        let codes = stride(from: 0, to: services.count, by: 2).map { index in
            NodeCode(UInt16(services[index]) | UInt16(services[index + 1]) << 8)
        }
        return (FeliCaBlockSelection(services: codes, blocks: blocks), Array(bytes[offset...]))
    }

    /// The selection as it is sent; counts keep their low byte.
    public var bytes: [UInt8] {
        let codes = services.flatMap { [UInt8(truncatingIfNeeded: $0.rawValue), UInt8($0.rawValue >> 8)] }
        return [UInt8(truncatingIfNeeded: services.count)] + codes
            + [UInt8(truncatingIfNeeded: blocks.count)] + blocks.flatMap(\.bytes)
    }
}
